package verdict

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A margin holds where nothing was changed, however few examples there are. Margins out of reach
// stay refused, and so do candidates that have learned nothing.
func TestNothingWasChanged(t *testing.T) {
	t.Parallel()
	const unchanged = "nothing was changed: both sides are of the same program with the same parameters, and have the same scores"
	logloss := unit.Unit{Name: "logloss", Better: unit.Lower, Min: 0, Max: 50}
	for _, u := range []unit.Unit{accuracy, errorRate, logloss} {
		p := ruled(rand.New(rand.NewPCG(1, 1)), u, 50, 10, 10, make([]bool, 50))
		claims := []Claim{
			{Kind: NoRegression, Margin: 0.01},
			{Kind: Equivalent, Margin: 0.01},
			{Kind: NoRegression, Rope: 0.01, Probability: 0.95},
			{Kind: Equivalent, Rope: 0.01, Probability: 0.95},
			{Kind: NoRegression, Margin: 0.01, Replicability: 0.9},
		}
		for _, same := range []bool{false, true} {
			if p.SameProgram = same; same {
				claims = append(claims, Claim{Kind: Equivalent, Margin: 0.01, Repeats: 5})
			}
			for _, c := range claims {
				v := Judge(p, c)
				require.NoError(t, v.Err)
				assert.Equal(t, same, v.Holds, "%s: %v", u.Name, v)
				assert.Equal(t, same, v.Unchanged)
				assert.Equal(t, same, strings.Contains(v.String(),
					"  margin         nothing was changed, which is less than ") || v.Posterior != nil && same)
				assert.Equal(t, same, v.Alike() == unchanged, v.Alike())
				assert.Zero(t, v.NeedRuns)
			}
			v := Judge(p, Claim{Margin: 0.01}) // as learnstat asks
			assert.Equal(t, same, v.Within())
			assert.Equal(t, same, v.Facts().Margin.NonInferior)
			assert.Equal(t, same, v.Facts().Unchanged)
			assert.True(t, v.Rerun != nil || !same)
			b := Judge(p, Claim{Kind: NoRegression, Margin: 0.01}).WithBudget()
			assert.Equal(t, same, b.Holds)
		}
		assert.False(t, Judge(p, Claim{Kind: Improves}).Holds)
		other := *p
		other.A = append([]float64(nil), p.A...)
		other.A[7] -= 0.2 * float64(u.Better)
		v := Judge(&other, Claim{Kind: NoRegression, Margin: 0.01})
		assert.False(t, v.Unchanged, "a score has changed")
		assert.Empty(t, v.Alike())
	}
	p := ruled(rand.New(rand.NewPCG(1, 1)), accuracy, 50, 10, 10, make([]bool, 50))
	p.SameProgram = true
	for i := range p.A {
		p.A[i], p.B[i] = 1, 1
	}
	v := Judge(p, Claim{Kind: NoRegression, Margin: 0.01})
	assert.ErrorContains(t, v.Err,
		"50 examples cannot show a margin of 1.00 points against a baseline with 100.00%, however good the candidate is")
	assert.Empty(t, v.Alike(), "a refused claim gets no further doubts")
}

// The first line names learners with equal scores.
func TestAlikeIsSaid(t *testing.T) {
	t.Parallel()
	p := ruled(rand.New(rand.NewPCG(1, 1)), accuracy, 50, 10, 10, make([]bool, 50))
	first := func(c Claim) string {
		line, _, _ := strings.Cut(Judge(p, c).String(), "\n")
		return line
	}
	assert.Equal(t, "new is on a par with old on d in accuracy: equivalent; both have the same accuracy in every fold", first(Claim{}))
	assert.Equal(t, "new is on a par with old on d in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold", first(Claim{Kind: Improves}))
	v := Judge(p, Claim{Kind: Improves})
	assert.Equal(t, "both have the same accuracy in every fold", v.Alike())
	p.A[3] -= 0.2
	v = Judge(p, Claim{})
	assert.Empty(t, v.Alike())
	p.Unit.Name = "bad\x1b[31m"
	p.A[3] += 0.2
	v = Judge(p, Claim{})
	assert.Contains(t, v.Alike(), `bad\u001b[31m`)
}

// A program whose scores change is luck, or depends on something undeclared.
func TestOtherScoresOfTheSameProgramAreADoubt(t *testing.T) {
	t.Parallel()
	const doubt = "new has other scores than before, although program, parameters, command and data are equal: its seed does not fix it, "
	p := ruled(rand.New(rand.NewPCG(1, 1)), accuracy, 50, 10, 10, make([]bool, 50))
	warned := func() bool {
		return strings.Contains(Judge(p, Claim{}).String(),
			"  warning        "+doubt)
	}
	assert.False(t, warned())
	p.SameProgram = true
	assert.False(t, warned())
	p.A[7] -= 0.2
	assert.True(t, warned())
	p.SameProgram = false
	assert.False(t, warned())
}
