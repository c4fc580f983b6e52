package across

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

func TestFriedmanAgreesWithReference(t *testing.T) {
	t.Parallel()
	type f struct{ F, DF1, DF2, P float64 }
	for _, r := range references(t, "friedman.json", "friedman/") {
		want := decode[struct {
			N, M         int
			MeanRanks    []float64 `json:"mean_ranks"`
			Uncorrected  float64   `json:"chi2_uncorrected"`
			PUncorrected float64   `json:"p_uncorrected"`
			DF           float64
			Ties         float64 `json:"tie_correction"`
			Chi2, P      float64
			W            float64 `json:"kendall_W"`
			ID           f       `json:"iman_davenport"`
			IDPlain      f       `json:"iman_davenport_uncorrected"`
		}](t, r.Expected)
		got, err := Friedman(r.scores(t), unit.Higher)
		require.NoError(t, err)
		require.Equal(t, []int{want.N, want.M}, []int{got.DataSets, got.Learners})
		r.closeAll(t, want.MeanRanks, got.MeanRanks, "mean ranks")
		r.close(t, want.Ties, got.TieCorrection, "tie correction")
		r.close(t, want.W, got.KendallW, "W")
		for _, c := range []struct {
			name string
			want []float64
			got  ChiSquared
		}{
			{"corrected", []float64{want.Chi2, want.DF, want.P}, got.ChiSquared},
			{"uncorrected", []float64{want.Uncorrected, want.DF, want.PUncorrected}, got.Uncorrected},
		} {
			r.closeAll(t, c.want, []float64{c.got.Statistic, c.got.DF, c.got.P}, c.name)
		}
		for _, c := range []struct {
			name string
			want f
			got  F
		}{
			{"Iman-Davenport", want.ID, got.ImanDavenport},
			{"uncorrected Iman-Davenport", want.IDPlain, got.UncorrectedImanDavenport},
		} {
			r.closeAll(t, []float64{c.want.F, c.want.DF1, c.want.DF2, c.want.P},
				[]float64{c.got.Statistic, c.got.DF1, c.got.DF2, c.got.P}, c.name)
		}
	}
}

func TestQuadeAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "friedman.json", "quade/") {
		want := decode[struct{ F, DF1, DF2, P float64 }](t, r.Expected)
		got, err := Quade(r.scores(t), unit.Higher)
		require.NoError(t, err)
		r.closeAll(t, []float64{want.F, want.DF1, want.DF2, want.P},
			[]float64{got.F.Statistic, got.F.DF1, got.F.DF2, got.F.P}, "F")
	}
}

func TestAlignedRanksAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "friedman.json", "aligned/") {
		want := decode[struct{ T, DF, P float64 }](t, r.Expected)
		got, err := AlignedRanks(r.scores(t), unit.Higher)
		require.NoError(t, err)
		r.closeAll(t, []float64{want.T, want.DF, want.P},
			[]float64{got.ChiSquared.Statistic, got.ChiSquared.DF, got.ChiSquared.P}, "T")
	}
}

func TestCochranQAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "cochran_q.json", "cochran_q/") {
		in := decode[struct{ Correct []string }](t, r.Input)
		want := decode[struct{ Q, DF, P float64 }](t, r.Expected)
		got, err := CochranQ(outcomes(in.Correct...))
		require.NoError(t, err)
		r.closeAll(t, []float64{want.Q, want.DF, want.P},
			[]float64{got.ChiSquared.Statistic, got.ChiSquared.DF, got.ChiSquared.P}, "Q")
	}
}

// outcomes turns rows such as "101" into successes.
func outcomes(rows ...string) [][]bool {
	var out [][]bool
	for _, row := range rows {
		var o []bool
		for _, c := range row {
			o = append(o, c == '1')
		}
		out = append(out, o)
	}
	return out
}

func TestOmnibusTestsOfLearnersThatTieEverywhere(t *testing.T) {
	t.Parallel()
	scores := [][]float64{{0.5, 0.5, 0.5}, {0.7, 0.7, 0.7}, {0.1, 0.1, 0.1}}
	friedman, err := Friedman(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, ChiSquared{0, 2, 1}, friedman.ChiSquared)
	require.Equal(t, F{0, 2, 4, 1}, friedman.ImanDavenport)
	require.Equal(t, []float64{0, 0}, []float64{friedman.KendallW, friedman.TieCorrection})
	require.ErrorIs(t, friedman.Warnings[0], ErrNoDifference)
	quade, err := Quade(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, F{0, 2, 4, 1}, quade.F)
	require.ErrorIs(t, quade.Warnings[0], ErrNoDifference)
	aligned, err := AlignedRanks(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, ChiSquared{0, 2, 1}, aligned.ChiSquared)
	require.ErrorIs(t, aligned.Warnings[0], ErrNoDifference)
	q, err := CochranQ(outcomes("111", "000", "111"))
	require.NoError(t, err)
	require.Equal(t, ChiSquared{0, 2, 1}, q.ChiSquared)
	require.Equal(t, []int{3, 0}, []int{q.Examples, q.Informative})
	require.ErrorIs(t, q.Warnings[0], ErrNoDifference)
}

