//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRowsOfManyResults computes each row of a large comparison a second time, from the lines of
// the files and by formulas of its own: the means, their difference, and the interval and p of the
// corrected t test.
func TestRowsOfManyResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build(t, "-C", "../../..", "build", "-o", dir+"/", "./cmd/learnstat")
	build(t, "build", "-o", dir+"/", "../resultgen")
	s := shape{data: 200, learners: 10, runs: 10, folds: 10}
	old, changed := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	require.NoError(t, generate(t.Context(), dir, old, s, 1))
	require.NoError(t, generate(t.Context(), dir, changed, s, 2))
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "learnstat"), "-format", "json",
		old, changed).Output()
	require.NoError(t, err)
	var printed struct {
		Tables []struct {
			Rows []struct {
				Label string
				Cells []struct {
					Mean    float64
					Verdict struct{ Difference, Lo, Hi, P, Statistic, DF float64 }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(out, &printed))
	before, after := scores(t, old), scores(t, changed)
	require.Len(t, before, 2000)
	require.Len(t, printed.Tables, 1)
	require.Len(t, printed.Tables[0].Rows, 2000)
	seen := make(map[string]bool)
	for _, row := range printed.Tables[0].Rows {
		require.False(t, seen[row.Label])
		seen[row.Label] = true
		a, b := before[row.Label], after[row.Label]
		require.Len(t, a, 100, row.Label)
		require.Len(t, b, 100, row.Label)
		var meanA, meanB, squares float64
		for i := range a {
			meanA, meanB = meanA+a[i]/100, meanB+b[i]/100
		}
		for i := range a {
			squares += math.Pow(b[i]-a[i]-(meanB-meanA), 2)
		}
		// Each fold tests 100 of 1,000 examples. The correction is 1/n + test/train.
		deviation := math.Sqrt((1./100 + 100./900) * squares / 99)
		v := row.Cells[1].Verdict
		const tolerance = 1e-11
		require.InDelta(t, meanA, row.Cells[0].Mean, tolerance, row.Label)
		require.InDelta(t, meanB, row.Cells[1].Mean, tolerance, row.Label)
		require.InDelta(t, meanB-meanA, v.Difference, tolerance, row.Label)
		require.InDelta(t, (meanB-meanA)/deviation, v.Statistic, 1e-9, row.Label)
		require.Equal(t, 99., v.DF)
		require.InDelta(t, 1-within(math.Abs(meanB-meanA)/deviation), v.P, tolerance, row.Label)
		require.InDelta(t, meanB-meanA-quantile(0.95)*deviation, v.Lo, tolerance, row.Label)
		require.InDelta(t, meanB-meanA+quantile(0.95)*deviation, v.Hi, tolerance, row.Label)
	}
}

func build(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

var line = regexp.MustCompile(`(?m)^BenchmarkCV/data=(\w+)/learner=(\w+)/run=\d+/fold=\d+ 1 (\S+) accuracy `)

// scores returns the accuracies in a file by data set and learner, in the order of the file.
func scores(t *testing.T, path string) map[string][]float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	all := make(map[string][]float64)
	for _, m := range line.FindAllSubmatch(text, -1) {
		value, err := strconv.ParseFloat(string(m[3]), 64)
		require.NoError(t, err)
		name := string(bytes.Join([][]byte{m[1], m[2]}, []byte("/")))
		all[name] = append(all[name], value)
	}
	return all
}

// within returns the probability of Student's t between -t and t with 99 degrees of freedom:
// Abramowitz and Stegun 1964, 26.7.3.
func within(t float64) float64 {
	angle := math.Atan(t / math.Sqrt(99))
	term := math.Cos(angle)
	sum := term
	for k := 3; k <= 97; k += 2 {
		term *= math.Pow(math.Cos(angle), 2) * float64(k-1) / float64(k)
		sum += term
	}
	return 2 / math.Pi * (angle + math.Sin(angle)*sum)
}

// quantile returns the t within which there is a probability.
func quantile(p float64) float64 {
	lo, hi := 0., 100.
	for range 200 {
		if mid := (lo + hi) / 2; within(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
