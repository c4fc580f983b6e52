package starter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/require"
)

// rows returns a CSV file of a header and n lines.
func rows(header string, n int, line func(i int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// kinds are four kinds of data, each of which can be learned from.
var kinds = map[string]struct {
	start Start
	text  string
	want  []string
}{
	"numbers": {
		Start{CSV: "testdata/churn.csv", Label: "churned"},
		rows("age,sum,churned", 200, func(i int) string {
			return fmt.Sprintf("%d,%d.5,%d", 20+i*7%50, i*31%997,
				map[bool]int{true: 1}[(i*31%997 > 400) != (i%9 == 0)])
		}),
		[]string{
			"func TestChurn(t *testing.T)",
			`dataset.Open("testdata/churn.csv", dataset.ReadOptions{Class: "churned"})`,
			"assert.NoCopies(t, data, 0.01)", "assert.Margin(0.02)) // 2 points",
		},
	},
	"missing and nominal": {
		Start{CSV: "testdata/late-payers.v2.csv", Label: "late"},
		rows("colour,sum,note,late", 100, func(i int) string {
			return fmt.Sprintf("%s,%s,%d,%s", []string{"red", "blue", "?", "green"}[i*7%4],
				map[bool]string{true: "", false: fmt.Sprint(i * 31 % 997)}[i%6 == 0], i*13%101,
				map[bool]string{true: "yes", false: "no"}[(i*7%4 == 1) != (i%11 == 0)])
		}),
		[]string{
			"func TestLatePayers(t *testing.T)",
			"func latePayersModel() learntest.Learner[dataset.Row, int]",
			"naivebayes.New(naivebayes.Config{})", "assert.Margin(0.05)",
		},
	},
	"groups": {
		Start{CSV: "testdata/churn.csv", Label: "churned", Group: "customer"},
		rows("customer,sum,churned", 300, func(i int) string {
			return fmt.Sprintf("c%d,%d.25,%t", i/3, i*31%997, (i*31%997 > 200) != (i%9 == 0))
		}),
		[]string{`dataset.ReadOptions{Class: "churned", Group: "customer"}`},
	},
	"one class is most": {
		Start{CSV: "testdata/fraud.csv", Label: "fraud"},
		rows("sum,fraud", 300, func(i int) string {
			return fmt.Sprintf("%d.25,%t", i*31%997, i*31%997 > 850)
		}),
		[]string{"learntest.AgainstWith(t, cfg, data, fraudModel(), ", "metric.BalancedAccuracy()"},
	},
	"regression": {
		Start{CSV: "testdata/2026-prices.csv", Label: "price"},
		rows("size,town,floor,price", 120, func(i int) string {
			return fmt.Sprintf("%s,%s,%d,%d.5", map[bool]string{
				true:  "NA",
				false: fmt.Sprint(i * 31 % 997),
			}[i%10 == 3], []string{"Bonn", "Ulm"}[i%2], i,
				i*31%997*12+i%2*100+i*17%23)
		}),
		[]string{
			`dataset.ReadOptions{Target: "price"}`, "ols.Config{Missing: dataset.MissingIndicator}",
			"assert.NoCopies(t, numbers, 0.01)", "of RMSE", "func TestData2026Prices(",
		},
	},
	"a line": {
		Start{CSV: "testdata/prices.csv", Label: "Preis in €"},
		rows("size,\"floor \"\"no\"\"\",Preis in €", 120,
			func(i int) string { return fmt.Sprintf("%d,%d,%d", i*31%997, i*7%50, i*31%997*2+i%7) }),
		[]string{
			`dataset.ReadOptions{Target: "Preis in €"}`,
			"assert.Margin(0.3)) // of RMSE: a tenth of a linear model's",
		},
	},
	"a struct": {
		Start{CSV: "testdata/payments.csv", Type: "Payment", Learner: "Limit"},
		rows("amount,fraud", 200, func(i int) string {
			return fmt.Sprintf("%d.5,%t", i*31%997,
				(i*31%997 > 400) != (i%9 == 0))
		}),
		[]string{
			`learntest.CSV[Payment, bool]("testdata/payments.csv")`,
			"learntest.Against(t, data, Limit(), ",
		},
	},
}

const payments = `package shop

import (
	"context"

	"github.com/learnbench/learnbench/learntest"
)

type Payment struct {
	Amount float64 §csv:"amount"§
	Fraud  bool    §csv:"fraud,label"§
}

func Limit() learntest.Learner[Payment, bool] {
	return learntest.Func("limit", func(context.Context, learntest.Sample[Payment, bool], uint64) (func(Payment) bool, error) {
		return func(p Payment) bool { return p.Amount > 410 }, nil
	})
}
`

// A workspace is a directory with git and a module in it.
type workspace struct {
	t   *testing.T
	dir string
	env []string
}

var environment = sync.OnceValues(usermod.Environment)

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	env, err := environment()
	require.NoError(t, err)
	w := &workspace{t, t.TempDir(), append(slices.Clip(env), "CI=")}
	require.NoError(t, usermod.Write(w.dir, "example.com/shop", filepath.Join("..", "..")))
	w.write(".git/HEAD", "ref: refs/heads/main\n") // as git init does, which takes longer
	for _, dir := range []string{"objects", "refs"} {
		require.NoError(t, os.MkdirAll(filepath.Join(w.dir, ".git", dir), 0o777))
	}
	return w
}

// files returns the text of each file.
func (w *workspace) files() map[string]string {
	w.t.Helper()
	all := make(map[string]string)
	require.NoError(w.t, filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}

func (w *workspace) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o666))
}

