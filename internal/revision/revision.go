// Package revision says which revision of a git repository the working directory is in.
package revision

import (
	"os/exec"
	"strings"
	"sync"
)

// Here returns the revision of the working directory, which ends with -dirty if tracked files
// differ from it, and when it was committed, as in RFC 3339; "" if there is none, or no git. The working
// directory of a test or a command does not change.
var Here = sync.OnceValues(func() (commit, committed string) {
	git := func(args ...string) string {
		out, err := exec.Command("git", args...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	return git("describe", "--always", "--dirty", "--abbrev=12", "--match=NONE"), git("log", "-1", "--format=%cI")
})
