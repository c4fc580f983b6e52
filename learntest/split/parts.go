package split

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A Fold is a training set and a test set: indices of examples, counted from 0.
type Fold struct {
	Train, Test []int
}

// Partitions are kept as a string, which makes protocols comparable: for each
// run the number of its folds, for each fold twice the number of indices and
// the indices, all as varints.

func encodeRuns(runs [][]Fold) string {
	var b []byte
	for _, folds := range runs {
		b = binary.AppendVarint(b, int64(len(folds)))
		for _, f := range folds {
			for _, set := range [][]int{f.Train, f.Test} {
				b = binary.AppendVarint(b, int64(len(set)))
				for _, i := range set {
					b = binary.AppendVarint(b, int64(i))
				}
			}
		}
	}
	return string(b)
}

func decodeRuns(parts string) [][]Fold {
	b := []byte(parts)
	number := func() int {
		v, size := binary.Varint(b)
		b = b[size:]
		return int(v)
	}
	set := func() []int {
		s := make([]int, number())
		for i := range s {
			s[i] = number()
		}
		return s
	}
	var runs [][]Fold
	for len(b) > 0 {
		folds := make([]Fold, number())
		for f := range folds {
			folds[f] = Fold{Train: set(), Test: set()}
		}
		runs = append(runs, folds)
	}
	return runs
}

// truncateRuns returns the encoding of the first runs only, if there are more.
func truncateRuns(parts string, runs int) string {
	all := decodeRuns(parts)
	return encodeRuns(all[:min(max(runs, 0), len(all))])
}

// digestParts returns the digest of the plan of these partitions.
func digestParts(parts string) string {
	runs := decodeRuns(parts)
	folds := 0
	if len(runs) > 0 {
		folds = len(runs[0])
	}
	h := newPlanHash(len(runs), folds)
	for _, run := range runs {
		for _, f := range run {
			h.add(f.Train)
			h.add(f.Test)
		}
	}
	return h.sum()
}

func checkParts(parts string, want int) error {
	runs := decodeRuns(parts)
	if len(runs) != want {
		return fmt.Errorf("runs=%d, but there are partitions for %d", want, len(runs))
	}
	for j, folds := range runs {
		if len(folds) == 0 || len(folds) != len(runs[0]) {
			return fmt.Errorf("run %d has %d folds, run 1 has %d", j+1, len(folds), len(runs[0]))
		}
		for i, f := range folds {
			if err := f.check(); err != nil {
				return fmt.Errorf("run %d, fold %d: %w", j+1, i+1, err)
			}
		}
	}
	return nil
}

func (f Fold) check() error {
	if len(f.Train) == 0 || len(f.Test) == 0 {
		return fmt.Errorf("training set of %d and test set of %d examples", len(f.Train), len(f.Test))
	}
	all := slices.Sorted(slices.Values(slices.Concat(f.Train, f.Test)))
	if all[0] < 0 {
		return fmt.Errorf("negative index %d", all[0])
	}
	for k := 1; k < len(all); k++ {
		if all[k] == all[k-1] {
			return fmt.Errorf("index %d occurs twice", all[k])
		}
	}
	return nil
}