func TestOmnibusTestsOfDataSetsThatAgree(t *testing.T) {
	t.Parallel()
	scores := [][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}
	friedman, err := Friedman(scores, unit.Higher)
	require.NoError(t, err)
	require.Equal(t, 1.0, friedman.KendallW)
	require.True(t, math.IsInf(friedman.ImanDavenport.Statistic, 1))
	require.True(t, floatcmp.Equal(friedman.ImanDavenport.P, 1.0/216, 0, 1e-14))
	require.ErrorIs(t, friedman.Warnings[0], errUnanimous)
	quade, err := Quade(scores, unit.Higher)
	require.NoError(t, err)
	require.True(t, math.IsInf(quade.F.Statistic, 1))
	require.True(t, floatcmp.Equal(quade.F.P, 1.0/216, 0, 1e-14))
	require.ErrorIs(t, quade.Warnings[0], errUnanimous)
	// Two of three tie everywhere: three arrangements a data set.
	friedman, err = Friedman([][]float64{{1, 2, 2}, {3, 4, 4}}, unit.Higher)
	require.NoError(t, err)
	require.True(t, floatcmp.Equal(friedman.ImanDavenport.P, 1.0/3, 0, 1e-14))
	require.Equal(t, 1.0, friedman.KendallW)
}

func TestTablesThatCannotBeTested(t *testing.T) {
	t.Parallel()
	tests := map[string]func([][]float64, unit.Direction) error{
		"friedman": func(s [][]float64, d unit.Direction) error {
			_,
				err := Friedman(s, d)
			return err
		},
		"quade": func(s [][]float64, d unit.Direction) error { _, err := Quade(s, d); return err },
		"aligned": func(s [][]float64, d unit.Direction) error {
			_,
				err := AlignedRanks(s, d)
			return err
		},
		"mean ranks": func(s [][]float64, d unit.Direction) error {
			_,
				err := MeanRanks(s, d)
			return err
		},
		"pool": func(s [][]float64, d unit.Direction) error {
			_, err := PoolDependence(s, d, 0, 1, 0.05)
			return err
		},
		"pairwise": func(s [][]float64, d unit.Direction) error {
			_, err := Pairwise(s, PairwiseOptions{Better: d})
			return err
		},
		"control": func(s [][]float64, d unit.Direction) error {
			_, err := VersusControl(s, 0, stat.TwoSided, PairwiseOptions{Better: d})
			return err
		},
	}
	cases := map[string]struct {
		scores [][]float64
		better unit.Direction
		want   error
		text   string
	}{
		"nothing": {nil, unit.Higher, stat.ErrSampleSize, "0 data sets"},
		"no learner": {
			[][]float64{{}, {}},
			unit.Higher, stat.ErrSampleSize,
			"0 learners, need at least 2",
		},
		"one": {
			[][]float64{{1}, {2}},
			unit.Higher, stat.ErrSampleSize,
			"1 learners, need at least 2",
		},
		"ragged": {[][]float64{{1, 2}, {1, 2, 3}}, unit.Higher, stat.ErrSampleSize, "data set 1"},
		"NaN": {
			[][]float64{{1, 2}, {3, math.NaN()}},
			unit.Higher, stat.ErrNotFinite,
			"data set 1, learner 1",
		},
		"infinite": {
			[][]float64{{math.Inf(1), 2}, {3, 4}},
			unit.Lower, stat.ErrNotFinite,
			"data set 0, learner 0",
		},
		"direction": {[][]float64{{1, 2}, {3, 4}}, 2, stat.ErrDomain, "Direction(2)"},
	}
	for name, test := range tests {
		for what, c := range cases {
			err := test(c.scores, c.better)
			require.ErrorIs(t, err, c.want, "%s %s", name, what)
			require.ErrorContains(t, err, c.text, "%s %s", name, what)
		}
	}
	for _, name := range []string{"quade", "aligned", "pairwise", "control"} {
		err := tests[name]([][]float64{{1.7e308, -1.7e308, -1.7e308}, {1, 2, 3}}, unit.Higher)
		require.ErrorIs(t, err, stat.ErrNotFinite, name)
	}
	_, err := CochranQ(nil)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = CochranQ(outcomes("1", "0"))
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = CochranQ(outcomes("10", "0"))
	require.ErrorContains(t, err, "example 1")
}

func TestFriedmanWarnsOfRoughLimits(t *testing.T) {
	t.Parallel()
	got, err := Friedman(bcm(t), unit.Higher)
	require.NoError(t, err)
	require.Empty(t, got.Warnings)
	got, err = Friedman(bcm(t)[:10], unit.Higher)
	require.NoError(t, err)
	require.ErrorIs(t, got.Warnings[0], errFewDataSets)
	q, err := CochranQ(outcomes("10", "01", "10"))
	require.NoError(t, err)
	require.ErrorIs(t, q.Warnings[0], errFewDataSets)
}
