package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// scoreFile writes the scores of a learner, run by run, and returns the path.
func scoreFile(t require.TestingT, path string, u unit.Unit, scores []float64) string {
	h := record.Header{
		Data: "mail", Commit: strings.TrimSuffix(filepath.Base(path), ".txt"),
		Protocol:   "cv runs=2 folds=3 stratified seed=1 v1",
		DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64),
	}
	b, err := record.NewBlock(h, []string{"forest"}, []unit.Unit{u}, 30)
	require.NoError(t, err)
	for i, x := range scores {
		require.NoError(t, b.Add(record.Trial{
			Data: h.Data, Learner: "forest", Run: i/3 + 1,
			Fold: i%3 + 1, TrainN: 20, TestN: 10, Values: []float64{x},
		}))
	}
	var text strings.Builder
	require.NoError(t, record.Write(&text, b))
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	return path
}

// historyOf returns the JSON form of a history.
func historyOf(t require.TestingT, args ...string) (report.Report, string) {
	status, stdout, stderr := runText(append([]string{"-history", "-format", "json"}, args...)...)
	require.Equal(t, cli.Clean, status, stderr)
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	_, text, _ := runText(append([]string{"-history", "-width", "400"}, args...)...)
	return r, text
}

// The differences from segment to segment add up to that from the first, exactly, and as printed,
// too. Verdicts have the same differences and tests.
func TestHistoriesTelescope(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		u := rapid.SampledFrom([]unit.Unit{
			{Name: "accuracy", Better: unit.Higher, Max: 1},
			{Name: "rmse", Better: unit.Lower, Max: math.Inf(1)},
			{Name: "gain", Better: unit.Higher, Min: math.Inf(-1), Max: math.Inf(1)},
		}).Draw(r, "unit")
		scale := 1.0
		if u.Name != "accuracy" {
			scale = rapid.SampledFrom([]float64{1, 1e-9, 3, 1234.5, 7e17, 1e-200}).Draw(r, "scale")
		}
		pinned := rapid.Bool().Draw(r, "pinned")
		files := rapid.IntRange(2, 6).Draw(r, "files")
		var paths []string
		var last []float64
		for i := range files {
			scores := make([]float64, 6)
			for j := range scores {
				if scores[j] = scale * rapid.Float64Range(0, 1).Draw(r, "score"); u.Name == "gain" && j%2 == 0 {
					scores[j] = -scores[j]
				}
			}
			if i > 0 && rapid.Bool().Draw(r, "same") {
				scores = last
			}
			last = scores
			paths = append(paths, scoreFile(r, filepath.Join(dir, fmt.Sprintf("c%d.txt", i)), u, scores))
		}
		args := paths
		if pinned {
			args = append([]string{"-reference"}, paths...)
		}
		doc, text := historyOf(r, args...)
		track := doc.History.Tables[0].Tracks[0]
		require.Equal(r, pinned, doc.History.Pinned)
		sum := 0.0
		if first := track.Segments[0].Reference; pinned {
			sum = float64(first.Difference)
		} else {
			require.Nil(r, first)
		}
		next := 0
		if pinned {
			next = 1
		}
		for i, s := range track.Segments {
			require.Equal(r, next, s.From)
			next = s.To + 1
			require.Equal(r, fmt.Sprintf("c%d", s.From), s.FromCommit)
			require.Equal(r, fmt.Sprintf("c%d", s.To), s.ToCommit)
			if i == 0 {
				continue
			}
			sum += float64(s.Previous.Difference)
			require.Equal(r, float64(s.Reference.Difference), sum, "they add up exactly")
			for before, w := range map[int]*verdict.Facts{
				track.Segments[i-1].To: s.Previous,
				0:                      s.Reference,
			} {
				a, err := record.Open(paths[s.From])
				require.NoError(r, err)
				b, err := record.Open(paths[before])
				require.NoError(r, err)
				v := verdict.Of(a.Of("mail", "forest"),
					b.Of("mail", "forest"), verdict.Claim{Metric: u.Name})
				require.InDelta(r, v.Estimate/scale, float64(w.Difference)/scale, 1e-14)
				require.Equal(r, v.Difference.P, float64(w.P))
				require.Equal(r, v.Difference.Lo, float64(w.Lo))
				require.Equal(r, v.Outcome.String(), w.Outcome)
			}
		}
		require.Equal(r, files, next)
		printedTelescopes(r, text, pinned)
	})
}

var printed = regexp.MustCompile(`(?m)^mail/forest .*$`)

// number matches a difference with its unit.
var number = regexp.MustCompile(` ([-+][0-9.]+)( points)? +[-+][0-9.e+-]+ to `)

// printedTelescopes adds up the differences that a text shows.
func printedTelescopes(t require.TestingT, text string, pinned bool) {
	decimal := func(s string) int64 {
		x, err := strconv.ParseInt(strings.NewReplacer(".", "", "+", "").Replace(s), 10, 64)
		require.NoError(t, err)
		return x
	}
	var sum int64
	for i, line := range printed.FindAllString(text, -1) {
		all := number.FindAllStringSubmatch(line, -1)
		if i == 0 {
			if pinned {
				require.Len(t, all, 1, line)
				sum = decimal(all[0][1])
			}
			continue
		}
		require.Len(t, all, 2, line)
		if len(all[0][1]) > 18 {
			return
		}
		sum += decimal(all[0][1])
		require.Equal(t, decimal(all[1][1]), sum, text)
	}
}

// A column of p is adjusted for all differences in it, whatever the rows.
func TestHistoriesAreAdjusted(t *testing.T) {
	t.Parallel()
	doc, _ := historyOf(t, "-metric", "logloss", "a="+testdata("before.txt"),
		"b="+testdata("after.txt"), "c="+testdata("before.txt"))
	least := 1.0
	n := 0
	for _, track := range doc.History.Tables[0].Tracks {
		for _, s := range track.Segments[1:] {
			least = min(least, float64(s.Previous.P))
			n++
		}
	}
	require.Equal(t, 4, n)
	require.InDelta(t, 4*least, float64(doc.History.Tables[0].Tracks[0].Segments[1].Previous.AdjustedP), 1e-12)
}
