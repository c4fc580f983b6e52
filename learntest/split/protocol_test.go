package split

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestZeroProtocolIsTenByTenWithSeedOne(t *testing.T) {
	t.Parallel()
	var zero Protocol
	assert.Equal(t, "cv runs=10 folds=10 stratified seed=1 v1", zero.String())
	assert.NoError(t, zero.Validate())
	assert.Equal(t, uint64(1), zero.Seed())
	assert.Equal(t, 10, zero.Runs())
	assert.Equal(t, 10, zero.Folds())
	assert.True(t, zero.IsStratified())
	for _, p := range []Protocol{
		TenByTen(), CV(10, 10), zero.WithSeed(1), zero.WithRuns(10), zero.Stratified(true),
		CV(3, 10).WithRuns(10), TenByTen().WithSeed(9).WithSeed(1),
		CV(10, 10).Stratified(false).Stratified(true),
	} {
		assert.True(t, p == zero, "%s", p)
	}
	for _, p := range []Protocol{
		zero.WithSeed(0), zero.WithRuns(11), zero.Stratified(false),
		CV(10, 5), Groups(10, 10).Stratified(true), Weka(10, 10),
	} {
		assert.False(t, p == zero, "%s", p)
	}
}

func TestConstructorsSetWhatTheirNamesSay(t *testing.T) {
	t.Parallel()
	tests := []struct {
		p           Protocol
		text        string
		runs, folds int
		stratified  bool
	}{
		{TenByTen(), "cv runs=10 folds=10 stratified seed=1 v1", 10, 10, true},
		{FiveByTwo(), "cv runs=5 folds=2 stratified seed=1 v1", 5, 2, true},
		{RByTwo(50), "cv runs=50 folds=2 stratified seed=1 v1", 50, 2, true},
		{CV(1, 3).Stratified(false).WithSeed(7), "cv runs=1 folds=3 unstratified seed=7 v1", 1, 3, false},
		{Subsample(100, 0.9), "subsample runs=100 train=0.9 unstratified seed=1 v1", 100, 1, false},
		{
			Subsample(15, 2./3).Stratified(true),
			"subsample runs=15 train=0.6666666666666666 stratified seed=1 v1", 15, 1, true,
		},
		{LeaveOneOut(), "loo seed=1 v1", 1, 0, false},
		{Groups(10, 5), "groups runs=10 folds=5 unstratified seed=1 v1", 10, 5, false},
		{Groups(10, 5).Stratified(true), "groups runs=10 folds=5 stratified seed=1 v1", 10, 5, true},
		{TimeSeries(5, Window{}), "timeseries folds=5 seed=1 v1", 1, 5, false},
		{
			TimeSeries(5, Window{TestSize: 20, MaxTrain: 100, Gap: 2}),
			"timeseries folds=5 test=20 maxtrain=100 gap=2 seed=1 v1", 1, 5, false,
		},
		{TimeSeries(5, Window{Gap: 2}), "timeseries folds=5 gap=2 seed=1 v1", 1, 5, false},
		{
			Weka(10, 5).WithSeed(math.MaxUint64), "weka runs=10 folds=5 seed=18446744073709551615 v1", 10, 5,
			true,
		},
		{Halves(20, 5), "halves m=20 folds=5 seed=1 v1", 20, 10, true},
		{Halves(20, 5).Stratified(false), "halves m=20 folds=5 unstratified seed=1 v1", 20, 10, false},
		{GroupHalves(3, 4), "grouphalves m=3 folds=4 unstratified seed=1 v1", 3, 8, false},
		{GroupHalves(3, 4).Stratified(true), "grouphalves m=3 folds=4 stratified seed=1 v1", 3, 8, true},
		{twoFolds(), "predefined runs=1 folds=2 sha256=3a86650755d1f3f8097445dcbcf9b665c7ab2811e565c03283f18aacc8964117 seed=1 v1", 1, 2, false},
	}
	for _, test := range tests {
		assert.Equal(t, test.text, test.p.String())
		assert.Equal(t, test.runs, test.p.Runs(), test.text)
		assert.Equal(t, test.folds, test.p.Folds(), test.text)
		assert.Equal(t, test.stratified, test.p.IsStratified(), test.text)
		assert.NoError(t, test.p.Validate(), test.text)
	}
}

func twoFolds() Protocol {
	return Predefined([]Fold{
		{Train: []int{0, 1}, Test: []int{2}},
		{Train: []int{2, 1}, Test: []int{0}},
	})
}

func TestModifiersLeaveTheirReceiverAlone(t *testing.T) {
	t.Parallel()
	p := CV(3, 4).WithSeed(5)
	before := p
	_, _, _ = p.WithSeed(6), p.WithRuns(7), p.Stratified(false)
	assert.Equal(t, before, p)
}

