package record

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two results are of one program only if everything proves it.
func TestSameProgram(t *testing.T) {
	t.Parallel()
	of := func(change func(h *Header)) Header {
		h := Header{
			Pkg: "p", Test: "T", Data: "d", Protocol: "cv", Binary: "4c1e",
			Reproduce: "go test p", Commit: "c0ffee",
		}
		change(&h)
		return h
	}
	for name, c := range map[string]struct {
		both, one func(h *Header)
		want      bool
	}{
		"equal headers":                {want: true},
		"another commit of it":         {one: func(h *Header) { h.Commit = "decade" }, want: true},
		"with the same files":          {both: func(h *Header) { h.Binary = "4c1e+77" }, want: true},
		"another program":              {one: func(h *Header) { h.Binary = "4c1f" }},
		"with other files":             {one: func(h *Header) { h.Binary = "4c1e+77" }},
		"a program that is not known":  {one: func(h *Header) { h.Binary = "" }},
		"nor is the other":             {both: func(h *Header) { h.Binary = "" }},
		"programs that name no files":  {both: func(h *Header) { h.Binary = UnknownProgram }},
		"several programs":             {both: func(h *Header) { h.Binary = "4c1e; 4c1f" }},
		"other parameters":             {one: func(h *Header) { h.Reproduce = "go test -tags fast p" }},
		"parameters that are not said": {both: func(h *Header) { h.Reproduce = "" }},
		"another test":                 {one: func(h *Header) { h.Test = "U" }},
		"another package":              {one: func(h *Header) { h.Pkg = "q" }},
	} {
		none := func(*Header) {}
		if c.both == nil {
			c.both = none
		}
		if c.one == nil {
			c.one = none
		}
		a := of(c.both)
		b := of(func(h *Header) { c.both(h); c.one(h) })
		assert.Equal(t, c.want, sameProgram(&a, &b), name)
		assert.Equal(t, c.want, sameProgram(&b, &a), name)
	}
}

// A learner of another name is another learner, and so may be one of results of which a part is of
// no known program.
func TestPairsOfTheSameProgram(t *testing.T) {
	t.Parallel()
	of := func(learner string, change func(h *Header)) Selection {
		s := sampleSet("vehicle", 1, 3, learner)
		s.Header.Binary, s.Header.Reproduce = "4c1e", "go test p"
		change(&s.Header)
		return Selection{File: fileOf(t, s), Data: "vehicle", Learner: learner, Title: learner + " here"}
	}
	same := func(a, b Selection) bool {
		p, err := Pair(a, b, "accuracy")
		require.NoError(t, err)
		return p.SameProgram
	}
	none := func(*Header) {}
	assert.True(t, same(of("nn", none), of("nn", none)))
	assert.False(t, same(of("nn", none), of("twin", none)))
	assert.False(t, same(of("nn", none), of("nn", func(h *Header) { h.Binary = "4c1f" })))

	half := func(trials, rest int, binary string) *Block {
		s := sampleSet("vehicle", 1, 3, "nn")
		s.Header.Binary, s.Header.Reproduce = binary, "go test p"
		s.Trials = s.Trials[trials:rest]
		return s.block(t)
	}
	whole := of("nn", none)
	for binary, want := range map[string]bool{"4c1e": true, "4c1f": false, "": false} {
		parts := Selection{
			File: NewFile(half(0, 1, "4c1e"), half(1, 3, binary)), Data: "vehicle",
			Learner: "nn",
		}
		assert.Equal(t, want, same(parts, whole), "%q", binary)
		assert.Equal(t, want, same(whole, parts), "%q", binary)
	}
}
