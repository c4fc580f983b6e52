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

//go:embed Warm.java
var warmJava []byte

// warmSets are the data sets of the table of times.
var warmSets = []string{"iris", "vehicle", "soybean", "vowel", "arrhythmia", "letter"}

// sets are the data sets of Bouckaert & Frank, Table 1.
var sets = []string{
	"anneal", "arrhythmia", "audiology", "autos", "balance-scale", "breast-cancer", "credit-rating", "ecoli", "german-credit",
	"glass", "heart-statlog", "hepatitis", "horse-colic", "hungarian", "ionosphere", "iris", "labor", "lymphography",
	"pima-diabetes", "primary-tumor", "sonar", "soybean", "vehicle", "vote", "vowel", "wisconsin-breast-cancer", "zoo",
}

// A setup is what is needed to run both sides.
type setup struct {
	dir     string // of the results
	files   []string
	runs    int
	order   string
	program string // learnbench
	weka    string // class path
}

func (s *setup) ourResults(pair int) string {
	return filepath.Join(s.dir, fmt.Sprintf("ours%d.txt", pair+1))
}

func (s *setup) wekaResults(pair int) string {
	return filepath.Join(s.dir, fmt.Sprintf("weka%d.csv", pair+1))
}

// trainings returns how many models each side trains.
func (s *setup) trainings() int { return len(s.files) * s.runs * 10 * 3 }

// prepare builds both sides in dir. The error says what is missing.
func prepare(ctx context.Context, c *config, dir string) (*setup, error) {
	s := &setup{
		dir: dir, runs: c.runs, order: c.order,
		program: filepath.Join(dir, "learnbench"),
		weka:    c.weka + string(filepath.ListSeparator) + dir,
	}
	var err error
	names := sets
	if c.warm > 0 {
		names = warmSets
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
	jar := filepath.SplitList(c.weka)[0]
	if _, err := os.Stat(jar); err != nil {
		return nil, fmt.Errorf("no Weka: %w (install Debian's package weka, or say where it is with -weka)", err)
	}
	for name, source := range map[string][]byte{"Experiment.java": experimentJava, "Warm.java": warmJava} {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, source, 0o666); err != nil {
			return nil, err
		}
		if err := tool(ctx, "javac", "-nowarn", "-Xlint:none", "-cp", c.weka, "-d", dir, name); err != nil {
			return nil, err
		}
	}
	return s, tool(ctx, "go", "build", "-o", s.program, "github.com/learnbench/learnbench/cmd/learnbench")
}

// pair runs learnbench, then Weka. It keeps the memory of this process small,
// since the greatest of a child includes that of its parent at the start.
func (s *setup) pair(ctx context.Context, n int) (our, weka usage, err error) {
	args := []string{"run", "-quiet", "-protocol", fmt.Sprintf("weka runs=%d folds=10 seed=1 v1", s.runs), "-o", s.ourResults(n)}
	for _, f := range s.files {
		args = append(args, "-data", f)
	}
	args = append(args, "nb=naivebayes", "c45", fmt.Sprintf("nn=nn(order=%s)", s.order))
	if our, err = measure(exec.CommandContext(ctx, s.program, args...)); err != nil {
		return our, weka, err
	}
	args = []string{"-cp", s.weka, "Experiment", fmt.Sprint(s.runs), s.wekaResults(n)}
	weka, err = measure(exec.CommandContext(ctx, "java", append(args, s.files...)...))
	return our, weka, err
}

// dataFiles returns the files of the data sets in the directory from. If that is
// empty, it writes those that package uci has to dir, and returns them.
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
		return fmt.Errorf("%w (needed are Go and a JDK, as in Debian's package default-jdk-headless)", err)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
