//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	_ "embed"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

//go:embed Experiment.java
var experimentJava []byte

//go:embed Loop.java
var loopJava []byte

//go:embed Warm.java
var warmJava []byte

//go:embed loop.py
var loopPython []byte

// warmSets are the data sets of the table of times.
var warmSets = []string{"iris", "vehicle", "soybean", "vowel", "arrhythmia", "letter"}

// sets are the data sets of Bouckaert & Frank, Table 1.
var sets = []string{
	"anneal", "arrhythmia", "audiology", "autos", "balance-scale", "breast-cancer", "credit-rating",
	"ecoli", "german-credit",
	"glass", "heart-statlog", "hepatitis", "horse-colic", "hungarian", "ionosphere", "iris", "labor",
	"lymphography",
	"pima-diabetes", "primary-tumor", "sonar", "soybean", "vehicle", "vote", "vowel",
	"wisconsin-breast-cancer", "zoo",
}

// numericSets are the data sets that have numeric attributes only and lack no value, as
// scikit-learn wants them.
var numericSets = []string{
	"balance-scale", "ecoli", "glass", "heart-statlog", "ionosphere", "iris",
	"pima-diabetes", "sonar", "vehicle",
}

// A setup has the programs and files needed to run all sides.
type setup struct {
	dir     string // of the results
	files   []string
	runs    int
	order   string
	program string // learnbench
	weka    string // class path
	rivals  []rival
	version []string // command that prints the version of what rivals run on
}

// A rival is a program that does what learnbench does. Its further arguments are
// the number of runs, the file of the results and the files of the data sets.
type rival struct {
	name    string // at the head of its columns
	title   string
	command []string
	same    bool // accuracies must be ours
}

func (s *setup) ourResults(pair int) string {
	return filepath.Join(s.dir, fmt.Sprintf("ours%d.txt", pair+1))
}

func (s *setup) results(rival, pair int) string {
	return filepath.Join(s.dir, fmt.Sprintf("rival%d-%d.csv", rival+1, pair+1))
}

// trainings returns how many models each side trains.
func (s *setup) trainings() int { return len(s.files) * s.runs * 10 * 3 }

// prepare builds all sides in dir. The error names the missing program.
func prepare(ctx context.Context, c *config, dir string) (*setup, error) {
	s := &setup{
		dir: dir, runs: c.runs, order: c.order,
		program: filepath.Join(dir, "learnbench"),
		weka:    c.weka + string(filepath.ListSeparator) + dir,
	}
	var err error
	names := sets
	switch {
	case c.warm > 0:
		names = warmSets
	case c.sklearn:
		names = numericSets
	}
	if s.files, err = dataFiles(names, c.data, dir); err != nil {
		return nil, err
	}
	if c.warm > 0 {
		file, err := writeNoise(dir)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
	}
	if c.sklearn {
		err = s.prepareSklearn(ctx, c.python)
	} else {
		err = s.prepareWeka(ctx, c.weka)
	}
	if err != nil {
		return nil, err
	}
	return s, s.build(ctx)
}

// prepareWeka compiles the programs that use Weka.
func (s *setup) prepareWeka(ctx context.Context, weka string) error {
	jar := filepath.SplitList(weka)[0]
	if _, err := os.Stat(jar); err != nil {
		return fmt.Errorf("no Weka: %w (install Debian's package weka, or say where it is with -weka)",
			err)
	}
	for name, source := range map[string][]byte{
		"Experiment.java": experimentJava,
		"Loop.java":       loopJava, "Warm.java": warmJava,
	} {
		name = filepath.Join(s.dir, name)
		if err := os.WriteFile(name, source, 0o666); err != nil {
			return err
		}
		if err := tool(ctx, "javac", "-nowarn", "-Xlint:none", "-cp", weka, "-d", s.dir,
			name); err != nil {
			return err
		}
	}
	s.version = []string{"java", "-version"}
	s.rivals = []rival{
		{"Weka", "Weka's Experimenter", []string{"java", "-cp", s.weka, "Experiment"}, true},
		{"Weka", "Weka, a plain loop", []string{"java", "-cp", s.weka, "Loop"}, true},
		{
			"Weka", "Weka, a plain loop, heap of 64 MiB",
			[]string{"java", "-Xmx64m", "-cp", s.weka, "Loop"},
			true,
		},
	}
	return nil
}

