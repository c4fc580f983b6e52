package split

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseInvertsString(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genProtocol().Draw(t, "p")
		q, err := Parse(p.String())
		if err != nil || q != p {
			t.Fatalf("%q parses as %q, %v", p, q, err)
		}
	})
}

func TestParseTakesWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want Protocol
	}{
		{"10x10", TenByTen()},
		{"5x2 seed=3", FiveByTwo().WithSeed(3)},
		{"5x2 unstratified", FiveByTwo().Stratified(false)},
		{"cv runs=10 folds=10", Protocol{}},
		{"  cv\tfolds=5 v1 seed=2 runs=3\n", CV(3, 5).WithSeed(2)},
		{"subsample runs=100 train=.9", Subsample(100, 0.9)},
		{"subsample train=9e-1 runs=100 stratified", Subsample(100, 0.9).Stratified(true)},
		{"loo", LeaveOneOut()},
		{"loo runs=1", LeaveOneOut()},
		{"groups runs=2 folds=5 stratified", Groups(2, 5).Stratified(true)},
		{"timeseries folds=5 gap=0 test=7", TimeSeries(5, Window{TestSize: 7})},
		{"weka runs=10 folds=10 stratified", Weka(10, 10)},
		{"cv runs=010 folds=10", TenByTen()},
		{"halves m=20 folds=5", Halves(20, 5)},
		{"halves folds=5 m=20 stratified seed=1 v1", Halves(20, 5)},
		{"halves m=20 folds=5 unstratified", Halves(20, 5).Stratified(false)},
		{"grouphalves m=20 folds=5", GroupHalves(20, 5)},
	}
	for _, test := range tests {
		p, err := Parse(test.text)
		require.NoError(t, err, test.text)
		assert.Equal(t, test.want, p, test.text)
	}
}

func TestParseNamesTheWrongWord(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, want string
		is         error
	}{
		{"", `split: cannot parse protocol "": it is empty`, ErrSyntax},
		{" \n", "it is empty", ErrSyntax},
		{"kfold runs=2 folds=3", `split: cannot parse protocol "kfold runs=2 folds=3": word "kfold": unknown kind of protocol "kfold": there are cv, subsample, loo, groups, timeseries, predefined, weka, halves, grouphalves`, ErrSyntax},
		{"10x", `word "10x": unknown kind of protocol`, ErrSyntax},
		{"x10", `word "x10": unknown kind of protocol`, ErrSyntax},
		{"10x10x10", `word "10x10x10": unknown kind of protocol`, ErrSyntax},
		{"CV runs=2 folds=3", `word "CV": unknown kind of protocol`, ErrSyntax},
		{"cv runs=2", `word "cv" needs folds=`, ErrSyntax},
		{"cv folds=2", `word "cv" needs runs=`, ErrSyntax},
		{"subsample runs=2", `word "subsample" needs train=`, ErrSyntax},
		{"cv runs=ten folds=3", `word "runs=ten": not a whole number in 0..2^31-1`, ErrSyntax},
		{"cv runs=-1 folds=3", `word "runs=-1": not a whole number`, ErrSyntax},
		{"cv runs=2147483648 folds=3", `word "runs=2147483648": not a whole number`, ErrSyntax},
		{"cv runs= folds=3", `word "runs=": not a whole number`, ErrSyntax},
		{"cv runs=2 folds=3 runs=2", `word "runs=2": runs is given twice`, ErrSyntax},
		{"10x10 folds=10", `word "folds=10": folds is given twice`, ErrSyntax},
		{
			"10x10 stratified unstratified", `word "unstratified": stratification is given twice`,
			ErrSyntax,
		},
		{"10x10 v1 v1", `word "v1": the version is given twice`, ErrSyntax},
		{"10x10 seed=1 seed=1", `word "seed=1": seed is given twice`, ErrSyntax},
		{"10x10 train=0.5", `word "train=0.5": cv has no setting of that name`, ErrSyntax},
		{"loo folds=3", `word "folds=3": loo has no setting of that name`, ErrSyntax},
		{"10x10 =3", `word "=3": cv has no setting of that name`, ErrSyntax},
		{"10x10 seed=-1", `word "seed=-1": not a whole number in 0..2^64-1`, ErrSyntax},
		{
			"10x10 seed=18446744073709551616", `word "seed=18446744073709551616": not a whole number`,
			ErrSyntax,
		},
		{"subsample runs=3 train=most", `word "train=most": not a number`, ErrSyntax},
		{"10x10 v2", `word "v2": this package knows version v1 only`, ErrSyntax},
		{"10x10 vast", `word "vast": unknown`, ErrSyntax},
		{"10x10 v", `word "v": unknown`, ErrSyntax},
		{"10x0", `"cv runs=10 folds=0 stratified seed=1 v1": folds=0 is not in 2..65535`, ErrProtocol},
		{"subsample runs=3 train=NaN", "train=NaN is not between 0 and 1", ErrProtocol},
		{"loo runs=2", "all runs would be identical", ErrProtocol},
		{"halves m=20", `word "halves" needs folds=`, ErrSyntax},
		{"halves runs=20 folds=5", `word "runs=20": halves has no setting of that name`, ErrSyntax},
		{"halves m=0 folds=5", `"halves m=0 folds=5 seed=1 v1": m=0 is not in 1..1000000`, ErrProtocol},
		{"loo stratified", "loo cannot be stratified", ErrProtocol},
		{twoFolds().String(), "make the protocol with split.Predefined again", ErrPredefined},
	}
	for _, test := range tests {
		p, err := Parse(test.text)
		assert.ErrorIs(t, err, test.is, test.text)
		assert.ErrorContains(t, err, test.want)
		assert.Equal(t, Protocol{}, p, test.text)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"10x10", "loo seed=3 v1", "cv runs=2 folds=3 unstratified seed=18446744073709551615 v1",
		"subsample runs=7 train=0.6666666666666666 stratified", "groups runs=2 folds=3 seed=0",
		"timeseries folds=3 test=1 maxtrain=9 gap=2 v1", "weka runs=1 folds=2", "halves m=3 folds=2",
		"grouphalves m=3 folds=2 stratified", "predefined runs=1 folds=2 sha256=00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			if p != (Protocol{}) {
				t.Fatalf("%q gives %q besides %v", s, p, err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatalf("%q parses as a protocol that is invalid: %v", s, err)
		}
		canonical := p.String()
		q, err := Parse(canonical)
		if err != nil || q != p || q.String() != canonical {
			t.Fatalf("%q parses as %q, which parses as %q, %v", s, canonical, q, err)
		}
	})
}
