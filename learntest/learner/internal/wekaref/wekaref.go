// Package wekaref reads the output of Weka 3.6.14 with which the reference
// learners must agree, and compares a learner with it. It serves tests only.
//
// A reference is a directory of a file system, one for each data set:
//
//	splits.csv.gz     run, fold, rows of the training set and of the test set in Weka's order
//	pred.csv.gz       run, fold, row, its class and the class that each learner predicts
//	dist_run1.csv.gz  learner, run, fold, row and the predicted class distribution
//	models.csv        learner, run, fold and facts about the model
//	j48_run1.txt      the C4.5 trees of run 1, as Weka prints them
//
// Runs and folds are counted from 1, rows and classes from 0. Each file may
// be compressed with gzip, the suffix .gz then being added.
//
// There are two file systems for the learners with their defaults: [Embedded],
// which is part of the source, and [Shared], a larger one that is used where
// it is present. That of [Parameters] is for some with other parameters.
package wekaref

import (
	"bufio"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// The names of the learners in the files. VP is absent for data sets that do
// not declare exactly two classes.
const (
	NB  = "nb"  // NaiveBayes
	J48 = "j48" // J48, that is C4.5
	IBk = "ibk" // IBk with k = 1
	TAN = "tan" // BayesNet -D -Q local.TAN -- -S BAYES, estimator alpha 0.5
	VP  = "vp"  // VotedPerceptron
)

// SharedVar is the environment variable that holds the directory of the
// shared reference, with the subdirectories data and weka/ref.
const SharedVar = "LEARNBENCH_SHARED"

//go:embed testdata
var testdata embed.FS

// Embedded returns the reference that is part of the source. Its data sets
// are those of package uci with the same names.
func Embedded() fs.FS { return sub("testdata/defaults") }

func sub(dir string) fs.FS {
	f, err := fs.Sub(testdata, dir)
	if err != nil {
		panic(err) // only for a malformed constant
	}
	return f
}

// Shared returns the shared reference, and false if the environment names none.
func Shared() (fs.FS, bool) {
	dir := os.Getenv(SharedVar)
	if dir == "" {
		return nil, false
	}
	return os.DirFS(filepath.Join(dir, "weka", "ref")), true
}

// SharedTable reads a data set of the shared directory.
func SharedTable(name string) (*dataset.Table, error) {
	dir := os.Getenv(SharedVar)
	if dir == "" {
		return nil, errors.New(SharedVar + " is not set")
	}
	return dataset.Open(filepath.Join(dir, "data", name+".arff"), dataset.ReadOptions{})
}

// A Set is Weka's output on one data set.
type Set struct {
	Name     string
	Learners []string // those with predictions, in the order of the file
	Folds    []Fold   // sorted by run, then by fold
	fsys     fs.FS
}

// A Fold is one training with its test instances. The slices of predictions
// and distributions are parallel to Test.
type Fold struct {
	Run, Fold     int
	Train, Test   []int                  // rows in Weka's order
	Actual        []int                  // class of each test row
	Predicted     map[string][]int       // by learner; -1 is unclassified
	Distributions map[string][][]float64 // by learner; empty beyond run 1
}

// Load reads the reference of one data set. The error names the file and line
// of what cannot be, such as a prediction of a row that is not the next test
// row of its fold.
func Load(fsys fs.FS, name string) (*Set, error) {
	s := &Set{Name: name, fsys: fsys}
	for _, step := range []struct {
		file string
		read func(line []string) error
	}{
		{"splits.csv", s.readSplit},
		{"pred.csv", s.readPrediction},
		{"dist_run1.csv", s.readDistribution},
	} {
		if err := s.lines(step.file, step.read); err != nil {
			return nil, err
		}
	}
	for i := range s.Folds {
		f := &s.Folds[i]
		if len(f.Actual) != len(f.Test) {
			return nil, fmt.Errorf("%s: run %d fold %d: %d predictions of %d test rows", name, f.Run, f.Fold, len(f.Actual), len(f.Test))
		}
		for learner, d := range f.Distributions {
			if len(d) != len(f.Test) {
				return nil, fmt.Errorf("%s: run %d fold %d: %d distributions of %d test rows (%s)", name, f.Run, f.Fold, len(d), len(f.Test), learner)
			}
		}
	}
	return s, nil
}

// Text returns a whole file of the data set, such as "j48_run1.txt".
func (s *Set) Text(file string) (string, error) {
	r, err := s.open(file)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

// open opens a file of the data set that may or may not be compressed.
func (s *Set) open(file string) (io.ReadCloser, error) {
	f, err := s.fsys.Open(path.Join(s.Name, file+".gz"))
	if err != nil {
		return s.fsys.Open(path.Join(s.Name, file))
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s/%s.gz: %w", s.Name, file, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

// lines calls read with the comma-separated fields of each line. The first
// line of a file is a header; it is handed over only for its column names.
func (s *Set) lines(file string, read func([]string) error) error {
	r, err := s.open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<24)
	for n := 1; scan.Scan(); n++ {
		fields := strings.Split(scan.Text(), ",")
		if n == 1 {
			if file == "pred.csv" && len(fields) > 4 {
				s.Learners = fields[4:]
			}
			continue
		}
		if err := read(fields); err != nil {
			return fmt.Errorf("%s/%s: line %d: %w", s.Name, file, n, err)
		}
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("%s/%s: %w", s.Name, file, err)
	}
	return nil
}

func (s *Set) readSplit(f []string) error {
	if len(f) != 4 {
		return fmt.Errorf("%d fields, want 4", len(f))
	}
	id, err := ints(f[:2])
	if err != nil {
		return err
	}
	train, err := ints(strings.Fields(f[2]))
	if err != nil {
		return err
	}
	test, err := ints(strings.Fields(f[3]))
	if err != nil {
		return err
	}
	if n := len(s.Folds); n > 0 {
		last := s.Folds[n-1]
		if id[0] < last.Run || id[0] == last.Run && id[1] <= last.Fold {
			return fmt.Errorf("run %d fold %d after run %d fold %d", id[0], id[1], last.Run, last.Fold)
		}
	}
	s.Folds = append(s.Folds, Fold{
		Run: id[0], Fold: id[1], Train: train, Test: test,
		Predicted: map[string][]int{}, Distributions: map[string][][]float64{},
	})
	return nil
}

func (s *Set) readPrediction(f []string) error {
	if len(f) != 4+len(s.Learners) {
		return fmt.Errorf("%d fields, want %d", len(f), 4+len(s.Learners))
	}
	x, err := ints(f)
	if err != nil {
		return err
	}
	fold, err := s.fold(x[0], x[1])
	if err != nil {
		return err
	}
	if k := len(fold.Actual); k >= len(fold.Test) || fold.Test[k] != x[2] {
		return fmt.Errorf("row %d is not test row %d of run %d fold %d", x[2], k, x[0], x[1])
	}
	fold.Actual = append(fold.Actual, x[3])
	for i, learner := range s.Learners {
		fold.Predicted[learner] = append(fold.Predicted[learner], x[4+i])
	}
	return nil
}

func (s *Set) readDistribution(f []string) error {
	if len(f) != 5 {
		return fmt.Errorf("%d fields, want 5", len(f))
	}
	x, err := ints(f[1:4])
	if err != nil {
		return err
	}
	fold, err := s.fold(x[0], x[1])
	if err != nil {
		return err
	}
	k := len(fold.Distributions[f[0]])
	if k >= len(fold.Test) || fold.Test[k] != x[2] {
		return fmt.Errorf("row %d is not test row %d of run %d fold %d", x[2], k, x[0], x[1])
	}
	var dist []float64
	for _, p := range strings.Fields(f[4]) {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return err
		}
		dist = append(dist, v)
	}
	fold.Distributions[f[0]] = append(fold.Distributions[f[0]], dist)
	return nil
}

func (s *Set) fold(run, fold int) (*Fold, error) {
	for i := range s.Folds {
		if s.Folds[i].Run == run && s.Folds[i].Fold == fold {
			return &s.Folds[i], nil
		}
	}
	return nil, fmt.Errorf("run %d fold %d has no split", run, fold)
}

func ints(fields []string) ([]int, error) {
	x := make([]int, len(fields))
	for i, f := range fields {
		v, err := strconv.Atoi(f)
		if err != nil {
			return nil, err
		}
		x[i] = v
	}
	return x, nil
}
