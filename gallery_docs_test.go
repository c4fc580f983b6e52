package learnbench_test

import (
	"bufio"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/plot"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGallery draws the pictures of the gallery again, by the commands that stand above them, and compares them
// with those that are there.
func TestGallery(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("docs", "gallery.md"))
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 150)
	drawn := t.TempDir()
	binary := filepath.Join(drawn, "learnstat")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/learnstat").CombinedOutput()
	require.NoError(t, err, "%s", out)
	dir, linked := "", 0
	require.NoError(t, os.WriteFile(filepath.Join(drawn, "calibration.svg"), calibration(t).SVG(plot.Wide), 0o666))
	for line := range strings.Lines(string(text)) {
		if args, ok := strings.CutPrefix(line, "learnstat "); ok {
			dir = t.TempDir()
			cmd := exec.CommandContext(t.Context(), binary, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
			cmd.Dir = filepath.Join("docs", "gallery")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
		m := regexp.MustCompile(`^!\[[\w ]+\]\(gallery/(.*)\)$`).FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		linked++
		from := dir
		if m[1] == "calibration.svg" {
			from = drawn
		}
		got, err := os.ReadFile(filepath.Join(from, m[1]))
		require.NoError(t, err)
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
	assert.Equal(t, 7, linked)
}

var decimal = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

// samePicture compares pictures but for the last digit of their coordinates, which another processor may round
// otherwise.
func samePicture(t *testing.T, name, want, got string) {
	t.Helper()
	if !assert.Equal(t, decimal.ReplaceAllString(want, "0"), decimal.ReplaceAllString(got, "0"), "%s is not current: go test -run TestGallery . -update", name) {
		return
	}
	a, b := decimal.FindAllString(want, -1), decimal.FindAllString(got, -1)
	for i := range a {
		x, err := strconv.ParseFloat(a[i], 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(b[i], 64)
		require.NoError(t, err)
		require.LessOrEqual(t, math.Abs(x-y), 0.21, "%s is not current: go test -run TestGallery . -update", name)
	}
}

// calibration returns the picture of the tables about significant verdicts of docs/replicability.md.
func calibration(t *testing.T) *plot.Picture {
	t.Helper()
	f, err := os.Open(filepath.Join("docs", "replicability.md"))
	require.NoError(t, err)
	defer f.Close()
	c := &plot.Calibration{
		Title: "Does a rerun agree as often as predicted?",
		Lines: []string{"significant verdicts of the corrected test of 10×10 cross-validation at the 5% level; bins of the predicted probability"},
		X:     "predicted probability that a rerun agrees", Y: "how often it does",
		Groups: []plot.Bins{{Name: "real comparisons"}, {Name: "simulated data"}},
	}
	section := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = title
		}
		cells := strings.Split(line, "|")
		if section != "A rerun agrees, significant verdicts" || len(cells) < 7 {
			continue
		}
		group := 0
		switch kind := strings.TrimSpace(cells[1]); {
		case strings.HasPrefix(kind, "simulated, "):
			group = 1
		case !strings.HasPrefix(kind, "real, "):
			continue
		}
		var x [5]float64
		for i := range x {
			x[i], err = strconv.ParseFloat(strings.TrimSpace(cells[i+2]), 64)
			require.NoError(t, err, line)
		}
		c.Groups[group].Bins = append(c.Groups[group].Bins, plot.Bin{N: int(x[0]), Predicted: x[1], Observed: x[2], Error: x[4]})
	}
	for _, g := range c.Groups {
		require.Len(t, g.Bins, 7)
	}
	return c.Picture()
}
