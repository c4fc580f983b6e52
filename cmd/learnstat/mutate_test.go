package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	mutations = flag.Int("mutations", 150,
		"number of changes that TestMutatedFilesNeverPass makes to result files")
	mutationSeed = flag.Uint64("mutation-seed", 1, "seed of these changes")
)

// TestMutatedFilesNeverPass makes one change to one of the files of a gate that fails.
// None lets the gate pass, and none of what a checksum covers goes unnoticed.
func TestMutatedFilesNeverPass(t *testing.T) {
	t.Parallel()
	cases := gateCases(t)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMutated(t, &c, i)
			for n := range *mutations / len(cases) {
				m.check(t, n)
			}
		})
	}
}

// The cases fail for their stated reason, and pass without it: else nothing that is done
// to them would show anything.
func TestGatesOfMutatedFilesFailForOneReason(t *testing.T) {
	t.Parallel()
	for _, c := range gateCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMutated(t, &c, 0)
			var stderr strings.Builder
			assert.Equal(t, c.status, run(m.args, nil, io.Discard, &stderr), stderr.String())
			assert.Regexp(t, c.stderr, stderr.String())
			require.NoError(t, os.WriteFile(m.paths[0], []byte(c.sound[0]), 0o666))
			require.NoError(t, os.WriteFile(m.paths[1], []byte(c.sound[1]), 0o666))
			stderr.Reset()
			assert.Equal(t, cli.Clean, run(m.args, nil, io.Discard, &stderr), stderr.String())
		})
	}
}

// A mutated is the files of a case, one of which is changed.
type mutated struct {
	*gateCase
	number int // of the case
	paths  [2]string
	args   []string
	same   [2]meaning
}

func newMutated(t *testing.T, c *gateCase, number int) *mutated {
	t.Helper()
	dir := t.TempDir()
	m := &mutated{gateCase: c, number: number, paths: [2]string{
		filepath.Join(dir, "old.txt"),
		filepath.Join(dir, "new.txt"),
	}}
	for i, text := range c.texts {
		require.NoError(t, os.WriteFile(m.paths[i], []byte(text), 0o666))
		m.same[i] = meaningOf(text)
	}
	m.args = append(append(m.args, c.flags...), m.paths[0])
	if !c.oneFile {
		m.args = append(m.args, m.paths[1])
	}
	return m
}

// named matches a message that names a file and a line in it.
var named = regexp.MustCompile(`(?m)^learnstat: .*(old|new)\.txt:\d+: `)

func (m *mutated) check(t *testing.T, n int) {
	r := rand.New(rand.NewPCG(*mutationSeed, uint64(m.number)<<32|uint64(n)))
	side := 0
	if !m.oneFile {
		side = r.IntN(2)
	}
	before := m.texts[side]
	after, what := mutate(r, before, m.texts[1-side])
	require.NoError(t, os.WriteFile(m.paths[side], []byte(after), 0o666))
	var stdout, stderr strings.Builder
	status := run(m.args, nil, &stdout, &stderr)
	require.NoError(t, os.WriteFile(m.paths[side], []byte(before), 0o666))

	changed := m.same[side].changed(meaningOf(after))
	wrong := ""
	switch {
	case changed == onlyScores && !m.checksums:
		// Who writes files without checksums can write whatever scores.
	case status == cli.Clean:
		wrong = "the gate passes"
	case changed == nothing || changed == onlyChecksum:
		if status != m.status && status != cli.Unjudged { // a notation may be none of the format
			wrong = fmt.Sprintf("nothing has changed, and the status is not %d", m.status)
		}
	case !m.checksums:
	case what.whole && status == m.status:
		// Further runs may go where the verdict does not need them.
	case status != cli.Unjudged:
		wrong = "it is not noticed"
	case !what.whole && !named.MatchString(stderr.String()):
		wrong = "no message names the place"
	}
	if wrong == "" {
		return
	}
	t.Fatalf("%s: case %s, change %d of seed %d, in %s: %s\n%s\nexit status %d\n%s%s",
		wrong, m.name, n, *mutationSeed, m.paths[side], what.text, firstDifference(before, after), status,
		&stderr, &stdout)
}

// firstDifference shows where two texts begin to differ.
func firstDifference(before, after string) string {
	old, changed := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range min(len(old), len(changed)) {
		if old[i] != changed[i] {
			return fmt.Sprintf("line %d was\n\t%q\nand is\n\t%q", i+1, old[i], changed[i])
		}
	}
	return fmt.Sprintf("it had %d lines and has %d", len(old), len(changed))
}
