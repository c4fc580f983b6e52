package study

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page returns the text of a file of this module.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

func stored(t *testing.T, study string) string {
	t.Helper()
	text := page(t, "learntest/study/testdata/"+study+".md")
	require.Contains(t, text, "<!-- learnbench study "+study+", -seed 1,")
	return text
}

const (
	errorsTitle = "Type I errors of gates"
	powerTitle  = "Power of gates"
	shiftTitle  = "Type I errors by how far apart the classes are"
	worstTitle  = "The worst of each learner"
)

// figure returns what a cell begins with.
func figure(t *testing.T, cell string) float64 {
	t.Helper()
	first, _, _ := strings.Cut(cell, " ")
	x, err := strconv.ParseFloat(first, 64)
	require.NoError(t, err, cell)
	return x
}

// body returns the rows of a table without its head.
func body(t *testing.T, report, title string) [][]string {
	t.Helper()
	return slices.DeleteFunc(rows(t, report, title, ""), func(row []string) bool {
		return strings.HasPrefix(row[0], "---") || len(row) > 2 && strings.HasPrefix(row[2], "---")
	})[1:]
}

// The stored outputs have the nulls and the families of the studies, and the published tables
// have their figures.
func TestPublishedGateTables(t *testing.T) {
	t.Parallel()
	text, gates, search := page(t, "docs/research/studies.md"), stored(t, "gate"),
		stored(t, "gate-shift")
	all, err := nulls()
	require.NoError(t, err)
	for title, of := range map[string]struct {
		stored   string
		expected func(*expectedGates, gate) float64
	}{
		"What the default gate does":  {errorsTitle, (*expectedGates).of},
		"What the default gate finds": {powerTitle, (*expectedGates).power},
	} {
		kept, shown := body(t, gates, of.stored), body(t, text, title)
		require.Len(t, kept, len(all))
		require.Len(t, shown, len(all))
		for i := range all {
			u := &all[i]
			require.Equal(t, u.String(), kept[i][0])
			require.Equal(t, u.String(), shown[i][0])
			if title == "What the default gate does" {
				require.Equal(t, fmt.Sprint(gateSets), kept[i][1])
				sd := kept[i][2+int(numGates)]
				if u.expected.ratio != 0 {
					sd += " (" + lab.Figure(u.expected.ratio, 2) + ")"
				}
				require.Equal(t, sd, shown[i][1+int(numGates)])
			}
			for g := range numGates {
				want, _, _ := strings.Cut(kept[i][2+int(g)], " ")
				if e := of.expected(&u.expected, g); !math.IsNaN(e) {
					want += " (" + lab.Figure(e, 1) + ")"
				}
				require.Equal(t, want, shown[i][1+int(g)], "%s, %v, %v", title, u, g)
			}
		}
	}
	kept := make(map[string][]string)
	for _, row := range body(t, search, shiftTitle) {
		kept[row[0]] = row
	}
	require.Len(t, kept, len(families()))
	for _, f := range families() {
		require.Contains(t, kept, f.String())
	}
	again := body(t, search, worstTitle)
	shown := body(t, text, "How the errors depend on the data")
	split := len(shown) - len(again) - 1 // the head of the second table
	for _, row := range shown[:split] {
		require.Equal(t, kept[row[0]], row)
	}
	require.Equal(t, again, shown[split+1:])
	assert.True(t, strings.Contains(text, fmt.Sprintf("searches %d kinds of data", len(families()))))
	assert.True(t, strings.Contains(text, fmt.Sprintf("%d of the %d rows", split, len(families()))))
	require.True(t, strings.Contains(text, "`learnbench study gate`, 2,000 data sets"))
	require.Equal(t, 2000, lab.Config{}.SetsOr(3, gateSets))
	require.True(t, strings.Contains(text, "first 1,000 of these data sets"))
	require.Equal(t, 1000, gatePowerSets)
}

