package learntest

import (
	"os/exec"
	"strings"
	"sync"
)

// revision returns the version control revision of the working directory and
// when it was committed, as in RFC 3339; "" if there is none. The working directory of
// a test does not change.
var revision = sync.OnceValues(func() (commit, committed string) {
	git := func(args ...string) string {
		out, err := exec.Command("git", args...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	return git("describe", "--always", "--dirty", "--abbrev=12", "--match=NONE"), git("log", "-1", "--format=%cI")
})
