package verdict

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

// The detectable difference is tried: a difference of that size is found in as many cases as the
// verdict says, and a margin of that size is shown in as many, but only if there is no difference.
func TestDetectableIsFoundAsOftenAsItSays(t *testing.T) {
	t.Parallel()
	const cases = 1000
	r := rand.New(rand.NewPCG(5, 6))
	independent := func(mean float64) *record.Pairs {
		p := pairs(score, 1, 0, 0)
		for i := range p.A {
			// With as good as no test examples folds are independent.
			p.A[i], p.B[i], p.TrainN[i], p.TestN[i] = 0.5+mean+0.05*r.NormFloat64(), 0.5, 1<<30, 1
		}
		return p
	}
	for _, c := range []struct {
		name      string
		claim     Claim
		means     func(detectable float64) float64 // the true difference
		asMargin  bool
		share, by float64
	}{
		{"differs", Claim{}, func(x float64) float64 { return -x }, false, 0.8, 0.05},
		{"improves", Claim{Kind: Improves}, func(x float64) float64 { return x }, false, 0.8, 0.05},
		{
			"one-sided",
			Claim{Kind: Improves, OneSided: true},
			func(x float64) float64 { return x },
			false, 0.8, 0.05,
		},
		{
			"gain",
			Claim{Kind: Improves, Gain: 0.01},
			func(x float64) float64 { return 0.01 + x },
			false, 0.8, 0.05,
		},
		{
			"margin",
			Claim{Kind: NoRegression, Margin: 0.002},
			func(float64) float64 { return 0 },
			true, 0.8, 0.05,
		},
		{
			"equivalent",
			Claim{Kind: Equivalent, Margin: 0.002},
			func(float64) float64 { return 0 },
			true, 0.8, 0.05,
		},
		{
			"margin, half of it lost",
			Claim{Kind: NoRegression, Margin: 0.002},
			func(x float64) float64 { return -x / 2 }, true, 0.35, 0.1,
		},
	} {
		v := Judge(independent(0), c.claim)
		require.Positive(t, v.Detectable, c.name)
		detectable := 0.0 // on average: each is from the standard error of its own folds
		for range 100 {
			detectable += Judge(independent(0), c.claim).Detectable / 100
		}
		if c.asMargin {
			require.Contains(t, v.String(), "with 80% power, if there is no difference\n")
			c.claim.Margin = detectable
		}
		holds := 0
		for range cases {
			if Judge(independent(c.means(detectable)), c.claim, Bare).Holds {
				holds++
			}
		}
		require.InDelta(t, c.share, float64(holds)/cases, c.by, c.name)
	}
}

// The number of examples that would help does help: with that many times as many examples, a
// claim about the difference that was found holds in as many cases as the power says.
func TestMoreExamplesHelpAsTheySay(t *testing.T) {
	t.Parallel()
	const cases = 300
	r := rand.New(rand.NewPCG(7, 8))
	independent := func(mean, sd float64) *record.Pairs {
		p := pairs(score, 1, 0, 0)
		for i := range p.A {
			p.A[i], p.B[i], p.TrainN[i], p.TestN[i] = 0.5+mean+sd*r.NormFloat64(), 0.5, 1<<30, 1
		}
		return p
	}
	factor := regexp.MustCompile(`it would take about (\S+) times as many examples`)
	for name, claim := range map[string]Claim{
		"improves": {Kind: Improves}, "one-sided": {Kind: Improves, OneSided: true},
		"gain":   {Kind: Improves, Gain: 0.001},
		"margin": {Kind: NoRegression, Margin: 0.008}, "equivalent": {Kind: Equivalent, Margin: 0.01},
	} {
		tried := 0
		for range 100 {
			v := Judge(independent(0.004, 0.05), claim)
			m := factor.FindStringSubmatch(strings.Join(v.Help, "\n"))
			if m == nil {
				continue
			}
			more, err := strconv.ParseFloat(m[1], 64)
			require.NoError(t, err)
			if more > 30 || tried == 3 {
				continue
			}
			tried++
			sd := v.Difference.Result.SE * 10 / math.Sqrt(more) // as if the error of 100 independent folds were true
			holds := 0
			for range cases {
				if Judge(independent(v.Estimate, sd), claim, Bare).Holds {
					holds++
				}
			}
			least, most := 0.72, 0.88
			if claim.Kind == Equivalent { // each of its two tests has more power
				most = 0.97
			}
			share := float64(holds) / cases
			require.True(t, least < share && share < most, "%s: %v in place of 0.8: %v", name, share, v)
		}
		require.Equal(t, 3, tried, name)
	}
}

// The help never says how many examples it takes to find a difference that is shown as none.
func TestHelpDoesNotFindNothing(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, difference := range []float64{0.00002, 0.00004, 0.00006, 0.0003} {
		p := pairs(accuracy, 1, difference, 0.0003)
		for i := range p.TestN {
			p.TestN[i], p.TrainN[i] = 1000000, 9000000
		}
		v := Judge(p, Claim{Kind: Improves})
		require.NotEqual(t, Invalid, v.Outcome)
		help := strings.Join(v.Help, "\n")
		require.NotContains(t, help, " of 0.00 points")
		if math.Abs(v.Estimate) > 0.00005 && strings.Contains(help, "times as many examples") {
			seen++
		}
	}
	require.Positive(t, seen)
}
