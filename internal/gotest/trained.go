package gotest

import (
	"fmt"
	"regexp"
	"strconv"
)

// Trained is how many trials a test with a cache of trials has trained.
type Trained struct{ New, All, Again int }

// String returns the line that the test logs.
func (t Trained) String() string {
	return fmt.Sprintf("cache: %d of %d trained, %d trained again to check", t.New, t.All, t.Again)
}

var trained = regexp.MustCompile(`\bcache: (\d+) of (\d+) trained, (\d+) trained again to check\b`)

// Add adds the numbers of a line that a test has logged, if it has any.
func (t *Trained) Add(line string) {
	m := trained.FindStringSubmatch(line)
	if m == nil {
		return
	}
	for i, n := range []*int{&t.New, &t.All, &t.Again} {
		if k, err := strconv.Atoi(m[1+i]); err == nil {
			*n += k
		}
	}
}
