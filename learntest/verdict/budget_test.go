package verdict

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestBudgets(t *testing.T) {
	t.Parallel()
	budget := Claim{Kind: NoRegression, Margin: 0.02}
	for _, c := range []struct {
		name              string
		difference, noise float64
		lower             bool // is better
		holds             bool
		reason            string
		line              string
	}{
		{
			"little used", -0.005, 0.002, false, true, "",
			"0.50 of 2.00 points used, at most 0.61 points (95% confidence)",
		},
		{
			"a gain uses none", 0.005, 0.002, false, true, "",
			"none of 2.00 points used, at most 0.00 points (95% confidence)",
		},
		{
			"identical", 0, 0, false, true, "",
			"none of 2.00 points used, at most 0.03 points (95% confidence)",
		},
		{
			"cannot be verified", -0.01, 0.03, false, false,
			"the data can no longer verify the budget of 2.00 points",
			"1.00 of 2.00 points used, at most 2.63 points (95% confidence)",
		},
		{
			"cannot be verified although it is better", 0.001, 0.05, false, false,
			"the data can no longer verify the budget of 2.00 points",
			"none of 2.00 points used, at most 2.61 points (95% confidence)",
		},
		{
			"used up", -0.03, 0.002, false, false, "the budget of 2.00 points is used up",
			"3.00 of 2.00 points used, at most 3.11 points (95% confidence)",
		},
		{
			"used up, lower is better", 0.03, 0.002, true, false, "the budget of 0.02 is used up",
			"0.03 of 0.02 used, at most 0.03108 (95% confidence)",
		},
		{
			"little used, lower is better", 0.005, 0.002, true, true, "",
			"0.005001 of 0.02 used, at most 0.006084 (95% confidence)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := accuracy
			if c.lower {
				u = logloss
			}
			plain := Judge(pairs(u, 1, c.difference, c.noise), budget)
			v := plain.WithBudget()
			require.Equal(t, c.holds, v.Holds, "%v", v)
			require.Equal(t, plain.Holds, v.Holds, "it is the same gate")
			require.Equal(t, plain.Outcome, v.Outcome)
			require.Equal(t, c.reason, v.Reason)
			require.Contains(t, v.String(), "  budget         "+c.line+"\n")
			require.Equal(t, "forest keeps within its budget of bayes on vehicle in "+u.Name, v.Statement())
			require.Equal(t, !c.holds, strings.Contains(v.String(), "learnbench pin"))
			require.Nil(t, plain.Budget)
			require.NotContains(t, plain.String(), "budget")
		})
	}
}

func TestBudgetsAreOfNoRegressionOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []Claim{
		{Kind: Improves},
		{Kind: Equivalent},
		{Kind: NoRegression, Probability: 0.95},
	} {
		v := Judge(pairs(accuracy, 1, 0, 0.01), c)
		require.Equal(t, v.String(), v.WithBudget().String())
	}
	invalid := Judge(pairs(accuracy, 1, math.NaN(), 0.01), Claim{Kind: NoRegression}).WithBudget()
	require.Equal(t, Invalid, invalid.Outcome)
	require.False(t, invalid.Holds)
	require.NotContains(t, invalid.String(), "  budget")
}

// A budget holds just if the upper bound of its used part is less than all of it.
func TestBudgetAgreesWithItsNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.SampledFrom([]struct{ name string }{{"accuracy"}, {"logloss"}}).Draw(t, "unit")
		unit := accuracy
		if u.name == "logloss" {
			unit = logloss
		}
		total := rapid.Float64Range(0.001, 0.2).Draw(t, "total")
		alpha := rapid.Float64Range(0.01, 0.2).Draw(t, "alpha")
		p := pairs(unit, 1, rapid.Float64Range(-0.1, 0.1).Draw(t, "difference"), rapid.Float64Range(0.001,
			0.1).Draw(t, "noise"))
		v := Judge(p, Claim{Kind: NoRegression, Margin: total, Alpha: alpha}).WithBudget()
		if v.Outcome == Invalid {
			t.Skip(v.Reason)
		}
		b := v.Budget
		if math.Abs(b.AtMost-total) < 1e-12 {
			t.Skip("round-off decides")
		}
		require.Equal(t, v.Holds, b.AtMost < b.Total)
		require.LessOrEqual(t, b.Used, b.AtMost)
		require.Equal(t, 1-alpha, b.Confidence)
		if b.exceeded() {
			require.False(t, v.Holds)
			require.Contains(t, v.Reason, "is used up")
		} else if !v.Holds {
			require.Contains(t, v.Reason, "can no longer verify")
		}
	})
}

// A loss of just the budget has used it up; the text names the rest only of a smaller loss.
func TestBudgetsAtTheirLimit(t *testing.T) {
	t.Parallel()
	p := pairs(accuracy, 1, -0.01, 0.05)
	estimate := Judge(p, Claim{Kind: NoRegression}).Estimate
	v := Judge(p, Claim{Kind: NoRegression, Margin: -estimate}).WithBudget()
	require.Equal(t, "the budget of "+accuracy.FormatMargin(-estimate)+" is used up", v.Reason)
	v = Judge(p, Claim{Kind: NoRegression, Margin: 0.005 - estimate}).WithBudget()
	require.Contains(t, v.Help[0], "the estimate leaves 0.50 points of the budget, ")
}
