package learntest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A payment has its label in a field, as structs of production code have.
type payment struct {
	Amount float64 `csv:"amount"`
	Fraud  bool    `csv:"fraud,label"`
}

func payments(t *testing.T) Data[payment, bool] {
	t.Helper()
	path := filepath.Join(t.TempDir(), "payments.csv")
	require.NoError(t, os.WriteFile(path,
		[]byte("amount,fraud\n1,false\n2,false\n3,false\n4,false\n5,false\n6,true\n7,true\n8,true\n2.5,false\n"), 0o666))
	data, err := CSV[payment, bool](path)
	require.NoError(t, err)
	return data
}

// The header names the predicted column, if there is one, and so does the verdict.
func TestTargetIsSaid(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(1, 2)}
	b := mustRun(t, uci.Iris(), cfg, FromClassifier(baseline.Majority()))
	assert.Equal(t, "class 150 3 Iris-setosa=50 Iris-versicolor=50 Iris-virginica=50", b.Header.Target)
	again := FromClassifier(baseline.Majority())
	again.Name = "again"
	v := CompareWith(newRecorder(t), cfg, uci.Iris(), FromClassifier(baseline.Majority()),
		again).Judge(verdict.Claim{})
	assert.Contains(t, v.String(),
		"\n  data           iris, 150 examples, class class (Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50), 2% of test examples have a copy in training, sha256 5097526e53af\n")

	cfg.IgnoreGroups = true
	numeric := mustRun(t, rents(t), cfg, FromRegressor(baseline.Mean()))
	assert.Equal(t, "rent 60 0", numeric.Header.Target)

	paid := mustRun(t, payments(t), cfg,
		Pretrained("above", func(p payment) bool { return p.Amount > 5 }))
	assert.Equal(t, "fraud 9 2 false=6 true=3", paid.Header.Target)
	own := mustRun(t, numbers(20), cfg, constant("a", true))
	assert.Empty(t, own.Header.Target, "labels of no column")
}
