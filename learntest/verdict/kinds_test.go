package verdict

import (
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each kind of protocol has a line here on the default test, and on how much the tested examples
// can show. A new kind is not judged like the others unless that is right.
func TestKindsOfProtocolsAreJudgedAsTheyShouldBe(t *testing.T) {
	t.Parallel()
	half := func(from int) (all []int) {
		for i := range 30 {
			all = append(all, from+i)
		}
		return all
	}
	again := []split.Fold{{Train: half(0), Test: half(30)}}
	own := split.Predefined(again, again) // one half is never tested
	ex := split.Examples{N: 60, Group: make([]int, 60)}
	for i := range ex.Group {
		ex.Group[i] = i / 3
	}
	cases := map[string]struct {
		protocol split.Protocol
		fits     bool // the default test
	}{
		"cv":          {split.TenByTen(), true},
		"subsample":   {split.Subsample(10, 0.9), true},
		"loo":         {split.LeaveOneOut(), false},
		"groups":      {split.Groups(10, 5), true},
		"timeseries":  {split.TimeSeries(5, split.Window{}), false},
		"predefined":  {own, true},
		"weka":        {split.Weka(10, 10), true},
		"halves":      {split.Halves(10, 5), true},
		"grouphalves": {split.GroupHalves(10, 5), true},
	}
	_, err := split.Parse("?")
	_, list, ok := strings.Cut(err.Error(), "there are ")
	require.True(t, ok)
	kinds := strings.Split(list, ", ")
	require.GreaterOrEqual(t, len(kinds), len(cases))
	for _, kind := range kinds {
		c, ok := cases[kind]
		require.True(t, ok, "decide in unfit whether the default test fits %s, and in Tested how many examples it tests", kind)
		plan, err := c.protocol.Plan(ex)
		require.NoError(t, err)
		p := under(c.protocol.String(), plan.Runs(), plan.Folds(), 0, 0)
		tested := make(map[int]bool)
		for i := range p.TrainN {
			train, test := plan.Trial(i/plan.Folds()+1, i%plan.Folds()+1, nil, nil)
			p.TrainN[i], p.TestN[i] = int32(len(train)), int32(len(test))
			for _, x := range test {
				tested[x] = true
			}
		}
		why, _ := unfit(p)
		assert.Equal(t, c.fits, why == "", "%s: %s", kind, why)
		_, _, err = Claim{}.fit(p)
		assert.Equal(t, c.fits, err == nil, "%s: %v", kind, err)
		most := len(tested)
		if kind == "subsample" { // whose number is an expected one
			most += 3
		}
		assert.LessOrEqual(t, Tested(p), most, "%s: more examples than it tests", kind)
	}
}
