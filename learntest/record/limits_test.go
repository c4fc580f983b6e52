package record

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	full := textOf(t, sampleSet("a", 2, 3, "x", "y"), sampleSet("b", 2, 3, "x", "y"))
	size := int64(len(full))
	longest, at := 0, 0
	for i, line := range strings.Split(full, "\n") {
		if len(line) > longest {
			longest, at = len(line), i+1
		}
	}
	for _, c := range []struct {
		name   string
		limits Limits
		line   int
		msg    string
	}{
		{"none", Limits{}, 0, ""},
		{"just enough", Limits{size, longest, 24}, 0, ""},
		{
			"bytes",
			Limits{Bytes: size - 1},
			1,
			fmt.Sprintf("limit exceeded: more than %d bytes (Limits.Bytes)", size-1),
		},
		{
			"line",
			Limits{Line: longest - 1},
			at,
			fmt.Sprintf("limit exceeded: a line of %d bytes, %d are allowed", longest, longest-1),
		},
		{
			"cells",
			Limits{Cells: 23},
			lineOf(t, full, "BenchmarkCV/data=b/learner=x/run=2/fold=1"),
			"limit exceeded: no room for the cells of another run: 23 cells are allowed (Limits.Cells)",
		},
		{
			"cells of a block",
			Limits{Cells: 14},
			lineOf(t, full, "BenchmarkCV/data=b/learner=x/run=1/fold=1"), "14 cells are allowed",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := Reader{Limits: c.limits}.Read(strings.NewReader(full), "f.txt")
			// Byte by byte, what comes before the limit is still read.
			_, slowErr := Reader{Limits: c.limits}.Read(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(full))), "f.txt")
			if c.msg == "" {
				require.NoError(t, err)
				require.NoError(t, slowErr)
				require.Len(t, f.Blocks(), 2)
				return
			}
			require.ErrorIs(t, err, ErrLimit)
			require.ErrorIs(t, slowErr, ErrLimit)
			e := requireError[*SyntaxError](t, err)
			require.Equal(t, "f.txt", e.File)
			require.Contains(t, e.Msg, c.msg)
			require.Equal(t, c.line, e.Line)
		})
	}
}

// A cell counts once for each metric, and a block without trials as one that has
// a single fold.
func TestCellsOfSeveralMetrics(t *testing.T) {
	t.Parallel()
	s := sampleSet("a", 3, 3, "x", "y").clone()
	s.Units = append(s.Units, unit.Unit{Name: "error", Better: unit.Lower, Min: 0, Max: 1},
		unit.Unit{Name: "kappa", Better: unit.Higher, Min: -1, Max: 1})
	for i := range s.Trials {
		s.Trials[i].Values = append(s.Trials[i].Values, 0.5, 0.5)
	}
	full := textOf(t, s)
	_, err := Reader{Limits: Limits{Cells: 54}}.Read(strings.NewReader(full), "f.txt")
	require.NoError(t, err)
	_, err = Reader{Limits: Limits{Cells: 53}}.Read(strings.NewReader(full), "f.txt")
	require.ErrorIs(t, err, ErrLimit)
	s.Trials = nil
	empty := textOf(t, s)
	_, err = Reader{Limits: Limits{Cells: 60}}.Read(strings.NewReader(empty+full), "f.txt")
	require.NoError(t, err)
	_, err = Reader{Limits: Limits{Cells: 11}}.Read(strings.NewReader(empty+empty), "f.txt")
	require.EqualError(t, err, fmt.Sprintf("f.txt:%d: limit exceeded: no room for 2 learners in 3 metrics: 11 cells are allowed (Limits.Cells)", strings.Count(empty, "\n")+1))
	_, err = Reader{Limits: Limits{Cells: 12}}.Read(strings.NewReader(empty+empty), "f.txt")
	require.NoError(t, err)
}

func TestLimitsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, l := range []Limits{{Bytes: -1}, {Line: -1}, {Cells: -1}, {Line: maxLine + 1}} {
		_, err := Reader{Limits: l}.Read(strings.NewReader(""), "f.txt")
		require.ErrorIs(t, err, ErrInvalid)
		_, err = Reader{Limits: l}.Open(filepath.Join(t.TempDir(), ".."))
		require.Error(t, err)
	}
	_, err := Reader{Limits: Limits{Bytes: -1, Line: 7, Cells: 8}}.Read(strings.NewReader(""), "f.txt")
	require.EqualError(t, err, "invalid record: limits of -1 bytes, 7 bytes a line and 8 cells: none may be negative, and a line has at most 60000 bytes")
	l, err := Limits{Line: maxLine}.withDefaults()
	require.NoError(t, err)
	require.Equal(t, Limits{16 << 30, 60_000, 1 << 26}, l)
}