// run runs a command of a shell, and returns its output and status.
func (w *workspace) run(command string) (string, int) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), w.env...)
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(out), exit.ExitCode()
	}
	require.NoError(w.t, err)
	return string(out), 0
}

func (w *workspace) must(words ...string) {
	w.t.Helper()
	out, status := w.run(strings.Join(words, " "))
	require.Zero(w.t, status, "%v: %s", words, out)
}

// start prepares a kind of data in the workspace.
func (w *workspace) start(name string) Start {
	w.t.Helper()
	k := kinds[name]
	w.write(k.start.CSV, k.text)
	s := k.start
	s.Dir, s.CSV, s.CI = w.dir, filepath.Join(w.dir, s.CSV), "github"
	if s.Type != "" {
		w.write("payments.go", strings.ReplaceAll(payments, "§", "`"))
	}
	return s
}

// The written test compiles, fails without a baseline, and passes with one, by the commands that are printed.
func TestWrittenTests(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	env, err := usermod.Repeated(filepath.Join("..", ".."), t.TempDir())
	require.NoError(t, err)
	for name := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t)
			w.env = append(slices.Clip(env), "CI=")
			s := w.start(name)
			_, test, err := s.Write()
			require.NoError(t, err)
			out, status := w.run("go test .")
			require.Equal(t, 1, status, out)
			require.Contains(t, out, "--- FAIL: "+test+" ")
			require.Contains(t, out, "baseline testdata/baseline.txt: there is no such file")
			require.NotContains(t, out, "NoCopies")
			commands := Commands(w.dir, test)
			require.Len(t, commands, 3)
			for _, c := range commands[1:] { // the first takes a module proxy
				w.must(c)
			}
			w.must("go test .")
			out, _ = w.run("git status --porcelain")
			require.Empty(t, out)
			out, _ = w.run("grep -h ^commit: testdata/baseline.txt")
			require.Regexp(t, `^commit: [0-9a-f]{12}\n$`, out)
		})
	}
}

// Tests name the columns of the data, and are not written twice.
func TestWritesOnce(t *testing.T) {
	t.Parallel()
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t)
			s := w.start(name)
			files, _, err := s.Write()
			require.NoError(t, err)
			require.Len(t, files, 2)
			text, err := os.ReadFile(files[0])
			require.NoError(t, err)
			for _, want := range k.want {
				require.Contains(t, string(text), want)
			}
			before := w.files()
			_, _, err = s.Write()
			require.Error(t, err)
			require.Equal(t, before, w.files())
			if s.Type == "" {
				require.ErrorContains(t, err, "is declared in "+filepath.Base(files[0])+" already: rename it, or the file of the data")
			}
		})
	}
}

