// Package revision says which revision of a git repository the working directory is in.
package revision

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/gotest"
)

// Here is At of the working directory, which for a test or a command does not change.
var Here = sync.OnceValues(func() (commit, committed string) { return At(".") })

// Git returns the output of a git command in a directory, and none if it fails.
func Git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(e.Stderr))
	}
	return out, err
}

// At returns the revision of a directory, and when it was committed, as in RFC 3339; "" if there is
// none, or no git. The revision ends with -dirty if tracked files differ from it, or if the Go
// module of the directory has Go files that are not tracked and not ignored: nobody can check those
// out.
func At(dir string) (commit, committed string) {
	git := func(dir string, args ...string) string {
		out, _ := Git(dir, args...) // nothing is known without git
		return strings.TrimSpace(string(out))
	}
	commit = git(dir, "describe", "--always", "--dirty", "--abbrev=12", "--match=NONE")
	if commit == "" {
		return "", ""
	}
	if root := gotest.ModuleRoot(dir); root != "" && !strings.HasSuffix(commit, dirty) &&
		git(root, "ls-files", "--others", "--exclude-standard", "--", "*.go",
			":(exclude,glob)**/testdata/**") != "" {
		commit += dirty
	}
	return commit, git(dir, "log", "-1", "--format=%cI")
}

const dirty = "-dirty"

// Lost tells a commit that is gone, or not in the history of HEAD, as after a squash or a rebase.
// It returns "" for one that is there, and where nobody can know: without git, in a shallow clone,
// and for a name that is no digest.
func Lost(dir, commit string) string {
	commit = strings.TrimSuffix(commit, dirty)
	saysNo := func(args ...string) bool {
		_, err := Git(dir, args...)
		e, ok := errors.AsType[*exec.ExitError](err)
		return ok && e.ExitCode() == 1
	}
	shallow, err := Git(dir, "rev-parse", "--is-shallow-repository")
	switch {
	case err != nil || strings.TrimSpace(string(shallow)) != "false" || !digest.MatchString(commit):
		return ""
	case saysNo("rev-parse", "--verify", "--quiet", commit+"^{commit}"):
		return "is gone"
	case saysNo("merge-base", "--is-ancestor", commit, "HEAD"):
		return "is not in the history of HEAD"
	}
	return ""
}

var digest = regexp.MustCompile(`^[0-9a-f]{7,64}$`)
