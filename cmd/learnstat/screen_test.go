package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A screen has 24 lines of 80 columns.
const (
	screenLines = 24
	screenWidth = 80
)

// screenLearners are of three kinds: one changes on some data sets, one is only noisier, and one
// never changes.
var screenLearners = []string{"nn", "c45", "naivebayes"}

// changesOnScreen is how many of 100 test examples the nearest neighbours gain or lose.
var changesOnScreen = map[string]float64{"glass": -6, "vowel": 4}

// screenFiles writes results of the learners on data sets before and after the change, of n×10
// folds.
func screenFiles(t *testing.T, data []string, n int) (before, after string) {
	t.Helper()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "before.txt"), filepath.Join(dir, "after.txt")}
	for side, path := range paths {
		var text bytes.Buffer
		for i, d := range data {
			h := record.Header{
				Test: "TestModels", Data: d, Commit: []string{"3f2a9c1", "9ab8c7d"}[side],
				Protocol:   fmt.Sprintf("cv runs=%d folds=10 stratified seed=1 v1", n),
				DataDigest: fmt.Sprintf("%064x", i+1), SplitDigest: fmt.Sprintf("%064x", i+2),
			}
			b, err := record.NewBlock(h, screenLearners, []unit.Unit{{
				Name: "accuracy", Better: unit.Higher,
				Max: 1, Mean: true,
			}}, 1000)
			require.NoError(t, err)
			for cell := range n * 10 {
				for _, l := range screenLearners {
					r := noise(d, l, cell)
					correct := 70 + float64(r.IntN(7))
					if side == 1 {
						switch l {
						case "nn":
							correct += changesOnScreen[d] + float64(r.IntN(3)-1)
						case "c45":
							correct += float64(r.IntN(11) - 5)
						}
					}
					require.NoError(t, b.Add(record.Trial{
						Data: d, Learner: l, Run: cell/10 + 1, Fold: cell%10 + 1, TrainN: 900, TestN: 100,
						Values: []float64{correct / 100},
					}))
				}
			}
			require.NoError(t, record.Write(&text, b))
		}
		require.NoError(t, os.WriteFile(path, text.Bytes(), 0o666))
	}
	return paths[0], paths[1]
}

// noise is equal on both sides of a change.
func noise(data, learner string, cell int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(data + "/" + learner))
	return rand.New(rand.NewPCG(h.Sum64(), uint64(cell)))
}

// A reading is a question of somebody who looks at the first screen, and a pattern of the answer
// there.
type reading struct{ question, answer string }

