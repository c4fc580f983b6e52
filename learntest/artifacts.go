package learntest

import (
	"flag"
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