// Nothing is written where a file is there, or the names say nothing.
func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(w *workspace, s *Start)
		want   string
	}{
		"a workflow": {
			func(w *workspace, _ *Start) { w.write(".github/workflows/guard.yml", "x") },
			"guard.yml is there already, and nothing is overwritten: -ci none writes the test alone",
		},
		"a pipeline": {func(w *workspace, s *Start) {
			w.write(".gitlab-ci.yml",
				"x")
			s.CI = "gitlab"
		}, ".gitlab-ci.yml is there already"},
		"a baseline": {
			func(w *workspace, _ *Start) { w.write("testdata/baseline.txt", "x") },
			"baseline.txt is there already, and nothing is overwritten: move it away",
		},
		"a test": {func(w *workspace, _ *Start) {
			w.write("churn_model_test.go",
				"package shop\n")
		}, "churn_model_test.go is there already"},
		"another file": {func(w *workspace, _ *Start) {
			w.write("x_test.go",
				"package shop\nvar churnModel int\n")
		}, "churnModel is declared in x_test.go already"},
		"no Go": {func(w *workspace, _ *Start) { w.write("x.go", "package\n") }, "x.go:1"},
		"another CI": {
			func(_ *workspace, s *Start) { s.CI = "jenkins" },
			"-ci jenkins: write github, gitlab or none",
		},
		"no module": {
			func(w *workspace, _ *Start) { require.NoError(w.t, os.Remove(filepath.Join(w.dir, "go.mod"))) },
			"there is no go.mod here or above",
		},
		"no file": {
			func(_ *workspace, s *Start) { s.CSV = "" },
			"-csv: name the file of the data",
		},
		"a file elsewhere": {
			func(_ *workspace, s *Start) { s.CSV = os.DevNull },
			"the file lies outside of the module, where go test does not see that it changes: copy it into testdata",
		},
		"a missing file": {func(_ *workspace, s *Start) { s.CSV += "x" }, "no such file"},
		"no label": {
			func(_ *workspace, s *Start) { s.Label = "" },
			`-label "": name one of the columns age, sum, churned`,
		},
		"no column": {
			func(_ *workspace, s *Start) { s.Group = "customer" },
			`-group "customer": name one of the columns age, sum, churned`,
		},
		"label and group": {
			func(_ *workspace, s *Start) { s.Group = "churned" },
			"-group: the label cannot be the group",
		},
		"no label in a row": {
			func(w *workspace, s *Start) { w.write("testdata/churn.csv", "x,churned\n1,yes\n2,?\n3,no\n") },
			"-label churned: row 2 has no label",
		},
		"no group in a row": {
			func(w *workspace, s *Start) {
				w.write("testdata/churn.csv", "x,c,churned\n1,a,yes\n2,,no\n3,b,no\n")
				s.Group = "c"
			},
			"-group c: row 2 has no group",
		},
		"few groups": {
			func(w *workspace, s *Start) {
				w.write("testdata/churn.csv", rows("x,c,churned", 60,
					func(i int) string { return fmt.Sprintf("%d,%d,%t", i, i%5, i > 30) }))
				s.Group = "c"
			},
			"-group c: 5 groups are too few for 10 runs that differ, and no claim could be judged",
		},
		"one group": {
			func(w *workspace, s *Start) {
				w.write("testdata/churn.csv", rows("x,c,churned", 60,
					func(i int) string { return fmt.Sprintf("%d,a,%t", i, i > 30) }))
				s.Group = "c"
			},
			"-group c: 1 groups are too few",
		},
		"semicolons": {func(w *workspace, s *Start) {
			w.write("testdata/churn.csv",
				"x;churned\n1;yes\n2;no\n")
		}, `its only column is "x;churned": save it with commas`},
		"one label": {func(w *workspace, s *Start) {
			w.write("testdata/churn.csv",
				"x,churned\n1,yes\n2,yes\n")
		}, "all rows have the same label"},
		"few rows": {func(w *workspace, s *Start) {
			w.write("testdata/churn.csv",
				"x,churned\n1,yes\n2,no\n")
		}, "2 examples are too few to guard a model by"},
		"no struct": {func(_ *workspace, s *Start) {
			s.Type, s.Learner, s.Label = "Payment", "Limit",
				""
		}, `-learner "Limit": name the function of package`},
		"struct, label": {
			func(_ *workspace, s *Start) { s.Type = "Payment" },
			"leave -label and -group out",
		},
		"untagged struct": {func(w *workspace, s *Start) {
			w.write("x.go", "package shop\ntype Payment struct { X int }\nfunc Limit() {}\n")
			s.Type, s.Learner, s.Label = "Payment", "Limit", ""
		}, "no field has the tag of the label"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t)
			s := w.start("numbers")
			c.change(w, &s)
			before := w.files()
			_, _, err := s.Write()
			require.ErrorContains(t, err, c.want)
			require.Equal(t, before, w.files())
		})
	}
}

