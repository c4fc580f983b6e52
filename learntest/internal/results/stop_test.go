package results

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/learntest/record"
)

// Of several claims about a learner the one that took the most runs counts, and the strictest
// error, in any order.
func TestStopsOfSeveralClaims(t *testing.T) {
	t.Parallel()
	early, late := record.Stop{Runs: 2, Error: 0.01, Claim: "early"}, record.Stop{
		Runs: 5, Error: 0.05,
		Claim: "late",
	}
	for _, stops := range [][]record.Stop{{early, late}, {late, early}, {early, late, early}} {
		f := &finding{id: record.Identity{Test: "TestModel"}}
		in := &Instance{findings: []*finding{f}}
		for _, s := range stops {
			in.Stop(f.id, s, "new", "old")
			in.Stop(record.Identity{Test: "TestOther"}, record.Stop{Runs: 9, Error: 0.001}, "new")
		}
		want := record.Stop{Runs: 5, Error: 0.01, Claim: "late"}
		assert.Equal(t, map[string]record.Stop{"new": want, "old": want}, f.stops)
	}
}
