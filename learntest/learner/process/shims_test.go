package process_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/learner/process"
	"github.com/learnbench/learnbench/learntest/learner/process/shims"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A runtime is what a shim runs in.
type runtime struct {
	name    string
	command func() ([]string, error) // up to the shim, which follows
}

var (
	sklearn = runtime{"sklearn", sync.OnceValues(func() ([]string, error) {
		var errs []error
		for _, python := range [][]string{{"python3"}, {"env", "PATH=/usr/bin", "python3"}} { // of which either may have it
			out, err := exec.Command(python[0],
				append(python[1:], "-c", "import sklearn")...).CombinedOutput()
			if err == nil {
				return append(python, shim("sklearn_shim.py")), nil
			}
			errs = append(errs, fmt.Errorf("%s has no scikit-learn: %w: %s", python, err, last(out)))
		}
		return nil, errors.Join(errs...)
	})}
	// sklearnForks has shims in forks of one process: the import of scikit-learn takes a second and more
	// of each start.
	sklearnForks = runtime{"sklearn", sync.OnceValues(func() ([]string, error) {
		command, err := sklearn.command()
		if err != nil || goruntime.GOOS == "windows" {
			return command, err
		}
		args := slices.Concat(command[1:len(command)-1], []string{"testdata/forks.py", process.ForksPath})
		cmd := exec.Command(command[0], args...)
		cmd.Env = append(cmd.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
		cmd.Stderr = os.Stderr
		if forksInput, err = cmd.StdinPipe(); err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			return nil, fmt.Errorf("testdata/forks.py says %q: %w", line, err)
		}
		self, err := os.Executable()
		return []string{self, "forked", command[len(command)-1]}, err
	})}
	r = runtime{"r", sync.OnceValues(func() ([]string, error) {
		out, err := exec.Command("Rscript", "--vanilla", "-e",
			`for (p in c("jsonlite", "rpart", "randomForest", "e1071")) loadNamespace(p)`).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("R or one of its packages is not there: %w: %s", err, last(out))
		}
		return []string{"Rscript", "--vanilla", shim("r_shim.R")}, nil
	})}
	wekaSource = runtime{"weka", sync.OnceValues(func() ([]string, error) {
		if _, err := os.Stat(wekaJar); err != nil {
			return nil, err
		}
		if out, err := exec.Command("java", "-version").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("there is no Java: %w: %s", err, last(out))
		}
		return []string{
			"java", "-Djava.awt.headless=true", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
			shim("WekaShim.java"),
		}, nil
	})}
	weka = runtime{"weka", sync.OnceValues(func() ([]string, error) {
		java, err := wekaSource.command()
		if err != nil {
			return nil, err
		}
		out, err := exec.Command("javac", "-cp", wekaJar, "-d", process.WekaClasses,
			shim("WekaShim.java")).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("javac: %w: %s", err, last(out))
		}
		return append(java[:len(java)-1:len(java)-1], wekaClass), nil
	})}
)

// forksInput is open as long as tests run, which the process of testdata/forks.py waits for.
var forksInput io.WriteCloser

// wekaClass is the shim of Weka after javac. Each start from source compiles it, which takes most
// of the time of a test: few tests do so.
const wekaClass = "WekaShim"

const wekaJar = "/usr/share/java/weka.jar"

func shim(name string) string { return filepath.Join("shims", name) }

func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// thorough skips the test unless the language must be there.
func (r runtime) thorough(t *testing.T) {
	t.Helper()
	citest.Need(t, r.name)
}

// args returns the command of a shim with some arguments, and skips the test if there is no
// runtime.
func (r runtime) args(t testing.TB, args ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts another language")
	}
	command, err := r.command()
	if err != nil && !citest.Has(r.name) {
		t.Skipf("%s: %v", r.name, err)
	}
	require.NoError(t, err, "%s names %s", citest.Variable, r.name)
	return slices.Concat(command, args)
}

// config returns the configuration of a shim with some arguments.
func (r runtime) config(t testing.TB, args ...string) process.Config {
	command := r.args(t, args...)
	classes := wekaJar
	if slices.Contains(command, wekaClass) {
		classes += string(filepath.ListSeparator) + process.WekaClasses
	}
	return process.Config{
		Args: command, Name: args[0], Stderr: t.Output(), Depends: []string{},
		// The library is outside the module, where no argument may be, and tests run side by side.
		Env: []string{
			"CLASSPATH=" + classes, "OMP_NUM_THREADS=1", process.ForksSocket + "=" + process.ForksPath,
		},
	}
}