// The published table of a learner through the process protocol is the stored one, whose second
// opinion keeps its level.
func TestPublishedOwnGates(t *testing.T) {
	t.Parallel()
	text, kept := page(t, "docs/research/studies.md"), page(t, "learntest/study/testdata/gate-own.md")
	require.Contains(t, kept, "study -sets 2000 gate 'DecisionTreeRegressor=exec(")
	shown, typeI := body(t, text, "The gate for a learner of one's own"), body(t, kept, errorsTitle)
	require.Len(t, typeI, 3)
	require.Len(t, shown, len(typeI))
	for i, row := range typeI {
		require.Equal(t, "2000", row[1])
		assert.LessOrEqual(t, figure(t, row[2+int(bothShort)]), 5.5)
		want := row[:1:1]
		for _, cell := range row[2:] {
			value, _, _ := strings.Cut(cell, " ")
			want = append(want, value)
		}
		require.Equal(t, want, shown[i])
	}
	power := body(t, kept, powerTitle)
	for i, g := range []gate{defaultGate, bothShort} {
		require.Contains(t, text, fmt.Sprintf([]string{"power falls from %v and %v", "to %v and %v%%"}[i],
			figure(t, power[0][2+int(g)]), figure(t, power[1][2+int(g)])))
	}
}

// The stored output of gate-claims has the claims and the nulls of the study, and the published
// tables are its tables. No claim holds in more than 6% of cases with a second opinion.
func TestPublishedClaims(t *testing.T) {
	t.Parallel()
	text, kept := page(t, "docs/research/studies.md"), stored(t, "gate-claims")
	all, err := claimNulls()
	require.NoError(t, err)
	require.Len(t, all, 11)
	claims, fresh := body(t, kept, "Claims that are just not true"),
		body(t, kept, "What false alarms are about")
	shown := body(t, text, "Claims that are just not true")
	require.Len(t, claims, len(all))
	require.Len(t, fresh, len(all))
	require.Equal(t, slices.Concat(claims, shown[len(all):len(all)+1], fresh), shown)
	most := 0.0
	for i := range all {
		require.Equal(t, all[i].String(), claims[i][0])
		require.Equal(t, all[i].String(), fresh[i][0])
		require.Equal(t, fmt.Sprint(all[i].margin), claims[i][1])
		require.Len(t, claims[i][2:], len(falseClaims()))
		for _, cell := range claims[i][2:] {
			_, both, _ := strings.Cut(cell, " / ")
			most = max(most, figure(t, both))
		}
	}
	require.LessOrEqual(t, most, 6.0)
	require.True(t, strings.Contains(text, fmt.Sprintf("no claim holds in more than %.1f%%", most)))
}

// An extent is the least and the largest of some figures.
type extent struct{ least, most float64 }

func newExtent(xs []float64) extent { return extent{slices.Min(xs), slices.Max(xs)} }

func (e extent) String() string { return fmt.Sprintf("%.0f to %.0f", e.least, e.most) }