// prepareSklearn looks whether scikit-learn is there.
func (s *setup) prepareSklearn(ctx context.Context, python string) error {
	out, err := exec.CommandContext(ctx, python, "-c",
		"import scipy, sklearn; print(sklearn.__version__)").CombinedOutput()
	if err != nil {
		return fmt.Errorf("no scikit-learn: %s: %w (install Debian's package python3-sklearn, or say which Python has it with -python)\n%s", python, err, out)
	}
	s.version = []string{python, "--version"}
	script := filepath.Join(s.dir, "loop.py")
	s.rivals = []rival{{
		"scikit-learn", "scikit-learn " + strings.TrimSpace(string(out)),
		[]string{python, script},
		false,
	}}
	return os.WriteFile(script, loopPython, 0o666)
}

// build builds learnbench, which is in another module.
func (s *setup) build(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/learnbench/learnbench").Output()
	if err != nil {
		return fmt.Errorf("go list: %w (run this program in the directory of its module)", err)
	}
	return tool(ctx, "go", "-C", strings.TrimSpace(string(out)), "build", "-o", s.program,
		"./cmd/learnbench")
}

// round runs learnbench, then each rival. It keeps the memory of this process
// small, since the peak of a child includes the memory of its parent at the start.
func (s *setup) round(ctx context.Context, n int) (our usage, theirs []usage, err error) {
	args := []string{"run", "-quiet", "-protocol", fmt.Sprintf("weka runs=%d folds=10 seed=1 v1",
		s.runs), "-o", s.ourResults(n)}
	for _, f := range s.files {
		args = append(args, "-data", f)
	}
	args = append(args, "nb=naivebayes", "c45", fmt.Sprintf("nn=nn(order=%s)", s.order))
	if our, err = measure(exec.CommandContext(ctx, s.program, args...)); err != nil {
		return our, nil, err
	}
	for i, r := range s.rivals {
		args := slices.Concat(r.command[1:], []string{fmt.Sprint(s.runs), s.results(i, n)}, s.files)
		cmd := exec.CommandContext(ctx, r.command[0], args...)
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1") // threads that only wait are no work
		u, err := measure(cmd)
		if err != nil {
			return our, nil, err
		}
		theirs = append(theirs, u)
	}
	return our, theirs, nil
}

// dataFiles returns the files of the data sets in the directory from. If that is
// empty, it writes the data sets of package uci to dir, and returns them.
func dataFiles(names []string, from, dir string) ([]string, error) {
	var files []string
	var errs []error
	for _, name := range names {
		if from == "" {
			if slices.Contains(uci.Names(), name) {
				file, err := export(name, dir)
				errs = append(errs, err)
				files = append(files, file)
			}
			continue
		}
		file, err := filepath.Abs(filepath.Join(from, name+".arff"))
		if err == nil {
			_, err = os.Stat(file)
		}
		errs = append(errs, err)
		files = append(files, file)
	}
	return files, errors.Join(errs...)
}

// export writes a data set of package uci to a file in dir.
func export(name, dir string) (string, error) {
	t, err := uci.Load(name)
	if err != nil {
		return "", err
	}
	return write(t, filepath.Join(dir, name+".arff"))
}

// write writes a data set to a file, whose name it returns.
func write(t *dataset.Table, file string) (string, error) {
	f, err := os.Create(file)
	if err != nil {
		return "", err
	}
	return file, errors.Join(dataset.WriteARFF(f, t), f.Close())
}

// tool runs a program whose output matters only if it fails.
func tool(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w (needed are Go and a JDK, as in Debian's package default-jdk-headless)",
			err)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
