package learntest

import (
	"flag"
	"path/filepath"
	"regexp"

	"github.com/learnbench/learnbench/internal/storage"
)

// wantArtifacts reports whether go test keeps artifacts, which it then does not answer from its
// cache.
func wantArtifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// keepCopies has the session store its results among the artifacts of the test, too, if they
// are wanted.
func (s *session) keepCopies(t TB) (err error) {
	a, ok := t.(interface{ ArtifactDir() string })
	if !ok || !wantArtifacts() {
		return nil
	}
	s.artifacts = a.ArtifactDir()
	s.copies, err = storage.NewStore(filepath.Join(s.artifacts, artifact))
	return err
}

// artifact is the name of the results among the artifacts of a test.
const artifact = "learntest.txt"

// logDrawing logs the command that draws what is among the artifacts, for the first comparison of
// those that share them. The path is that of a stored baseline, if there is one.
func (c *Comparison) logDrawing(t TB, path string) {
	t.Helper()
	if c.group == nil || c.err != nil || c.group.session.copies == nil || path != "" && c.group.short > 0 {
		return // nothing was stored, or with -short less than what it would be compared with
	}
	dir := c.group.session.artifacts
	words := "learnstat -plot " + shellWord(filepath.Join(dir, "pictures")) + " -html " + shellWord(filepath.Join(dir, "report.html"))
	if path == "" {
		words += " -baseline " + shellWord(c.baseline)
	} else if absolute, err := filepath.Abs(path); err == nil {
		words += " " + shellWord(absolute)
	}
	t.Logf("pictures: %s %s", words, shellWord(filepath.Join(dir, artifact)))
}

var plainWord = regexp.MustCompile(`^[\w./@%+,:-]+$`)

// shellWord quotes a word where a shell would take it apart.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return shellQuote(s)
}