// The figures that texts quote about wrong verdicts agree with the stored outputs, and texts
// quote no others.
func TestFiguresOfErrorRatesAreMeasured(t *testing.T) {
	t.Parallel()
	gates, search := stored(t, "gate"), stored(t, "gate-shift")
	column := func(title string, g gate, which func(name string) bool) (xs []float64) {
		for _, row := range body(t, gates, title) {
			if which(row[0]) {
				xs = append(xs, figure(t, row[2+int(g)]))
			}
		}
		require.NotEmpty(t, xs)
		return xs
	}
	has := func(s string) func(string) bool {
		return func(name string) bool { return strings.Contains(name, s) }
	}
	every := func(string) bool { return true }
	weak := has("attributes, shift")
	neighbors := regexp.MustCompile(`^\d-NN`).MatchString
	smooth := func(name string) bool {
		return strings.HasPrefix(name, "naive Bayes") && !strings.Contains(name, "coins") ||
			strings.HasPrefix(name, "least squares")
	}
	stable := column(errorsTitle, defaultGate, smooth)
	for _, row := range body(t, search, shiftTitle) {
		if strings.HasPrefix(row[0], "naive Bayes, n = 300, 10 attributes") {
			for _, cell := range row[1:] {
				stable = append(stable, figure(t, cell))
			}
		}
	}
	alone, both, oneAttribute := column(errorsTitle, defaultGate, every),
		append(column(errorsTitle, bothShort, every), column(errorsTitle, bothLong, every)...), 0.0
	for _, row := range body(t, search, worstTitle) {
		alone, both = append(alone, figure(t, row[3])), append(both, figure(t, row[4]))
		if row[1] == "default" && row[0] == "naive Bayes" {
			require.Equal(t, "naive Bayes, 2 attributes, shift 0.3, balanced, n = 50", row[2])
			oneAttribute = figure(t, row[3])
		}
	}
	one := newExtent(column(errorsTitle, defaultGate, func(name string) bool {
		return neighbors(name) && !strings.Contains(name, "groups") &&
			!strings.Contains(name, ", naive") && name[0] == '1'
	}))
	var cost []float64
	for _, row := range body(t, gates, powerTitle) {
		if !strings.Contains(row[0], "twisted") {
			cost = append(cost, figure(t, row[2+int(defaultGate)])-figure(t, row[2+int(bothShort)]))
		}
	}
	worst := slices.Max(alone)
	var here, turned []float64
	for _, row := range body(t, stored(t, "gate-claims"), "What false alarms are about") {
		turned = append(turned, figure(t, row[5]))
		if neighbors(row[0]) || weak(row[0]) {
			here = append(here, figure(t, row[2]))
		}
	}
	quotes := map[string]string{
		"stable":     newExtent(stable).String() + "%",
		"neighbours": newExtent(column(errorsTitle, defaultGate, neighbors)).String() + "%",
		"worst":      fmt.Sprintf("%.0f%%", worst),
		"both":       fmt.Sprintf("%.0f%% at most|at most %[1]v%%", math.Ceil(slices.Max(both))),
		"from": extent{slices.Min(column(errorsTitle, defaultGate, neighbors)), worst}.String() +
			"%",
		"all":    extent{slices.Min(stable), worst}.String() + "%",
		"cost":   newExtent(cost).String() + " points",
		"here":   newExtent(here).String() + "% of false alarms",
		"turned": newExtent(turned).String() + "%",
		"trees": newExtent(column(errorsTitle, defaultGate,
			func(name string) bool { return weak(name) && strings.HasSuffix(name, "n = 300") })).String() +
			"%",
		"few": fmt.Sprintf("%.0f%%", oneAttribute),
		"wide": fmt.Sprintf("at most %.0f%%",
			slices.Max(column(errorsTitle, wideGate, func(name string) bool { return !weak(name) }))),
		"wide-trees": fmt.Sprintf("up to %.0f%%", slices.Max(column(errorsTitle, wideGate, weak))),
		"usual": extent{
			slices.Min(stable),
			slices.Max(column(errorsTitle, defaultGate,
				func(name string) bool { return !weak(name) })),
		}.String() + "%",
		"covers": fmt.Sprintf("%.0f%% of cases for naive Bayes, and in %.0f or %.0f%% for 1-NN",
			100-column(errorsTitle, defaultGate,
				func(name string) bool { return name == "naive Bayes, n = 300" })[0], 100-one.most,
			100-one.least),
	}
	about := regexp.MustCompile(`false alarm|borderline|stable|nearest neighbo|to split on|at worst|tried|points of power`)
	plain := regexp.MustCompile("(?s)```.*?```|95% intervals?|(at )?(the )?\\b5%( level)?")
	sentences := regexp.MustCompile(`\. |\||\s-\w`)
	space := regexp.MustCompile(`\s+(//\s+)?`)
	for name, keys := range map[string]string{
		"README.md":                   "stable neighbours worst both",
		"docs/choosing.md":            "stable neighbours few worst trees both wide-trees",
		"docs/verdict.md":             "stable neighbours few worst both cost wide wide-trees covers here turned",
		"docs/gates.md":               "neighbours worst",
		"cmd/learnstat/doc.go":        "stable neighbours worst",
		"cmd/learnbench/doc.go":       "from",
		"learntest/verdict/second.go": "stable neighbours worst both",
		"learntest/stat/halves.go":    "both all cost turned",
		"learntest/stat/corrected.go": "wide wide-trees usual",
	} {
		text := space.ReplaceAllString(plain.ReplaceAllString(page(t, name), ""), " ")
		others := text
		for key := range strings.FieldsSeq(keys) {
			found := false
			for quote := range strings.SplitSeq(quotes[key], "|") {
				found = found || strings.Contains(text, quote)
				others = strings.ReplaceAll(others, quote, "")
			}
			assert.True(t, found, "%s: %s: %s", name, key, quotes[key])
		}
		for _, sentence := range sentences.Split(others, -1) {
			if about.MatchString(sentence) {
				assert.NotRegexp(t, `\d(%| points of power)`, sentence, name)
			}
		}
	}
}
