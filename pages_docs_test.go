package learnbench_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// toolchain is what differs from machine to machine.
	toolchain = regexp.MustCompile(`go1\.\S+ \w+/\w+`)
	seconds   = regexp.MustCompile(`\S+ fit-sec/op \S+ predict-sec/op`)
	checksum  = regexp.MustCompile(`(?m)^Checksum: .*`) // it covers the commit
	anchor    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestPages runs the commands of pages of the documentation, with the commands of this
// module, and compares their outputs.
func TestPages(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	bin := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-w", "-o",
		bin, "./cmd/...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, page := range []struct {
		name   string
		blocks int
	}{
		{"format", 1},
		{"importitems", 4},
		{"imports", 8},
		{"itemresults", 1},
		{"over", 1},
		{"predictions", 5},
		{"slices", 1},
		{"verdict", 3},
	} {
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("docs", page.name+".md")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			dir := t.TempDir() + string(filepath.Separator)
			ran := 0
			got := block.ReplaceAllStringFunc(string(text), func(b string) string {
				m := block.FindStringSubmatch(b)
				if m[1] != "console" {
					return b
				}
				ran++
				// Each block has a file of its own.
				_ = os.Remove(dir + "results.txt")
				out := session(t, dir, m[2], "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
				out = seconds.ReplaceAllString(out, "0.0012 fit-sec/op 0.0004 predict-sec/op")
				out = checksum.ReplaceAllString(out,
					"Checksum: 5c1a09c890f62439c137bc7d8e21fee50c9801dd74e6b88a3f7f2eb24b8dc991")
				return "```console\n" + toolchain.ReplaceAllString(out, "go1.26 linux/amd64") + "```\n"
			})
			require.Equal(t, page.blocks, ran, "console blocks")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(normal(got)), 0o644))
				return
			}
			assert.Equal(t, normal(string(text)), normal(got))
		})
	}
}

// TestLinksOfPages checks that what the README and the pages link to is there, that each
// page is linked to, and that none is long.
func TestLinksOfPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join("docs", "*.md"))
	require.NoError(t, err)
	research, err := filepath.Glob(filepath.Join("docs", "research", "*.md"))
	require.NoError(t, err)
	pages = append(pages, research...)
	linked := make(map[string]bool)
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		if page != filepath.Join("docs", "research", "studies.md") {
			assert.LessOrEqual(t, strings.Count(string(text), "\n"), 200, "%s", page)
		}
		for _, m := range link.FindAllStringSubmatch(block.ReplaceAllString(string(text), ""), -1) {
			target, fragment, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			path := page
			if target != "" {
				path = filepath.Join(filepath.Dir(page), target)
				linked[path] = true
			}
			there, err := os.ReadFile(path)
			if info, serr := os.Stat(path); serr == nil && info.IsDir() {
				continue
			}
			if assert.NoError(t, err, "%s links to %s", page, m[1]) && fragment != "" {
				assert.Contains(t, headings(string(there)), fragment, "%s links to %s", page, m[1])
			}
		}
	}
	for _, page := range pages {
		assert.True(t, linked[page], "nothing links to %s", page)
	}
}

// headings returns the anchors of the headings of a page.
func headings(text string) map[string]bool {
	anchors := make(map[string]bool)
	for line := range strings.Lines(block.ReplaceAllString(text, "")) {
		if title := strings.TrimLeft(line, "#"); title != line {
			name := strings.ReplaceAll(anchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)),
				""), " ", "-")
			for n, unique := 1, name; ; n++ {
				if !anchors[unique] {
					anchors[unique] = true
					break
				}
				unique = fmt.Sprintf("%s-%d", name, n)
			}
		}
	}
	return anchors
}