// The first screen answers what people ask of results, with 9 rows and with 300.
func TestAnswersAreOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	nine := []string{"glass", "iris", "vowel"}
	var hundred []string
	for i := range 97 {
		hundred = append(hundred, fmt.Sprintf("set%02d", i))
	}
	hundred = append(hundred, nine...)
	loss := `-[56]\.\d\d  +-\d\.\d\d +-\d\.\d\d`
	margin := []string{"-require", "non-inferior", "-margin", "2pp"}
	files := make(map[[2]int][2]string)
	for _, c := range []struct {
		gate  []string
		data  []string
		runs  int
		asked []reading
	}{
		{margin, nine, 10, []reading{
			{"does the gate pass?", `^GATE FAILS on \d of 9 comparisons`},
			{"with what margin?", `^GATE FAILS.* with a margin of 2\.00 points of accuracy\n`},
			{"how many rows changed?", `\n9 comparisons: 1 regressed, 1 improved, 1 inconclusive, 6 equivalent\n`},
			{"which row got worse, and by how much?", `\n✗ glass/nn  +\d\d\.\d\d  \d\d\.\d\d +` + loss +
				` .* regressed\n`},
			{"how sure is that?", `\n✗ glass/nn .*  <\.001 +>\.999 `},
			{"what do I do next?", `\n✗ \S+/c45 .* needs [\d.]+× data`},
			{
				"which row got better, and by how much?",
				`\n▲ vowel/nn +\d\d\.\d\d  \d\d\.\d\d +\+[34]\.\d\d `,
			},
			{"which rows meet the requirement?", `\n✓ iris/nn .*(\n.*)*\n.*✓ non-inferior`},
			{"which learners did not change?", `\n  3 rows with identical scores: \*/naivebayes\n`},
			{
				"how did a learner change over all data sets?",
				`\n~ nn over 3 data sets: -0\.\d\d, better on 2, worse on 1, too few to test\n`,
			},
			{
				"which files were compared, and how?",
				`\nprotocol: cv runs=10 folds=10 .*\naccuracy in %: before\.txt 3f2a9c1 → after\.txt 9ab8c7d, n = 10×10, corrected-cv-t\n`,
			},
		}},
		{margin, hundred, 2, []reading{
			{"does the gate pass?", `^GATE FAILS on \d+ of 300 comparisons`},
			{"with what margin?", `^GATE FAILS.* with a margin of 2\.00 points of accuracy\n`},
			{"how many rows changed?", `\n300 comparisons: 1 regressed, 1 improved, \d+ inconclusive, \d+ equivalent\n`},
			{"which row got worse, and by how much?", `\n✗ glass/nn  +\d\d\.\d\d  \d\d\.\d\d +` + loss +
				` .* regressed\n`},
			{"how sure is that?", `\n✗ glass/nn .*  <\.001 +\.9\d\d `},
			{"what do I do next?", `\n✗ \S+/c45 .* needs [\d.]+× data`},
			{"which learners did not change?", `\n  100 rows with identical scores: \*/naivebayes\n`},
			{
				"how did a learner change over all data sets?",
				`\n~ nn over 100 data sets: .* better on \d+, worse on \d+, p \.\d+ \(signed-rank\)\n`,
			},
			{
				"which files were compared, and how?",
				`\nprotocol: cv runs=2 folds=10 .*\naccuracy in %: before\.txt 3f2a9c1 → after\.txt 9ab8c7d, n = 2×10, corrected-cv-t\n`,
			},
			{"what do the marks mean?", `\n✗ the gate fails on it .*✓ non-inferior`},
		}},
		{[]string{"-fail-on", "regressed"}, hundred, 2, []reading{
			{
				"does the gate pass, and is all decided?",
				`^GATE FAILS on 1 of 300 comparisons, 198 undecided\n`,
			},
			{"which row got worse, and by how much?", `\n✗ glass/nn  +\d\d\.\d\d  \d\d\.\d\d +` + loss +
				` .* regressed\n`},
			{
				"which row got better, and by how much?",
				`\n▲ vowel/nn +\d\d\.\d\d  \d\d\.\d\d +\+4\.\d\d .* improved\n`,
			},
			{"and the others?", `\nall changes \(-v has their intervals\):\n +nn +c45\nset00 +[+-]\d\.\d\d ~ +[+-]\d\.\d\d ~\n`},
		}},
	} {
		key := [2]int{len(c.data), c.runs}
		if files[key] == ([2]string{}) {
			before, after := screenFiles(t, c.data, c.runs)
			files[key] = [2]string{before, after}
		}
		before, after := files[key][0], files[key][1]
		status, text, stderr := runText(append(c.gate, before, after)...)
		require.Equal(t, cli.Failed, status, stderr)
		lines := strings.SplitAfter(text, "\n")
		screen := strings.Join(lines[:min(len(lines), screenLines)], "")
		for _, r := range c.asked {
			assert.Regexp(t, r.answer, screen, "%d rows: %s", 3*len(c.data), r.question)
		}
		for _, l := range lines[:min(len(lines), screenLines)] {
			assert.LessOrEqual(t, texttab.Width(strings.TrimSuffix(l, "\n")), screenWidth, l)
		}
		// No row is lost: each is in the table, or named as unchanged.
		for _, d := range c.data {
			if len(c.data) > 10 {
				assert.Regexp(t, `(?m)^`+d+`( +[+-]\d\.\d\d [✗✓▲▼~=]){2}$`, text)
				continue
			}
			for _, l := range screenLearners[:2] {
				assert.Regexp(t, `(?m)^[✗✓▲▼~=] `+regexp.QuoteMeta(d+"/"+l)+` `, text)
			}
		}
		// Each offence has a line of standard error.
		offences := len(regexp.MustCompile(`(?m)^✗ \S+/`).FindAllString(text, -1))
		undecided := strings.Count(stderr, " are inconclusive and pass -fail-on regressed")
		assert.Equal(t, offences+1+undecided, strings.Count(stderr, "\n"), stderr)
		assert.Contains(t, screen, fmt.Sprintf("GATE FAILS on %d of ", offences))
	}
}

// A table is never wider than asked for, whatever the names, and says which columns it leaves out.
func TestTablesFitAnyWidth(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"a", "vehicle", strings.Repeat("long", 6),
		strings.Repeat("long", 30),
	} {
		before, after := screenFiles(t, []string{data, "b"}, 2)
		whole := 0
		for width := leastWidth; width <= 160; width += 7 {
			_, text, _ := runText("-width", fmt.Sprint(width), before, after)
			rows := regexp.MustCompile(`(?m)^[▲▼~=] .*  [+-]\d.*$`).FindAllString(text, -1)
			require.Len(t, rows, 4, text)
			for _, l := range rows {
				assert.LessOrEqual(t, texttab.Width(l), width, text)
			}
			columns := len(regexp.MustCompile(`  +`).Split(regexp.MustCompile(`(?m)^.*  change.*$`).FindString(text), -1))
			left := regexp.MustCompile(`(?m)^no room for (.*): see `).FindStringSubmatch(text)
			if left == nil {
				whole = max(whole, columns)
				assert.Equal(t, whole, columns, text)
				continue
			}
			assert.Equal(t, 7-len(strings.Split(left[1], ", ")), columns, text)
		}
		assert.Equal(t, 7, whole, data)
		_, text, _ := runText(before, after)
		assert.Regexp(t, `(?m)^~ b/nn `, text, "a short name stays")
	}
	// A learner that has a number in one row has it in all.
	learner := "trees.J48 -C 0.25 -M 2"
	for _, width := range []string{"76", "80", "84", "88"} {
		_, text, _ := runText("-from", "weka", "-width", width, "-baseline", "bayes.NaiveBayes",
			filepath.Join(imported, "weka", "experiment.csv"))
		assert.Contains(t, text, ") "+learner+"\n")
		assert.NotContains(t, text, "iris/"+learner)
	}
}

