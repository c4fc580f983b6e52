package split

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The folds that test each example give the digest of every plan that trains on all others.
func TestDigestOfTests(t *testing.T) {
	t.Parallel()
	ex := Examples{N: 40, Class: make([]int, 40), Group: make([]int, 40)}
	for i := range ex.N {
		ex.Class[i], ex.Group[i] = i%3, i/3
	}
	for _, p := range []Protocol{
		CV(3, 5), CV(1, 2).Stratified(false), LeaveOneOut(), Groups(2, 4),
		Subsample(4, 0.7), Weka(2, 5), TimeSeries(3, Window{}),
	} {
		plan, err := p.Plan(ex)
		require.NoError(t, err)
		runs := make([][]uint16, plan.Runs())
		for run := range runs {
			runs[run] = make([]uint16, ex.N)
			for fold := 1; fold <= plan.Folds(); fold++ {
				_, test := plan.Trial(run+1, fold, nil, nil)
				for _, i := range test {
					runs[run][i] = uint16(fold)
				}
			}
		}
		got := DigestOfTests(plan.Folds(), runs)
		if name := p.String(); name[:4] == "weka" || name[:4] == "time" { // for their order, or for the examples that they leave out
			require.NotEqual(t, plan.Digest(), got, name)
			continue
		}
		require.Equal(t, plan.Digest(), got, p.String())
		runs[0][0] = (runs[0][0] + 1) % uint16(plan.Folds()+1)
		require.NotEqual(t, got, DigestOfTests(plan.Folds(), runs), p.String())
	}
}
