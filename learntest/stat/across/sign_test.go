package across

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
)

func TestSignTestAgreesWithReference(t *testing.T) {
	t.Parallel()
	type counts struct {
		N, Wins, Losses int
		TwoSided        float64 `json:"p_two_sided"`
		Greater         float64 `json:"p_greater"`
		Less            float64 `json:"p_less"`
		Z               float64
		Normal          float64 `json:"p_normal"`
		ZContinuity     float64 `json:"z_continuity"`
		Continuity      float64 `json:"p_normal_continuity"`
	}
	for _, r := range references(t, "sign.json", "sign/") {
		in := decode[struct{ Wins, Losses, Ties int }](t, r.Input)
		run := func(rule tieRule, null Null, alt stat.Alternative) SignResult {
			got, err := signTestCounts(in.Wins, in.Losses, in.Ties, alt, SignOptions{ties: rule, Null: null})
			require.NoError(t, err)
			return got
		}
		if r.Edge {
			got := run(dropTies, Exact, stat.TwoSided)
			require.Equal(t, 1.0, got.P)
			require.ErrorIs(t, got.Warnings[0], ErrNoDifference)
			continue
		}
		type expected struct {
			counts
			Split counts `json:"demsar_ties_split"`
		}
		want := decode[expected](t, r.Expected)
		for rule, want := range map[tieRule]counts{dropTies: want.counts, splitTies: want.Split} {
			got := run(rule, Exact, stat.TwoSided)
			require.True(t, got.Exact)
			require.Equal(t, []int{want.N, want.Wins, want.Losses}, []int{
				got.UsedWins + got.UsedLosses,
				got.UsedWins, got.UsedLosses,
			}, r.ID)
			r.close(t, want.TwoSided, got.P, "two-sided")
			r.close(t, want.Greater, run(rule, Exact, stat.Greater).P, "greater")
			r.close(t, want.Less, run(rule, Exact, stat.Less).P, "less")
			got = run(rule, Normal, stat.TwoSided)
			require.False(t, got.Exact)
			r.close(t, want.Z, got.Statistic, "z")
			r.close(t, want.Normal, got.P, "normal")
			got = run(rule, NormalContinuity, stat.TwoSided)
			r.close(t, want.ZContinuity, math.Abs(got.Statistic), "z with continuity")
			r.close(t, want.Continuity, got.P, "continuity")
		}
	}
}

func TestSignPowerAgreesWithReference(t *testing.T) {
	t.Parallel()
	for _, r := range references(t, "sign_power.json", "power/") {
		in := decode[struct {
			N     int
			Win   float64 `json:"p_win"`
			Alpha float64
		}](t, r.Input)
		want := decode[struct {
			Critical []int `json:"critical_wins"`
			Power    float64
			AllWins  float64 `json:"p_all_20_wins"`
		}](t, r.Expected)
		got, err := SignPower(in.N, in.Win, in.Alpha, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, want.Critical, []int{got.Low, got.High})
		r.close(t, want.Power, got.Power, "power")
		got, err = SignPower(in.N, in.Win, math.Ldexp(1, -in.N), stat.Greater)
		require.NoError(t, err)
		require.Equal(t, in.N, got.High)
		r.close(t, want.AllWins, got.Power, "all wins")
	}
}

func TestSignTestCountsTiesWithTolerance(t *testing.T) {
	t.Parallel()
	// 0.3 and 0.1+0.2 differ in the last place; scores of other data sets do not
	// widen the tolerance.
	a := []float64{0.3, 1e9, 2e-3, 5}
	tenth := 0.1
	b := []float64{tenth + 0.2, 1e9, 1e-3, 7}
	got, err := SignTest(a, b, stat.TwoSided, SignOptions{})
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 2}, []int{got.Wins, got.Losses, got.Ties})
}