// The few words on a row that fails name the same number of examples as the help of its verdict.
func TestRowsNeedWhatVerdictsSay(t *testing.T) {
	t.Parallel()
	before, after := screenFiles(t, []string{"glass", "iris", "vowel", "set00", "set01"}, 2)
	found := 0
	for _, flags := range [][]string{
		{"-require", "non-inferior", "-margin", "2pp"},
		{"-require", "non-inferior", "-margin", "1pp"},
		{"-require", "equivalent", "-margin", "2pp"},
		{"-require", "improved"},
		{"-fail-on", "inconclusive"},
		{"-fail-on", "inconclusive", "-tail", "worse"},
		{"-fail-on", "not-improved"},
	} {
		_, text, _ := runText(append(flags, before, after)...)
		_, full, _ := runText(append(append([]string{"-v"}, flags...), before, after)...)
		verdicts := strings.Split(full, "\n\n")
		for _, row := range regexp.MustCompile(`(?m)^✗ (\S+)/(\S+) .* needs (>?)([\d.e+]+)× data`).FindAllStringSubmatch(text, -1) {
			found++
			words := "about " + row[4] + " times as many examples"
			if row[3] != "" {
				words = "more than 100 times as many examples"
			}
			said := false
			for _, v := range verdicts {
				said = said || strings.HasPrefix(v, row[2]+" of after.txt is ") &&
					strings.Contains(v, " on "+row[1]+" in ") && strings.Contains(v, words)
			}
			assert.True(t, said, "%v %v: %s", flags, row[0], full)
		}
	}
	assert.Greater(t, found, 10)
}

// A matrix of many learners is divided where it would be too wide, and no cell is lost.
func TestMatrixOfManyLearners(t *testing.T) {
	t.Parallel()
	var old, changed []experiment
	var learners []string
	for i := range 12 {
		learners = append(learners, fmt.Sprintf("learner%0*d", 1+i, i))
	}
	for d := range 4 {
		e := experiment{test: "TestMatrix", data: fmt.Sprintf("d%d", d), learners: learners}
		old = append(old, e)
		e.shift = func(learner string, run, fold int) float64 {
			if learner == learners[3] {
				return 0
			}
			return float64(len(learner)+d)/1000 + 0.02*float64((run+fold)%2)
		}
		changed = append(changed, e)
	}
	dir := t.TempDir()
	before, after := filepath.Join(dir, "before.txt"), filepath.Join(dir, "after.txt")
	require.NoError(t, os.WriteFile(before, []byte(fileOf(t, "aaaa", old)), 0o666))
	require.NoError(t, os.WriteFile(after, []byte(fileOf(t, "bbbb", changed)), 0o666))
	_, text, stderr := runText("-metric", "accuracy", before, after)
	require.Empty(t, stderr)
	_, matrix, ok := strings.Cut(text, "all changes (-v has their intervals):\n")
	require.True(t, ok, text)
	lines := strings.Split(matrix, "\n")
	cells := 0
	for _, l := range lines {
		cells += len(regexp.MustCompile(`[+-]\d\.\d\d [▲~]`).FindAllString(l, -1))
		if !strings.HasPrefix(l, "(") && !strings.HasPrefix(l, "adj p") {
			assert.LessOrEqual(t, texttab.Width(l), screenWidth, l)
		}
	}
	assert.Equal(t, 4*11, cells, text)
	assert.Contains(t, text, "\n  4 rows with identical scores: */"+learners[3]+"\n")
	for i, l := range learners[4:] {
		assert.Contains(t, matrix, fmt.Sprintf("\n(%d) %s\n", i+2, l))
	}
	// The matrix has a column for each file.
	_, text, _ = runText("-metric", "accuracy", before, after, "again="+after)
	assert.Regexp(t, `\nall changes .*\n +after\.txt +again\nd0/learner0 +\+\d`, text)
	// Few comparisons have no matrix.
	_, text, _ = runText("-metric", "accuracy", "-data", "d0,d1", before, after)
	assert.NotContains(t, text, "all changes")
}
