// Package vectors reads the reference cases that statistics are tested against: see
// testdata/README.md of package stat.
package vectors

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// T is the part of *testing.T that this package needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// A Case is a reference case.
type Case struct {
	ID, Procedure string
	Input         json.RawMessage
	Expected      json.RawMessage
	Actual        json.RawMessage `json:"expected_with_actual_fold_sizes"`
	Tolerance     struct{ Rel, Abs float64 }
	Edge          bool
}

// Read reads the cases of testdata/name.json or name.json.gz. No case is a failure.
func Read(t T, name string) []Case {
	t.Helper()
	cases, err := read("testdata/" + name + ".json")
	if err == nil && len(cases) == 0 {
		err = errors.New("no cases in " + name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func read(path string) ([]Case, error) {
	f, err := os.Open(path)
	var r io.Reader = f
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = os.Open(path + ".gz"); err == nil {
			r, err = gzip.NewReader(f)
		}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cases []Case
	return cases, json.NewDecoder(r).Decode(&cases)
}

// Of returns the cases of a procedure that are not on the edge, of which there must be
// some.
func Of(t T, name, procedure string) []Case {
	t.Helper()
	var of []Case
	for _, c := range Read(t, name) {
		if c.Procedure == procedure && !c.Edge {
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		t.Fatal("no case of procedure " + procedure + " in " + name)
	}
	return of
}

// In decodes the input of the case.
func (c Case) In(t T, x any) {
	t.Helper()
	if err := json.Unmarshal(c.Input, x); err != nil {
		t.Fatal(err)
	}
}

// Want decodes the expected value.
func (c Case) Want(t T, x any) {
	t.Helper()
	if err := json.Unmarshal(c.Expected, x); err != nil {
		t.Fatal(err)
	}
}

// Near fails the test unless got is within the case's tolerance of want.
func (c Case) Near(t T, what string, got float64, want Number) {
	t.Helper()
	if !floatcmp.Equal(got, float64(want), c.Tolerance.Abs, c.Tolerance.Rel) {
		t.Errorf("%s: got %v, want %v (off by %g)", what, got, want, math.Abs(got/float64(want)-1))
	}
}

// A Number is a JSON number or one of the strings "NaN", "+Inf", "-Inf".
type Number float64

// UnmarshalJSON decodes it.
func (n *Number) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = Number(x)
	return err
}

// Floats returns the numbers as such.
func Floats(n []Number) []float64 {
	x := make([]float64, len(n))
	for i := range n {
		x[i] = float64(n[i])
	}
	return x
}
