package recipes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// model is a program in Python that needs nothing but Python: it predicts the class whose training
// examples have the nearest mean. The mean of customers who leave is moved by OFFSET.
const model = `import json, sys
OFFSET = 0
table = means = None
for line in sys.stdin:
    m = json.loads(line)
    answer = {"id": m["id"]}
    if m["op"] == "hello":
        answer.update(protocol=1, name="nearest mean", predicts=["classes"], tables=True, numbers=m["numbers"])
    elif m["op"] == "table":
        table = m
    elif m["op"] == "fit":
        xs = table["columns"][0]
        by = {}
        for row, label in zip(m["rows"], m["labels"]):
            by.setdefault(label, []).append(xs[row])
        means = {label: sum(v) / len(v) for label, v in by.items()}
        means[1] = means.get(1, 0) + OFFSET
        answer["gives"] = "labels"
    elif m["op"] == "predict" and means:
        xs = table["columns"][0]
        answer["labels"] = [min(means, key=lambda c: abs(means[c] - xs[row])) for row in m["rows"]]
    else:
        answer["error"] = "unknown op " + m["op"]
    print(json.dumps(answer), flush=True)
`

// TestRecipeForPython runs the workflow of docs/ci.md for a model without Go: with a model that is
// worse, that fails, or on other data, it fails, and else it does not.
func TestRecipeForPython(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Engines)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	var data strings.Builder
	data.WriteString("calls,churn\n")
	for i := range 300 {
		fmt.Fprintf(&data, "%d,%s\n", i*37%100, map[bool]string{
			true:  "yes",
			false: "no",
		}[i*37%100 > 60 != (i%11 == 0)])
	}
	p := newProject(t, map[string]string{
		"model.py": model, "churn.csv": data.String(),
		"requirements.txt": "",
	})
	require.NoError(t, os.WriteFile(filepath.Join(p.bin, "pip"),
		[]byte("#!/bin/sh\ntest \"$1 $2\" = 'install -r' && test -f \"$3\"\n"), 0o777))

	// The module installed is the one here, and no release.
	text := recipes(t, "ci.md")[".github/workflows/python.yml"]
	const install = "go install github.com/learnbench/learnbench/cmd/learnbench@latest github.com/learnbench/learnbench/cmd/learnstat@latest"
	require.Contains(t, text, install)
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	text = strings.Replace(text, install, "go -C '"+here+"' install ./cmd/learnbench ./cmd/learnstat",
		1)

	r := &runner{project: p, values: make(map[string]string), workspace: filepath.Join(t.TempDir(), "workspace")}
	gate := func() bool {
		r.output.Reset()
		return r.run(t, text)["gate"]
	}
	require.False(t, gate(), "there is nothing to compare with")
	assert.Contains(t, r.output.String(), "base.txt: no such file")

	// The results that changes are compared with are written by the command of the workflow.
	steps := jobSteps(t, text, "gate")
	train := steps[len(steps)-2].Run
	require.Contains(t, train, " -o new.txt ")
	store := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(train, "-o new.txt",
		"-o base.txt", 1))
	store.Dir, store.Env = p.dir, p.env
	out, err := store.CombinedOutput()
	require.NoError(t, err, "%s", out)
	commit := func(path, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, path), []byte(text), 0o666))
		p.git(t, "add", "-A")
		p.git(t, "commit", "-q", "-m", "a change")
	}
	commit("README", "results\n")
	require.True(t, gate(), "%s", r.output.String())
	assert.Contains(t, read(t, r.summary),
		"### learnstat: 1 comparison with a margin of 2.00 points of accuracy, and the gate passes")

	commit("model.py", strings.Replace(model, "OFFSET = 0", "OFFSET = -60", 1))
	require.False(t, gate())
	assert.Regexp(t, `(?m)^\| churn/model .*\*\*regressed\*\* ❌ \|$`, read(t, r.summary))
	assert.Contains(t, r.output.String(),
		"accuracy of churn/model is not shown to be less than 2.00 points worse")

	commit("model.py", strings.Replace(model, `answer["gives"]`, `answer["error"]`, 1))
	require.False(t, gate())
	assert.Contains(t, r.output.String(), "100 trials failed, and there is no verdict without them")
	commit("model.py", model)
	commit("churn.csv", data.String()+"12,no\n")
	require.False(t, gate())
	assert.Contains(t, r.output.String(), "the data differ")
}
