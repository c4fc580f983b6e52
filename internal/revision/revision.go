// Package revision says which revision of a git repository the working directory is in.
package revision

import (
	"errors"
	"os/exec"
	"regexp"
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

// Lost tells a commit that is gone, or not in the history of HEAD, as after a squash or a rebase. It returns "" for
// one that is there, and where nobody can know: without git, in a shallow clone, and for a name that is no digest.
func Lost(dir, commit string) string {
	commit = strings.TrimSuffix(commit, dirty)
	git := func(args ...string) (string, int) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if e, ok := errors.AsType[*exec.ExitError](err); ok {
			return "", e.ExitCode()
		}
		if err != nil {
			return "", -1
		}
		return strings.TrimSpace(string(out)), 0
	}
	if shallow, _ := git("rev-parse", "--is-shallow-repository"); shallow != "false" || !digest.MatchString(commit) {
		return ""
	}
	if _, status := git("rev-parse", "--verify", "--quiet", commit+"^{commit}"); status == 1 {
		return "is gone"
	}
	if _, status := git("merge-base", "--is-ancestor", commit, "HEAD"); status == 1 {
		return "is not in the history of HEAD"
	}
	return ""
}

var digest = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
