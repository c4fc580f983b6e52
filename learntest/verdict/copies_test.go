package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

// The share of copies stands in the line of the data if either header has it. More than a fifth is
// an error for the first line, whether the claim holds, does not hold or cannot be judged.
func TestCopiesAreInTheLineOfTheData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		share, other float64
		data, first  string
	}{
		{0.01, 0, "data           vehicle, sha256 ", ""},
		{0.011, 0, "data           vehicle, 1.1% of test examples have a copy in training, sha256 ", ""},
		{0.2, 0, "data           vehicle, 20% of test examples have a copy in training, sha256 ", ""},
		{
			0.201, 0.1, "data           vehicle, 20.1% of test examples have a copy in training, sha256 ",
			"20.1% of test examples have a copy in training: a learner that remembers them looks better than it is on new examples",
		},
		{
			1, 1, "data           vehicle, 100% of test examples have a copy in training, sha256 ",
			"100% of test examples have a copy in training: a learner that remembers them looks better than it is on new examples",
		},
	} {
		for _, difference := range []float64{0.2, -0.2} {
			for _, metric := range []string{"", "no such metric"} {
				p := pairs(accuracy, 1, difference, 0.01)
				for _, h := range [][2]*record.Header{
					{p.CandidateHeader, p.BaselineHeader},
					{p.BaselineHeader, p.CandidateHeader},
				} {
					h[0].SetCopies(c.share)
					h[1].SetCopies(c.other)
					v := Judge(p, Claim{Kind: Improves, Metric: metric})
					require.Equal(t, difference > 0 && metric == "", v.Holds)
					require.Contains(t, v.String(), c.data)
					if c.first == "" {
						require.NoError(t, v.MostlyCopies())
						continue
					}
					require.EqualError(t, v.MostlyCopies(), c.first)
				}
			}
		}
	}
	v := Fail(Claim{}, ErrClaim)
	require.NoError(t, v.MostlyCopies())
}