// The workflow is the documented one. In a module below the root of the repository it runs there.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "cache.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), "```yaml\n"+github+"```\n")
	w := newWorkspace(t)
	w.write("deep/er/go.mod", "module example.com/deep\n")
	root, err := filepath.EvalSymlinks(w.dir)
	require.NoError(t, err)
	f, err := workflow("github", filepath.Join(w.dir, "deep", "er"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, ".github", "workflows", "guard.yml"), f.path)
	require.Contains(t, f.text, "    defaults: {run: {working-directory: \"deep/er\"}}\n    steps:\n")
	require.Contains(t, f.text, `go-version-file: "deep/er/go.mod"`)
	f, err = workflow("gitlab", filepath.Join(w.dir, "deep", "er"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, ".gitlab-ci.yml"), f.path)
	require.Contains(t, f.text, "    - cd 'deep/er'\n    - go tool learnbench ci-times\n")
	require.Equal(t, "git add -A :/ && git commit -m 'a model and its test'",
		Commands(filepath.Join(w.dir, "deep", "er"), "TestDeep")[1])
	require.Equal(t, "git add -A . && git commit -m 'a model and its test'",
		Commands(w.dir, "TestDeep")[1])
	f, err = workflow("gitlab", w.dir)
	require.NoError(t, err)
	require.Equal(t, gitlab, f.text)
}

func TestIdentifier(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"churn": {"churn", "Churn"}, "late-payers": {"latePayers", "LatePayers"},
		"2026": {"data2026", "Data2026"},
		"":     {"data", "Data"}, "日本": {"data", "Data"}, "func": {"datafunc", "Func"},
		"a_b c": {"aBC", "ABC"}, "int": {"dataint", "Int"},
	} {
		require.Equal(t, want, [2]string{identifier(text, false), identifier(text, true)}, text)
	}
}

// The go command compiles the test, whatever the data are called, and files that it does not compile say
// nothing of the package.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"churn": "churn_model_test.go", "Late-payers": "late_payers_model_test.go",
		"日本": "data_model_test.go", "": "data_model_test.go",
		"_churn": "churn_model_test.go", "größe 2": "gr_e_2_model_test.go",
	} {
		require.Equal(t, want, fileName(text), text)
	}
	w := newWorkspace(t)
	w.write("shop.go", "package shop\n")
	w.write("zz.go", "//go:build ignore\n\npackage main\n\nvar churnModel int\n")
	s := w.start("numbers")
	files, _, err := s.Write()
	require.NoError(t, err)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(text), "package shop\n")
	w = newWorkspace(t)
	for i, name := range []string{"日本.csv", "_churn.csv", ".churn.csv"} {
		s := w.start("numbers")
		s.Dir = filepath.Join(w.dir, string(rune('a'+i)))
		s.CSV, s.CI = filepath.Join(s.Dir, "testdata", name), "none"
		w.write(filepath.Join(filepath.Base(s.Dir), "testdata", name), kinds["numbers"].text)
		_, _, err := s.Write()
		require.NoError(t, err)
	}
	out, _ := w.run("go list -f '{{.TestGoFiles}} {{.IgnoredGoFiles}}' ./...")
	require.Equal(t, "[data_model_test.go] []\n[churn_model_test.go] []\n[data_model_test.go] []\n", out)
}
