package cli

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHelpIsThePackageComment(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, Help(&b, `/*
Prog does a thing. It takes more words to say so than there is room for in one line of text.

Usage:

	prog [flags] FILE

# Exit status

It is 0.
*/
package main

// Not this.
var x = 1
`))
	assert.Equal(t, `Prog does a thing. It takes more words to say so than there is room for in one
line of text.

Usage:

	prog [flags] FILE

# Exit status

It is 0.
`, b.String())
}

func TestSection(t *testing.T) {
	t.Parallel()
	const text = "Prog.\n\n# Run\n\nIt runs.\n\n\t# Check\n\n# Runner\n\nNot this.\n\n# Last\n\nIt ends.\n"
	for title, want := range map[string]string{
		"Run":    "It runs.\n\n\t# Check\n",
		"Runner": "Not this.\n", "Last": "It ends.\n",
	} {
		got, err := Section(text, title)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, title := range []string{"Check", "Prog", "run", ""} {
		_, err := Section(text, title)
		assert.EqualError(t, err, `there is no section "`+title+`"`)
	}
}

func TestHelpOfLineComments(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, Help(&b, "// Prog is [fmt.Print].\npackage main\n"))
	assert.Equal(t, "Prog is fmt.Print.\n", b.String())
}

func TestHelpRefusesWhatHasNone(t *testing.T) {
	t.Parallel()
	require.Error(t, Help(io.Discard, "package main\n"))
	require.Error(t, Help(io.Discard, "// Prog is detached.\n\npackage main\n"))
	require.Error(t, Help(io.Discard, "not Go"))
	require.ErrorIs(t, Help(broken{}, "// Prog.\npackage main\n"), errBroken)
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestGateIsAFlag(t *testing.T) {
	t.Parallel()
	var g Gate
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&g, "fail-on", "")
	require.NoError(t, fs.Parse([]string{
		"-fail-on", "regressed, inconclusive", "-fail-on",
		"equivalent",
	}))
	assert.Equal(t, Gate{verdict.Regressed, verdict.Inconclusive, verdict.Same}, g)
	assert.Equal(t, "regressed,inconclusive,equivalent", g.String())
	for _, bad := range []string{"", "invalid", "Regressed", "regressed,", "regressed inconclusive"} {
		assert.ErrorContains(t, new(Gate).Set(bad),
			"the outcomes are inconclusive, improved, regressed, equivalent", "%q", bad)
	}
}

func TestGateStatus(t *testing.T) {
	t.Parallel()
	const (
		inconclusive, improved, regressed, invalid = verdict.Inconclusive, verdict.Improved,
			verdict.Regressed, verdict.Invalid
	)
	for name, c := range map[string]struct {
		gate     Gate
		outcomes []verdict.Outcome
		want     int
	}{
		"nothing is not clean": {Gate{regressed}, nil, Unjudged},
		"clean": {
			Gate{regressed},
			[]verdict.Outcome{improved, inconclusive},
			Clean,
		},
		"no gate": {nil, []verdict.Outcome{regressed}, Clean},
		"one fails": {Gate{regressed}, []verdict.Outcome{
			improved, regressed,
			improved,
		}, Failed},
		"any of several": {Gate{regressed, inconclusive}, []verdict.Outcome{
			improved,
			inconclusive,
		}, Failed},
		"invalid without a gate": {nil, []verdict.Outcome{improved, invalid}, Unjudged},
		"invalid is worse, before a failure": {
			Gate{regressed},
			[]verdict.Outcome{invalid, regressed},
			Unjudged,
		},
		"invalid is worse, after a failure": {
			Gate{regressed},
			[]verdict.Outcome{regressed, invalid},
			Unjudged,
		},
		"an unknown outcome is not clean": {
			Gate{regressed},
			[]verdict.Outcome{improved, 99},
			Unjudged,
		},
	} {
		assert.Equal(t, c.want, c.gate.Status(c.outcomes), name)
	}
}