func (r runtime) learner(t testing.TB, args ...string) *process.Learner {
	t.Helper()
	l, err := process.New(r.config(t, args...))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	return l
}

func TestShimsAreShort(t *testing.T) {
	t.Parallel()
	require.Len(t, shims.Names(), 3)
	for _, name := range shims.Names() {
		text, err := shims.Text(name)
		require.NoError(t, err)
		assert.Less(t, strings.Count(text, "\n"), 120, name)
	}
}

// TestShimsLearn has each shim learn something.
func TestShimsLearn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		runtime
		args []string
	}{
		{sklearn, []string{"sklearn.tree.DecisionTreeClassifier", "min_samples_leaf=2"}},
		{r, []string{"rpart::rpart", "minsplit=5", "predict.type=prob"}},
		{wekaSource, []string{"weka.classifiers.trees.J48", "-M", "3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.thorough(t)
			l := c.learner(t, c.args...)
			iris := uci.Iris()
			var train []int
			var test []dataset.Row
			for i := range iris.Len() {
				if i%3 == 0 {
					test = append(test, iris.Example(i))
				} else {
					train = append(train, i)
				}
			}
			m, err := l.Fit(t.Context(), iris, train, 1)
			require.NoError(t, err)
			defer m.Close()
			p, err := m.Predict(t.Context(), test)
			require.NoError(t, err)
			correct := 0
			for i, row := range test {
				if learner.Best(p.Probabilities[3*i:3*i+3]) == iris.Class(row.Index) {
					correct++
				}
			}
			assert.GreaterOrEqual(t, correct, 45, "of 50")
		})
	}
}

// TestShimsKeepTheProtocol checks each shim with learners of several kinds.
func TestShimsKeepTheProtocol(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		runtime
		args    []string
		refused []string
	}{
		{sklearnForks, []string{"RandomForestClassifier", "n_estimators=5"}, []string{"missing values"}},
		{sklearnForks, []string{"sklearn.svm.LinearSVC", "dual=False"}, []string{
			"a single class",
			"missing values",
		}},
		{sklearnForks, []string{"HistGradientBoostingClassifier", "max_iter=5"}, []string{"a single class"}},
		{sklearnForks, []string{"LinearRegression"}, []string{"missing values"}},
		{
			sklearnForks,
			[]string{"--frame", "HistGradientBoostingClassifier", "max_iter=5"},
			[]string{"a single class", "nominal attributes"},
		},
		{r, []string{"rpart::rpart", "minsplit=5", "predict.type=prob"}, []string{
			"numbers as target",
			"a single class",
		}},
		{
			r,
			[]string{"randomForest::randomForest", "ntree=5", "predict.type=prob"},
			[]string{"numbers as target", "a single class", "missing values"},
		},
		{r, []string{"e1071::svm", "kernel=linear"}, []string{"a single class", "missing values"}},
		{weka, []string{"weka.classifiers.trees.J48"}, nil},
		{weka, []string{"weka.classifiers.trees.RandomForest", "-I", "5"}, nil},
		{weka, []string{"weka.classifiers.lazy.IBk"}, nil},
	} {
		t.Run(c.name+"/"+c.args[0], func(t *testing.T) {
			t.Parallel()
			c.thorough(t)
			cfg := c.config(t, c.args...)
			cfg.StartTimeout = 5 * time.Minute // other tests run, too
			findings, err := learnercheck.Inspect(t.Context(), learnercheck.Program(cfg, cfg.StartTimeout))
			require.NoError(t, err)
			var refused []string
			for _, f := range findings {
				t.Logf("%s %s: %s", f.Outcome, f.Rule, f.Detail)
				assert.NotEqual(t, learnercheck.Failed, f.Outcome, "%s: %s", f.Rule, f.Detail)
				if f.Outcome == learnercheck.Refused {
					refused = append(refused, string(f.Rule))
				}
			}
			assert.Greater(t, len(findings), 15)
			assert.Equal(t, c.refused, refused)
		})
	}
}

// documented returns the module and the arguments of the shim for missing values that the
// documentation has.
func documented(t *testing.T) (module string, args []string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "process.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "\n## Missing values\n")
	require.True(t, ok)
	_, module, ok = strings.Cut(section, "```python\n")
	require.True(t, ok)
	module, section, ok = strings.Cut(module, "```\n")
	require.True(t, ok)
	_, command, ok := strings.Cut(section, "exec(python3 sklearn_shim.py ")
	require.True(t, ok)
	command, _, ok = strings.Cut(command, ")")
	require.True(t, ok)
	return module, strings.Fields(command)
}

