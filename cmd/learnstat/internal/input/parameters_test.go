package input

import (
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ranBy returns a side with a block for each command, of the learners model and nn on a data set
// each.
func ranBy(t *testing.T, label string, commands ...string) *Side {
	t.Helper()
	var blocks []*record.Block
	for i, c := range commands {
		h := record.Header{
			Data:     string(rune('a' + i)),
			Protocol: "cv runs=2 folds=2 stratified seed=1 v1", Reproduce: c, DataDigest: strings.Repeat("a",
				64), SplitDigest: strings.Repeat("b", 64),
		}
		b, err := record.NewBlock(h, []string{"model", "nn"},
			[]unit.Unit{{Name: "accuracy", Better: unit.Higher, Max: 1}}, 4)
		require.NoError(t, err)
		blocks = append(blocks, b)
	}
	return &Side{Source: Source{Label: label}, File: record.NewFile(blocks...)}
}

func TestParameterNotes(t *testing.T) {
	t.Parallel()
	const run = "learnbench run -data x.csv "
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{run + "model=nn nn", run + "model=nn nn", nil},
		{run + "model=nn nn", run + "-runs 5 model=nn nn", nil},
		{
			run + "'model=nn(k=1)' nn", run + "'model=nn(k=5)' nn",
			[]string{"learner model differs: k is 1 in old, and 5 in new"},
		},
		{
			run + "model=nn nn", run + "'model=nn(k=5)' nn",
			[]string{"learner model differs: k is not given in old, and 5 in new"},
		},
		{
			run + "'model=nn(k=5,weighting=equal)' nn", run + "'model=nn(order=weka,k=5)' nn",
			[]string{"learner model differs: weighting is equal in old, and not given in new; order is not given in old, and weka in new"},
		},
		{run + "'model=nn(k=5,order=weka)' nn", run + "'model=nn(order=weka,k=5)' nn", nil},
		{
			run + "model=nn nn", run + "'model=c45(x=1)' nn",
			[]string{"learner model differs: it is nn in old, and c45(x=1) in new"},
		},
		{
			run + "'model=exec(python3 shim.py Forest n_estimators=10 depth=3)' nn",
			run + "'model=exec(python3 shim.py Forest depth=4 n_estimators=10)' nn",
			[]string{"learner model differs: depth is 3 in old, and 4 in new"},
		},
		{
			run + "'model=exec(python3 a.py)' nn", run + "'model=exec(python3 b.py)' nn",
			[]string{"learner model differs: it is exec(python3 a.py) in old, and exec(python3 b.py) in new"},
		},
		{
			run + "'model=exec(p a=1 b=2)' nn", run + "'model=exec(p b=2 a=1)' nn",
			[]string{"learner model differs: it is exec(p a=1 b=2) in old, and exec(p b=2 a=1) in new"},
		},
		{
			run + "model=c45 nn", run + "model=c45 'nn=nn(k=5)'",
			[]string{"learner nn differs: k is not given in old, and 5 in new"},
		},
		{run + "-class nn model=c45 'nn=nn(k=5)'", run + "-class nn=x model=c45 'nn=nn(k=5)'", nil},
		{run + "model=nn nn", "go test -run TestX ./...", nil},
		{run + "model=nn nn", run + "'broken", nil},
		{"", run + "model=nn nn", nil},
	} {
		all := func(string) bool { return true }
		assert.Equal(t, c.want, ParameterNotes([]*Side{ranBy(t, "old", c.old), ranBy(t, "new", c.new)},
			all), "%s: %s", c.old, c.new)
		assert.Equal(t, c.want, ParameterNotes([]*Side{
			ranBy(t, "old", c.old, c.old),
			ranBy(t, "new", c.new, c.new),
		}, all), "said once")
		assert.Empty(t, ParameterNotes([]*Side{ranBy(t, "old", c.old), ranBy(t, "new", c.new)},
			func(string) bool { return false }), "learners that are not compared")
	}
	one, five := run+"'model=nn(k=1)' nn", run+"'model=nn(k=5)' nn"
	assert.Equal(t, []string{"learner model differs: k is 1 in a, and 5 in c"},
		ParameterNotes([]*Side{ranBy(t, "a", one), ranBy(t, "b", one), ranBy(t, "c", five)},
			func(string) bool { return true }))
	assert.Empty(t, ParameterNotes([]*Side{ranBy(t, "a", one)}, func(string) bool { return true }))
}
