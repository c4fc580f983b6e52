// Package revision says which revision of a git repository the working directory is in.
package revision

import (
	"os/exec"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/gotest"
)

// Here is At of the working directory, which for a test or a command does not change.
var Here = sync.OnceValues(func() (commit, committed string) { return At(".") })

// At returns the revision of a directory, and when it was committed, as in RFC 3339; "" if there is none,
// or no git. The revision ends with -dirty if tracked files differ from it, or if the Go module of the
// directory has Go files that are not tracked and not ignored: nobody can check those out.
func At(dir string) (commit, committed string) {
	git := func(dir string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	commit = git(dir, "describe", "--always", "--dirty", "--abbrev=12", "--match=NONE")
	if commit == "" {
		return "", ""
	}
	if root := gotest.ModuleRoot(dir); root != "" && !strings.HasSuffix(commit, dirty) &&
		git(root, "ls-files", "--others", "--exclude-standard", "--", "*.go", ":(exclude,glob)**/testdata/**") != "" {
		commit += dirty
	}
	return commit, git(dir, "log", "-1", "--format=%cI")
}

const dirty = "-dirty"
