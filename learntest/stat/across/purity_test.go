package across

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Every exported function that takes a slice is called, and its arguments are compared with a
// copy.
func TestNoFunctionModifiesItsInput(t *testing.T) {
	t.Parallel()
	type arguments struct {
		A, B    []float64
		Scores  [][]float64
		Success [][]bool
	}
	args := arguments{
		A: []float64{0.9, 0.7, 0.8, 0.85, 0.6, 0.75, 0.7},
		B: []float64{0.8, 0.75, 0.8, 0.7, 0.65, 0.6, 0.5},
		Scores: [][]float64{
			{0.9, 0.8, 0.7},
			{0.6, 0.9, 0.6},
			{0.5, 0.7, 0.8},
			{0.9, 0.9, 0.1},
			{0.3, 0.2, 0.1},
		},
		Success: outcomes("101", "110", "011", "111", "100"),
	}
	text := func() string {
		out, err := json.Marshal(args)
		require.NoError(t, err)
		return string(out)
	}
	before := text()
	calls := map[string]func() error{
		"SignTest": func() error {
			_, err := SignTest(args.A, args.B, stat.TwoSided,
				SignOptions{})
			return err
		},
		"SignedRank": func() error {
			_, err := SignedRank(args.A, args.B, stat.TwoSided,
				SignedRankOptions{})
			return err
		},
		"BayesSign": func() error {
			_, err := BayesSign(args.A, args.B,
				BayesSignOptions{})
			return err
		},
		"BayesSignedRank": func() error {
			_, err := BayesSignedRank(args.A, args.B, BayesSignedRankOptions{Samples: 10})
			return err
		},
		"Friedman":     func() error { _, err := Friedman(args.Scores, unit.Lower); return err },
		"Quade":        func() error { _, err := Quade(args.Scores, unit.Lower); return err },
		"AlignedRanks": func() error { _, err := AlignedRanks(args.Scores, unit.Lower); return err },
		"CochranQ":     func() error { _, err := CochranQ(args.Success); return err },
		"MeanRanks":    func() error { _, err := MeanRanks(args.Scores, unit.Lower); return err },
		"PoolDependence": func() error {
			_, err := PoolDependence(args.Scores, unit.Lower, 0, 1,
				0.1)
			return err
		},
		"Pairwise": func() error {
			_, err := Pairwise(args.Scores,
				PairwiseOptions{Better: unit.Lower})
			return err
		},
		"VersusControl": func() error {
			_, err := VersusControl(args.Scores, 0, stat.Less, PairwiseOptions{})
			return err
		},
	}
	for _, rule := range []zeroRule{prattZeros, splitZeros} {
		calls["SignedRank "+rule.String()] = func() error {
			_, err := SignedRank(args.A, args.B, stat.Less, SignedRankOptions{zeros: rule})
			return err
		}
	}
	for _, test := range PairTests() {
		calls[test.Name] = func() error { _, err := test.Run(args.A, args.B, stat.Greater); return err }
	}
	for name, call := range calls {
		require.NoError(t, call(), name)
		require.Equal(t, before, text(), name)
	}
}
