package learnbench_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/plot"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGallery draws the pictures of the gallery again, by the commands that stand above them, and
// compares them with the pictures there.
func TestGallery(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	text, err := os.ReadFile(filepath.Join("docs", "gallery.md"))
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 150)
	binary := filepath.Join(t.TempDir(), "learnstat")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary,
		"./cmd/learnstat").CombinedOutput()
	require.NoError(t, err, "%s", out)
	dir, linked := "", 0
	studies := map[string]*plot.Picture{
		"calibration.svg": calibration(t),
		"consistency.svg": consistency(t), "power.svg": power(t),
	}
	for line := range strings.Lines(string(text)) {
		if args, ok := strings.CutPrefix(line, "learnstat "); ok {
			dir = t.TempDir()
			cmd := exec.CommandContext(t.Context(), binary,
				strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
			cmd.Dir = filepath.Join("docs", "gallery")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		m := regexp.MustCompile(`^!\[[\w ]+\]\(gallery/(.*)\)$`).FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		linked++
		var got []byte
		if p := studies[m[1]]; p != nil {
			got = p.File(plot.Wide)
		} else {
			got, err = os.ReadFile(filepath.Join(dir, m[1]))
			require.NoError(t, err)
		}
		path := filepath.Join("docs", "gallery", m[1])
		if *update {
			require.NoError(t, os.WriteFile(path, got, 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		samePicture(t, m[1], string(want), string(got))
	}
	pictures, err := filepath.Glob(filepath.Join("docs", "gallery", "*.svg"))
	require.NoError(t, err)
	assert.Len(t, pictures, linked, "the page shows all pictures that are there")
	assert.Equal(t, 9, linked)
}

var decimal = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

// samePicture compares pictures but for the last digit of their coordinates, which another
// processor may round otherwise.
func samePicture(t *testing.T, name, want, got string) {
	t.Helper()
	if !assert.Equal(t, decimal.ReplaceAllString(want, "0"), decimal.ReplaceAllString(got, "0"),
		"%s is not current: go test -run TestGallery . -update", name) {
		return
	}
	a, b := decimal.FindAllString(want, -1), decimal.FindAllString(got, -1)
	for i := range a {
		x, err := strconv.ParseFloat(a[i], 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(b[i], 64)
		require.NoError(t, err)
		require.LessOrEqual(t, math.Abs(x-y), 0.21,
			"%s is not current: go test -run TestGallery . -update", name)
	}
}

// rows calls a function with the cells of each row of the tables in a section of a page.
func rows(t *testing.T, page, section string, f func(cells []string)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", page))
	require.NoError(t, err)
	inside, found := false, false
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			inside = strings.TrimSpace(title) == section
			found = found || inside
		}
		line = strings.TrimSpace(line)
		if !inside || !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| --") ||
			strings.HasPrefix(line, "|--") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i, c := range cells {
			cells[i] = strings.TrimSpace(c)
		}
		f(cells)
	}
	require.True(t, found, "docs/%s has no section %q", page, section)
}

func figure(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return x
}

// calibration returns the picture of the table about significant verdicts of
// docs/research/replicability.md.
func calibration(t *testing.T) *plot.Picture {
	t.Helper()
	c := &plot.Calibration{
		Title: "Does a rerun agree as often as predicted?",
		Lines: []string{"significant verdicts of the corrected test of 10×10 cross-validation at the 5% level; bins of the predicted probability"},
		X:     "predicted probability that a rerun agrees", Y: "how often it does",
		Groups: []plot.Bins{{Name: "real comparisons"}, {Name: "simulated data"}},
	}
	rows(t, "research/replicability.md", "A rerun agrees, significant verdicts", func(cells []string) {
		for i, kind := range []string{"real, ", "simulated, "} {
			if strings.HasPrefix(cells[0], kind) {
				c.Groups[i].Bins = append(c.Groups[i].Bins, plot.Bin{
					N: int(figure(t, cells[1])), Predicted: figure(t, cells[2]), Observed: figure(t, cells[3]),
					Error: figure(t, cells[5]),
				})
			}
		}
	})
	for _, g := range c.Groups {
		require.Len(t, g.Bins, 7)
	}
	return c.Picture()
}

// consistency returns the picture of table 5 in docs/research/studies.md.
func consistency(t *testing.T) *plot.Picture {
	t.Helper()
	const sets = 1000
	p := &plot.Panels{
		Title: "How often a test agrees with itself on ten partitions",
		Lines: []string{fmt.Sprintf("consistency in percent; %d data sets of 300 examples from each source, C4.5 against naive Bayes, 5%% level", sets)},
	}
	rows(t, "research/studies.md", "Table 5 of Bouckaert & Frank 2004: consistency",
		func(cells []string) {
			if cells[0] == "test" {
				for _, source := range cells[1:5] {
					p.Panels = append(p.Panels, plot.Rates{Name: source})
				}
				return
			}
			p.Rows = append(p.Rows, cells[0])
			for i := range p.Panels {
				ours, printed, ok := strings.Cut(cells[1+i], " (")
				require.True(t, ok, cells[1+i])
				x := figure(t, ours)
				r := &p.Panels[i]
				r.Values, r.Beside = append(r.Values, x),
					append(r.Beside, figure(t, strings.TrimSuffix(printed, ")")))
				r.Errors = append(r.Errors, math.Sqrt(x*(100-x)/sets))
			}
		})
	require.Len(t, p.Rows, 5)
	require.Len(t, p.Panels, 4)
	return p.Picture()
}

// power returns the picture of a power curve in docs/research/studies.md.
func power(t *testing.T) *plot.Picture {
	t.Helper()
	c := &plot.Curves{
		Title: "More runs give power to resampling, little to cross-validation",
		Lines: []string{"C4.5 against naive Bayes, 400 data sets of 300 examples from source 3, 5% level, calibrated degrees of freedom"},
		X:     "runs", Y: "rejections, %", LevelName: "level", Level: 5,
	}
	var runs []float64
	rows(t, "research/studies.md", "Bouckaert 2003: power by the number of runs",
		func(cells []string) {
			if cells[0] == "test" {
				for _, n := range cells[1:] {
					runs = append(runs, figure(t, n))
				}
				return
			}
			s := plot.Series{Name: cells[0], X: runs}
			for _, cell := range cells[1:] {
				x, sd, ok := strings.Cut(cell, " ± ")
				require.True(t, ok, cell)
				s.Y, s.Error = append(s.Y, figure(t, x)), append(s.Error, figure(t, sd))
			}
			c.Series = append(c.Series, s)
		})
	require.Len(t, c.Series, 4)
	return c.Picture()
}
