package predictions

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// A vector is a file and the counts that are known of it: testdata/vectors.json says who has
// computed them.
type vector struct {
	ID    string
	Input struct {
		Data       string
		Classes    []string
		Truth      []int
		Folds      [][]int            `json:"folds_of_example"`
		Candidates map[string][][]int `json:"candidate_then_baseline"`
		Chunk      int
	}
	Expected struct {
		Text, Checksum string
		Accuracy       map[string][][]float64 `json:"accuracy_runs_by_folds"`
	}
}

func vectors(t testing.TB) []vector {
	text, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	var file struct{ Vectors []vector }
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Vectors, 7)
	return file.Vectors
}

// block returns the block of a vector.
func (v *vector) block(t testing.TB) *Block {
	h := Header{
		Data: v.Input.Data, Examples: len(v.Input.Truth), Classes: v.Input.Classes,
		DataDigest: strings.Repeat("ab", 32), SplitDigest: strings.Repeat("cd", 32),
	}
	for line := range strings.Lines(v.Expected.Text) {
		if text, ok := strings.CutPrefix(line, "protocol: "); ok {
			h.Protocol = strings.TrimSuffix(text, "\n")
		}
	}
	b, err := NewBlock(h, v.Input.Truth, nil)
	require.NoError(t, err)
	for j, folds := range v.Input.Folds {
		of := make([]uint16, len(folds))
		for i, f := range folds {
			of[i] = uint16(f) + 1
		}
		require.NoError(t, b.SetFolds(j+1, of))
	}
	for _, name := range []string{"new", "old", "only"} {
		for j, predicted := range v.Input.Candidates[name] {
			for fold := 1; fold <= b.shape.Folds; fold++ {
				var test []int
				var p metric.Predictions
				for i := range predicted {
					if b.Fold(j+1, i) == fold {
						test, p.Predicted = append(test, i), append(p.Predicted, predicted[i])
					}
				}
				require.NoError(t, b.Add(record.Cell{Data: h.Data, Learner: name, Run: j + 1, Fold: fold}, test,
					&p))
			}
		}
	}
	return b
}

func text(t testing.TB, blocks ...*Block) string {
	var out bytes.Buffer
	require.NoError(t, Write(&out, blocks...))
	return out.String()
}

func TestReferenceFiles(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		b := v.block(t)
		var out bytes.Buffer
		require.NoError(t, b.write(&out, v.Input.Chunk), v.ID)
		want := v.Expected.Text + "Checksum: " + v.Expected.Checksum + "\n"
		require.Equal(t, want, out.String(), v.ID)
		if v.Input.Chunk >= chunk {
			require.Equal(t, want, text(t, b), v.ID)
		}

		read, err := Read(strings.NewReader(want), "v.pred")
		require.NoError(t, err, v.ID)
		require.Len(t, read, 1)
		require.Equal(t, "v.pred:1", read[0].Pos.String())
		sum, err := read[0].Checksum()
		require.NoError(t, err)
		require.Equal(t, v.Expected.Checksum, sum)
		for name, runs := range v.Input.Candidates {
			for j, predicted := range runs {
				for i, c := range predicted {
					require.Equal(t, c, read[0].Run(name, j+1).Class(i), "%s: %s, run %d, example %d", v.ID, name,
						j+1, i)
				}
			}
		}
		require.Equal(t, text(t, b), text(t, read...), v.ID)
	}
}

// Files concatenate, compressed or not.
func TestFilesConcatenate(t *testing.T) {
	t.Parallel()
	var plain, zipped bytes.Buffer
	all := vectors(t)
	for _, v := range all {
		require.NoError(t, Write(&plain, v.block(t)))
		w := gzip.NewWriter(&zipped)
		require.NoError(t, Write(w, v.block(t)))
		require.NoError(t, w.Close())
	}
	whole := plain.String()
	for _, in := range []*bytes.Buffer{&plain, &zipped} {
		read, err := Read(in, "all.pred")
		require.NoError(t, err)
		require.Len(t, read, len(all))
		require.Equal(t, whole, text(t, read...))
	}
}