// Cells are counted over all files that are opened together, bytes for each.
func TestLimitsOfSeveralFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	size := 0
	for _, data := range []string{"a", "b", "c"} {
		full := textOf(t, sampleSet(data, 2, 3, "x"))
		path := filepath.Join(dir, data+".txt")
		require.NoError(t, os.WriteFile(path, []byte(full), 0o600))
		paths = append(paths, path)
		size = len(full)
	}
	_, err := Reader{Limits: Limits{Bytes: int64(size), Cells: 18}}.Open(paths...)
	require.NoError(t, err)
	_, err = Reader{Limits: Limits{Cells: 17}}.Open(paths...)
	require.Equal(t, paths[2], requireError[*SyntaxError](t, err).File)
	require.ErrorIs(t, err, ErrLimit)
	_, err = Reader{Limits: Limits{Line: -1}}.Open(paths...)
	require.ErrorIs(t, err, ErrInvalid)
}

// A line without end is not kept, however long it is.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	_, err := Read(io.MultiReader(strings.NewReader("learnbench-format: 2\n"), endless{}), "f.txt")
	require.EqualError(t, err, "f.txt:2: limit exceeded: a line of more than 60000 bytes")
	_, err = Reader{Limits: Limits{Bytes: 1 << 20}}.Read(new(endlessLines), "f.txt")
	require.ErrorContains(t, err, "limit exceeded: more than 1048576 bytes (Limits.Bytes)")
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// endlessLines counts the bytes that it has given.
type endlessLines int

func (e *endlessLines) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = "PASS\n"[(int(*e)+i)%5]
	}
	*e += endlessLines(len(b))
	return len(b), nil
}

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A small file cannot make its reader use much more memory than its limits allow.
// This test is not parallel: it counts allocations.
func TestSmallFilesThatPromiseMuch(t *testing.T) {
	head := func(protocol, learners string, units int) string {
		s := sampleSet("vehicle", 1, 1, "x")
		s.Header.Protocol = protocol
		s.Trials = nil
		full := withoutChecksum(textOf(t, s))
		full = strings.Replace(full, "Learners: x", "Learners: "+learners, 1)
		var b strings.Builder
		for i := range units {
			fmt.Fprintf(&b, "Unit u%d better=higher\n", i)
		}
		before, _, _ := strings.Cut(full, "Unit ")
		return before + b.String()
	}
	trial := func(run, units int) string {
		var b strings.Builder
		for i := range units {
			fmt.Fprintf(&b, " 1 u%d", i)
		}
		return fmt.Sprintf("BenchmarkCV/data=vehicle/learner=x/run=%d/fold=1 1%s 16777215 train-n 1 test-n\n", run, b.String())
	}
	var names strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&names, " n%d", i)
	}
	const cells = 1 << 20
	for name, text := range map[string]string{
		"folds":         head("cv runs=1 folds=16777216 seed=1 v1", "x y", 1) + trial(1, 1),
		"runs":          head("cv runs=16777216 folds=16777216 seed=1 v1", "x", 1) + trial(1, 1),
		"leave-one-out": head("loo seed=1 v1", "x", 1) + trial(1, 1),
		"last run": head("cv runs=1 folds=300000 seed=1 v1", "x", 1) +
			strings.ReplaceAll(trial(16777216, 1)+trial(3, 1)+trial(5, 1)+trial(8, 1), "16777215 train-n 1 ",
				"299999 train-n 1 "),
		"metrics": head("cv runs=1 folds=1048576 seed=1 v1", "x", 1000) +
			strings.Replace(trial(1, 1000), "16777215", "1048575", 1),
		"learners, metric": head("cv runs=1 folds=2 seed=1 v1", "x"+names.String(), 2000),
	} {
		t.Run(name, func(t *testing.T) {
			require.Less(t, len(text), 1<<17)
			var err error
			n := allocated(func() { _, err = Reader{Limits: Limits{Cells: cells}}.Read(strings.NewReader(text), "f.txt") })
			require.ErrorIs(t, err, ErrLimit)
			require.Less(t, n, uint64(64*cells))
		})
	}
	// Promised cells cost nothing as long as no trial comes.
	text := head("cv runs=16777216 folds=16777216 seed=1 v1", "x y", 2)
	require.Less(t, allocated(func() {
		_, err := Read(strings.NewReader(text), "f.txt")
		require.NoError(t, err)
	}), uint64(2<<20))
}