// TestMissingValuesAreFilledAsDocumented runs the pipeline of the documentation on data that a
// forest alone does not take.
func TestMissingValuesAreFilledAsDocumented(t *testing.T) {
	t.Parallel()
	sklearnForks.thorough(t)
	module, args := documented(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mymodels.py"), []byte(module), 0o600))
	served := func(args ...string) *process.Learner {
		cfg := sklearnForks.config(t, args...)
		cfg.Name, cfg.Env = strings.Join(args, " "), append(cfg.Env, "PYTHONPATH="+dir)
		l, err := process.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, l.Close()) })
		return l
	}
	forest, labor := served(args...), uci.Labor()
	require.NoError(t, forest.Ready(t.Context(), labor))
	f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{labor},
		[]learntest.Learner[dataset.Row, int]{
			learntest.FromProcess[int](forest),
			learntest.FromProcess[int](served("RandomForestClassifier", "n_estimators=5")),
		},
		learntest.Config{Protocol: split.CV(1, 2)})
	require.NoError(t, err)
	failed := f.Failures()
	require.Len(t, failed, 2)
	for _, trial := range failed {
		require.Equal(t, `fit: the program says: ValueError: Input X contains NaN: see docs/process.md of learnbench, "Missing values"`, trial.Err)
		require.NotEqual(t, forest.Name(), trial.Learner)
	}
}

// TestEstimatorsOfModules has the shim serve what functions and classes of a module return.
func TestEstimatorsOfModules(t *testing.T) {
	t.Parallel()
	sklearnForks.thorough(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.py"), []byte(`
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.ensemble import RandomForestClassifier

def guess():
    return make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=3))

def fixed():
    return make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=3, random_state=3))

def seeded(random_state):
    return RandomForestClassifier(n_estimators=3, random_state=random_state)

def line():
    return make_pipeline(StandardScaler(), LinearRegression())

class Forest(RandomForestClassifier):
    pass

def nothing():
    return 3

def passes(**parameters):
    return RandomForestClassifier(**parameters)