func TestSignTestErrors(t *testing.T) {
	t.Parallel()
	one := []float64{1}
	for name, c := range map[string]struct {
		a, b []float64
		alt  stat.Alternative
		opt  SignOptions
		want error
		text string
	}{
		"empty": {nil, nil, 0, SignOptions{}, stat.ErrSampleSize, "no data sets"},
		"lengths": {
			one, nil, 0,
			SignOptions{},
			stat.ErrSampleSize,
			"1 scores of the candidate, 0 of the baseline",
		},
		"NaN": {
			[]float64{1, 2},
			[]float64{1, math.NaN()},
			0,
			SignOptions{},
			stat.ErrNotFinite,
			"data set 1",
		},
		"infinite": {[]float64{math.Inf(-1)}, one, 0, SignOptions{}, stat.ErrNotFinite, "data set 0"},
		"overflow": {
			[]float64{1e308},
			[]float64{-1e308},
			0,
			SignOptions{},
			stat.ErrNotFinite,
			"data set 0",
		},
		"alternative": {one, one, 9, SignOptions{}, stat.ErrDomain, "Alternative(9)"},
		"ties":        {one, one, 0, SignOptions{ties: 9}, stat.ErrDomain, "tieRule(9)"},
		"null":        {one, one, 0, SignOptions{Null: 9}, stat.ErrDomain, "Null(9)"},
	} {
		_, err := SignTest(c.a, c.b, c.alt, c.opt)
		require.ErrorIs(t, err, c.want, name)
		require.ErrorContains(t, err, c.text, name)
	}
	_, err := signTestCounts(1, -1, 0, 0, SignOptions{})
	require.ErrorIs(t, err, stat.ErrSampleSize)
}

func TestSignTestWarnsWhenNothingCouldBeSignificant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		alt  stat.Alternative
		warn bool
	}{
		{5, stat.TwoSided, true},
		{6, stat.TwoSided, false},
		{4, stat.Greater, true},
		{5, stat.Less, false},
	} {
		got, err := signTestCounts(c.n, 0, 3, c.alt, SignOptions{})
		require.NoError(t, err)
		if c.warn {
			require.ErrorIs(t, got.Warnings[0], errFewDataSets)
		} else {
			require.Empty(t, got.Warnings)
		}
	}
}

func TestSignPowerDomain(t *testing.T) {
	t.Parallel()
	_, err := SignPower(0, 0.5, 0.05, stat.TwoSided)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		_, err = SignPower(5, bad, 0.05, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrDomain)
		_, err = SignPower(5, 0.5, bad, stat.TwoSided)
		require.ErrorIs(t, err, stat.ErrDomain)
	}
	_, err = SignPower(5, 0.5, 0.05, 7)
	require.ErrorIs(t, err, stat.ErrDomain)
	got, err := SignPower(5, 0.9, 0.05, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, SignPowerResult{DataSets: 5, WinProb: 0.9, Alpha: 0.05, Low: -1, High: 6}, got)
	got, err = SignPower(5, 0.9, 1, stat.TwoSided)
	require.NoError(t, err)
	require.Equal(t, []float64{1, 1}, []float64{got.Size, got.Power})
}

func TestSignPowerIsTheProbabilityOfRejecting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		win := rapid.Float64Range(0, 1).Draw(t, "win")
		alpha := rapid.Float64Range(0, 1).Draw(t, "alpha")
		alt := rapid.SampledFrom([]stat.Alternative{stat.TwoSided, stat.Greater, stat.Less}).Draw(t,
			"alt")
		got, err := SignPower(n, win, alpha, alt)
		require.NoError(t, err)
		// Every order of wins and losses, one bit each.
		power, size := 0.0, 0.0
		for s := range 1 << n {
			wins, p := 0, 1.0
			for i := range n {
				if s>>i&1 == 1 {
					wins++
					p *= win
				} else {
					p *= 1 - win
				}
			}
			test, err := signTestCounts(wins, n-wins, 0, alt, SignOptions{})
			require.NoError(t, err)
			if test.P <= alpha {
				power += p
				size += math.Ldexp(1, -n)
			}
		}
		require.True(t, floatcmp.Equal(got.Power, power, 1e-13, 1e-10), "%v, want %v", got.Power, power)
		require.True(t, floatcmp.Equal(got.Size, size, 1e-13, 1e-10), "%v, want %v", got.Size, size)
	})
}