func TestValidateNamesWhatMakesNoSense(t *testing.T) {
	t.Parallel()
	tests := []struct {
		p    Protocol
		want string
	}{
		{CV(0, 10), `split: invalid protocol "cv runs=0 folds=10 stratified seed=1 v1": runs=0 is not in 1..1000000`},
		{CV(-3, 10), "runs=-3 is not in 1..1000000"},
		{CV(1_000_001, 10), "runs=1000001 is not in"},
		{CV(10, 1), "folds=1 is not in 2..65535"},
		{CV(10, 65536), "folds=65536 is not in 2..65535"},
		{Groups(10, 0), "folds=0 is not in 2..65535"},
		{Weka(10, 1), "folds=1 is not in 2..65535"},
		{Halves(0, 5), "m=0 is not in 1..1000000"},
		{Halves(20, 1), "folds=1 is not in 2..65535"},
		{GroupHalves(20, 40000), "folds=40000 in each half are more than 65535 together"},
		{TimeSeries(0, Window{}), "folds=0 is not in 1..65535"},
		{TimeSeries(3, Window{TestSize: -1}), "test=-1 is not in 0..2^31-1"},
		{TimeSeries(3, Window{MaxTrain: -2}), "maxtrain=-2 is not in 0..2^31-1"},
		{TimeSeries(3, Window{Gap: -1}), "gap=-1 is not in 0..2^31-1"},
		{Subsample(10, 0), "train=0 is not between 0 and 1"},
		{Subsample(10, 1), "train=1 is not between 0 and 1"},
		{Subsample(10, -0.5), "train=-0.5 is not between 0 and 1"},
		{Subsample(10, math.NaN()), "train=NaN is not between 0 and 1"},
		{Subsample(10, math.Inf(1)), "train=+Inf is not between 0 and 1"},
		{LeaveOneOut().WithRuns(10), `"loo runs=10 seed=1 v1": runs=10, but nothing in it is random: all runs would be identical`},
		{
			TimeSeries(3, Window{}).WithRuns(2),
			`"timeseries runs=2 folds=3 seed=1 v1": runs=2, but nothing in it is random`,
		},
		{LeaveOneOut().Stratified(true), `"loo stratified seed=1 v1": loo cannot be stratified`},
		{TimeSeries(3, Window{}).Stratified(true), "timeseries cannot be stratified"},
		{twoFolds().Stratified(true), "predefined cannot be stratified"},
		{
			Weka(2, 2).Stratified(false),
			`"weka runs=2 folds=2 unstratified seed=1 v1": weka is always stratified`,
		},
	}
	for _, test := range tests {
		err := test.p.Validate()
		assert.ErrorIs(t, err, ErrProtocol)
		assert.ErrorContains(t, err, test.want)
		_, planErr := test.p.Plan(Examples{N: 100})
		assert.Equal(t, err, planErr)
	}
}

// Equality as Go sees it is equality of the text, for protocols that can be
// carried out.
func TestProtocolsAreEqualIfAndOnlyIfTheirTextsAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, q := genProtocol().Draw(t, "p"), genProtocol().Draw(t, "q")
		if (p == q) != (p.String() == q.String()) {
			t.Fatalf("%#v and %#v", p, q)
		}
	})
}

// genProtocol draws small valid protocols of all kinds that can be parsed, the
// default one among them.
func genProtocol() *rapid.Generator[Protocol] {
	return rapid.Custom(func(t *rapid.T) Protocol {
		runs, folds := rapid.IntRange(1, 12).Draw(t, "runs"), rapid.IntRange(2, 12).Draw(t, "folds")
		var p Protocol
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			p = Protocol{}
		case 1:
			p = CV(runs, folds)
		case 2:
			p = Subsample(runs, rapid.Float64Range(1e-9, 1-1e-9).Draw(t, "train"))
		case 3:
			p = LeaveOneOut()
		case 4:
			p = Groups(runs, folds)
		case 5:
			size := rapid.IntRange(0, 5)
			p = TimeSeries(folds, Window{
				TestSize: size.Draw(t, "test"), MaxTrain: size.Draw(t, "maxtrain"),
				Gap: size.Draw(t, "gap"),
			})
		case 6:
			p = Weka(runs, folds)
		case 7:
			p = Halves(runs, folds)
		case 8:
			p = GroupHalves(runs, folds)
		}
		if p.spell().kind.optional {
			p = p.Stratified(rapid.Bool().Draw(t, "stratified"))
		}
		return p.WithSeed(rapid.OneOf(rapid.Just(uint64(1)), rapid.Uint64()).Draw(t, "seed"))
	})
}