`), 0o600))
	serve := func(args ...string) *process.Learner {
		cfg := sklearnForks.config(t, args...)
		cfg.Env = append(cfg.Env, "PYTHONPATH="+dir)
		l, err := process.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, l.Close()) })
		return l
	}
	iris := uci.Iris()
	predict := func(l *process.Learner, seed uint64) any {
		all, rows := make([]int, iris.Len()), make([]dataset.Row, iris.Len())
		for i := range all {
			all[i], rows[i] = i, iris.Example(i)
		}
		m, err := l.Fit(t.Context(), iris, all, seed)
		require.NoError(t, err)
		defer m.Close()
		p, err := m.Predict(t.Context(), rows)
		require.NoError(t, err)
		return p
	}
	for _, c := range []struct {
		name   string
		random bool // its predictions depend on the seed
	}{{"mine.guess", true}, {"mine.fixed", false}, {"mine.seeded", true}, {"mine.Forest", true}} {
		l := serve(c.name)
		require.NoError(t, l.Ready(t.Context(), iris), c.name)
		again := predict(l, 1)
		require.Equal(t, again, predict(l, 1), c.name)
		if other := predict(l, 2); c.random {
			require.NotEqual(t, again, other, c.name)
		} else {
			require.Equal(t, again, other, c.name)
		}
	}
	require.NoError(t, serve("mine.line").Ready(t.Context(), petals(t)))
	for _, c := range []struct {
		args []string
		want string
	}{
		{
			[]string{"RandomForestClassifer"},
			"scikit-learn has no RandomForestClassifer: did you mean RandomForestClassifier?",
		},
		{[]string{"Zzz"}, "scikit-learn has no Zzz: name a class of scikit-learn, or module.name of another"},
		{
			[]string{"RandomForestClassifier", "n_estimater=3"},
			"RandomForestClassifier has no parameter n_estimater: did you mean n_estimators?",
		},
		{[]string{"mine.gess"}, "mine has no gess: did you mean guess?"},
		{[]string{"mines.guess"}, "there is no module mines: mines.py must be beside sklearn_shim.py or in the working directory, or the module installed"},
		{[]string{"mine.guess", "a=1"}, "guess has no parameter a: it has none"},
		{[]string{"mine.nothing"}, "mine.nothing returns 3, which is no estimator: it has no fit and predict"},
		{
			[]string{"mine.passes", "a=1"},
			"TypeError: RandomForestClassifier.__init__() got an unexpected keyword argument 'a'",
		},
		{
			[]string{"LinearRegression"},
			`data set "iris": the program says: it predicts numbers, and the data have classes`,
		},
		{[]string{"mine.line"}, `data set "iris": the program says: it predicts numbers, and the data have classes`},
	} {
		err := serve(c.args...).Ready(t.Context(), iris)
		require.ErrorIs(t, err, process.ErrProgram)
		require.ErrorContains(t, err, c.want)
	}
}

// TestWekaThroughTheShim compares the predictions of Weka's learners, example by example and so
// the accuracy of each fold, with what Weka has predicted by itself on the same
// partitions.
func TestWekaThroughTheShim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, class string }{
		{fixture.J48, "weka.classifiers.trees.J48"},
		{fixture.NB, "weka.classifiers.bayes.NaiveBayes"},
		{fixture.IBk, "weka.classifiers.lazy.IBk"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			weka.thorough(t)
			l := weka.learner(t, c.class)
			names, err := fixture.Names(fixture.Embedded())
			require.NoError(t, err)
			require.Len(t, names, 5)
			folds := 0
			for _, name := range names {
				table, err := uci.Load(name)
				require.NoError(t, err)
				set, err := fixture.Load(fixture.Embedded(), name)
				require.NoError(t, err)
				for _, f := range set.Folds {
					folds++
					checkFold(t, l, table, &f, c.name)
				}
			}
			t.Logf("%d folds", folds)
			assert.Positive(t, folds)
		})
	}
}

// checkFold compares a fold with the reference.
func checkFold(t *testing.T, l *process.Learner, table *dataset.Table, f *fixture.Fold,
	name string,
) {
	t.Helper()
	m, err := l.Fit(t.Context(), table, f.Train, uint64(f.Run))
	require.NoError(t, err)
	defer m.Close()
	rows := make([]dataset.Row, len(f.Test))
	for i, r := range f.Test {
		rows[i] = table.Example(r)
	}
	p, err := m.Predict(t.Context(), rows)
	require.NoError(t, err)
	k := table.NumClasses()
	correct, want := 0, 0
	for i := range f.Test {
		dist := p.Probabilities[i*k : (i+1)*k]
		require.Equal(t, f.Predicted[name][i], learner.Best(dist), "%s run %d fold %d row %d",
			table.Name(), f.Run, f.Fold, f.Test[i])
		if f.Distributions[name] != nil {
			require.NoError(t, floatcmp.Slices(dist, f.Distributions[name][i], 1e-15, 0))
		}
		if learner.Best(dist) == f.Actual[i] {
			correct++
		}
		if f.Predicted[name][i] == table.Class(f.Test[i]) {
			want++
		}
	}
	require.Equal(t, want, correct, "%s run %d fold %d", table.Name(), f.Run, f.Fold)
}

// TestLeastSquaresInAllLanguages compares linear regression of each language with our
// own: what comes back is right to the last digits, so nothing was lost on the way.
func TestLeastSquaresInAllLanguages(t *testing.T) {
	t.Parallel()
	table := petals(t)
	all := make([]int, table.Len())
	rows := make([]dataset.Row, table.Len())
	for i := range all {
		all[i], rows[i] = i, table.Example(i)
	}
	model, err := ols.New(ols.Config{}).Fit(table, all[:100], 1)
	require.NoError(t, err)
	for _, c := range []struct {
		runtime
		learns string
	}{{sklearn, "LinearRegression"}, {r, "lm"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.thorough(t)
			m, err := c.learner(t, c.learns).Fit(t.Context(), table, all[:100], 1)
			require.NoError(t, err)
			defer m.Close()
			p, err := m.Predict(t.Context(), rows)
			require.NoError(t, err)
			for i := range rows {
				want, err := model.Value(table, i)
				require.NoError(t, err)
				require.InDelta(t, want, p.Values[i], 1e-12*max(1, math.Abs(want)), "row %d", i)
			}
		})
	}
}

// petals returns the numbers of iris with odd digits, the second to be predicted.
func petals(t *testing.T) *dataset.Table {
	t.Helper()
	iris := uci.Iris()
	var cols []dataset.Column
	for j := range 4 {
		c := dataset.Column{Attribute: iris.Attribute(j)}
		for i, x := range iris.Numbers(j) {
			c.Numbers = append(c.Numbers, x+math.Sin(float64(100*i+j))/3)
		}
		cols = append(cols, c)
	}
	table, err := dataset.New("petals", cols, 1, nil)
	require.NoError(t, err)
	return table
}

// TestComparisonWithAnotherLanguage runs a whole comparison with each language, twice and
// with programs side by side.
func TestComparisonWithAnotherLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		runtime
		args []string
	}{
		{sklearn, []string{"RandomForestClassifier", "n_estimators=5"}},
		{r, []string{"rpart::rpart", "predict.type=prob"}},
		{wekaSource, []string{"weka.classifiers.trees.RandomForest", "-I", "5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.thorough(t)
			run := func(parallel int) string {
				l := c.learner(t, c.args...)
				f, err := learntest.Run(t.Context(), []learntest.Data[dataset.Row, int]{uci.Glass()},
					[]learntest.Learner[dataset.Row, int]{
						learntest.FromProcess[int](l),
						learntest.FromClassifier(c45.New(c45.Config{})),
					},
					learntest.Config{Protocol: split.CV(2, 4), Parallel: parallel})
				require.NoError(t, err)
				require.Empty(t, f.Failures())
				return scores(f)
			}
			one := run(1)
			assert.Equal(t, one, run(2))
			assert.Contains(t, one, c.args[0])
		})
	}
}

// TestProgramsKeepThePromisesOfLearners tests programs as learners: the test server, with and
// without tables kept, and one in each language.
func TestProgramsKeepThePromisesOfLearners(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, mode := range []string{"tables", "inline", "labels"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			l := process.ForTest(t, process.Config{
				Args: []string{self, "serve", mode}, Name: "it",
				Depends: []string{},
			})
			learnercheck.Run(t, learnercheck.Learner(uci.Iris(), learntest.FromProcess[int](l)), learnercheck.Learning) // it predicts the sign of a number
		})
	}
	t.Run("crash", func(t *testing.T) {
		t.Parallel()
		l := process.ForTest(t, process.Config{
			Args: []string{self, "serve", "crash=predict"}, Name: "it",
			Depends: []string{},
		})
		err := learnercheck.Check(t.Context(), learnercheck.Learner(uci.Iris(),
			learntest.FromProcess[int](l)))
		flaw, ok := errors.AsType[*learnercheck.Flaw](err)
		require.True(t, ok)
		assert.Equal(t, learnercheck.Trial, flaw.Rule)
		assert.ErrorIs(t, err, process.ErrEnded)
	})
	for _, c := range []struct {
		runtime
		args []string
	}{
		{sklearnForks, []string{"RandomForestClassifier", "n_estimators=5"}},
		{r, []string{"rpart::rpart", "predict.type=prob"}},
		{weka, []string{"weka.classifiers.trees.RandomForest", "-I", "5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.thorough(t)
			learnercheck.Run(t, learnercheck.Learner(uci.Glass(),
				learntest.FromProcess[int](c.learner(t, c.args...))))
		})
	}
}

// scores returns the scores of all trials.
func scores(f *record.File) string {
	var text strings.Builder
	for _, b := range f.Blocks() {
		for trial := range b.Trials() {
			fmt.Fprintln(&text, trial.Cell(), trial.Values)
		}
	}
	return text.String()
}

// BenchmarkShims measures a trial of 10-fold cross-validation of 1,000 examples of 20 numbers by
// learners that do next to nothing, in each language: the rest is what the shim, the pipe and this
// package take.
func BenchmarkShims(b *testing.B) {
	for _, c := range []struct {
		runtime
		args []string
	}{
		{sklearnForks, []string{"sklearn.dummy.DummyRegressor"}},
		{r, []string{`{predict.none <- function(object, newdata) rep(0, nrow(newdata)); function(formula, data) structure(list(), class = "none")}`}},
		{weka, []string{"weka.classifiers.rules.ZeroR"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := c.config(b, c.args...)
			l, err := process.New(cfg)
			require.NoError(b, err)
			defer l.Close()
			table := normal(b, 1000, 21)
			var train []int
			var test []dataset.Row
			for i := range table.Len() {
				if i%10 == 0 {
					test = append(test, table.Example(i))
				} else {
					train = append(train, i)
				}
			}
			run := func() {
				m, err := l.Fit(b.Context(), table, train, 1)
				require.NoError(b, err)
				_, err = m.Predict(b.Context(), test)
				require.NoError(b, err)
				require.NoError(b, m.Close())
			}
			for range 50 { // starts the program, and compiles it where that is done late
				run()
			}
			for b.Loop() {
				run()
			}
		})
	}
}

// normal returns a table of normal numbers, the last of which is the target.
func normal(tb testing.TB, rows, columns int) *dataset.Table {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var cols []dataset.Column
	for j := range columns {
		c := dataset.Column{Attribute: dataset.Attribute{Name: fmt.Sprint("x", j)}}
		for range rows {
			c.Numbers = append(c.Numbers, random.NormFloat64())
		}
		cols = append(cols, c)
	}
	table, err := dataset.New("normal", cols, columns-1, nil)
	require.NoError(tb, err)
	return table
}
