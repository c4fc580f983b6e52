package learntest

import (
	"flag"
	"path/filepath"
	"regexp"
)

// wantArtifacts reports whether go test keeps artifacts, which it then does not answer from its
// cache.
func wantArtifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// artifactsOf returns the directory of the artifacts of a test; empty if they are not wanted.
func artifactsOf(t TB) string {
	a, ok := t.(interface{ ArtifactDir() string })
	if !ok || !wantArtifacts() {
		return ""
	}
	return a.ArtifactDir()
}

// logDrawing logs the command that draws what is among the artifacts, for the first comparison of
// those that share them. The path is that of a stored baseline, if there is one.
func (c *Comparison) logDrawing(t TB, path string) {
	t.Helper()
	if c.group == nil || c.err != nil || c.group.there.Artifacts == "" || path != "" && c.group.short > 0 {
		return // nothing was stored, or with -short less than what it would be compared with
	}
	dir := c.group.there.Artifacts
	words := "learnstat -plot " + shellWord(filepath.Join(dir, "pictures")) + " -html " + shellWord(filepath.Join(dir, "report.html"))
	if path == "" {
		words += " -baseline " + shellWord(c.baseline)
	} else if absolute, err := filepath.Abs(path); err == nil {
		words += " " + shellWord(absolute)
	}
	t.Logf("pictures: %s %s", words, shellWord(c.group.there.Artifact()))
}

var plainWord = regexp.MustCompile(`^[\w./@%+,:-]+$`)

// shellWord quotes a word where a shell would take it apart.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return shellQuote(s)
}
