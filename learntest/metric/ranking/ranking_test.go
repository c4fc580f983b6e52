package ranking

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReference(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/ranking.json")
	require.NoError(t, err)
	var cases []struct {
		ID    string
		Input struct {
			Qrel map[string]int
			Run  map[string]float64
		}
		Expected map[string]any
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	scored, undefined := 0, 0
	for _, c := range cases {
		var found []Document
		for id, score := range c.Input.Run {
			found = append(found, Document{id, score})
		}
		for name, want := range c.Expected {
			m, err := Lookup(name)
			require.NoError(t, err)
			require.Equal(t, name, m.Name())
			got, err := m.Score(c.Input.Qrel, found)
			if want == "undefined" {
				undefined++
				require.ErrorIs(t, err, ErrNoRelevant, "%s of %s", name, c.ID)
				continue
			}
			scored++
			require.NoError(t, err)
			require.InDelta(t, want, got, 1e-14, "%s of %s", name, c.ID)
		}
	}
	require.Equal(t, 9*20+2*4, scored)
	require.Equal(t, 2*16, undefined)
}

func TestOrderOfDocumentsDoesNotCount(t *testing.T) {
	t.Parallel()
	m, err := Lookup("ndcg@2")
	require.NoError(t, err)
	found := []Document{{"a", 1}, {"b", 3}, {"c", 3}}
	want, err := m.Score(map[string]int{"b": 1}, found)
	require.NoError(t, err)
	require.InDelta(t, 1/math.Log2(3), want, 1e-15) // c comes before b
	got, err := m.Score(map[string]int{"b": 1}, []Document{found[2], found[0], found[1]})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, "a", found[0].ID) // unchanged
}

func TestScoresAreRefused(t *testing.T) {
	t.Parallel()
	m, err := Lookup("map")
	require.NoError(t, err)
	_, err = m.Score(map[string]int{"a": 1}, []Document{{"a", 1}, {"b", 2}, {"a", 0}})
	require.ErrorContains(t, err, `document "a" was found twice`)
	_, err = m.Score(map[string]int{"a": 1}, []Document{{"a", 1}, {"b", math.NaN()}})
	require.ErrorContains(t, err, `document "b" has the score NaN`)
	m, err = Lookup("ndcg-exp")
	require.NoError(t, err)
	_, err = m.Score(map[string]int{"a": 2000}, []Document{{"a", 1}})
	require.ErrorContains(t, err, "a judgement of 2000 is too large for ndcg-exp")
	for _, name := range []string{
		"", "dcg", "precision", "precision@0", "ndcg@", "ndcg@0", "ndcg@-1",
		"ndcg@010", "ndcg@ten", "NDCG",
	} {
		_, err := Lookup(name)
		require.Error(t, err, name)
	}
}

// TestExponentialGain takes two grades by hand: gains of 3 and 1 for the grades 2 and 1.
func TestExponentialGain(t *testing.T) {
	t.Parallel()
	judgements := map[string]int{"a": 2, "b": 1, "c": -1}
	m, err := Lookup("ndcg-exp@2")
	require.NoError(t, err)
	got, err := m.Score(judgements, []Document{{"b", 3}, {"a", 2}, {"c", 1}})
	require.NoError(t, err)
	second := math.Log2(3)
	require.InDelta(t, (1+3/second)/(3+1/second), got, 1e-15)
	got, err = m.Score(judgements, []Document{{"c", 3}, {"a", 2}, {"b", 1}})
	require.NoError(t, err)
	require.InDelta(t, 3/second/(3+1/second), got, 1e-15)
}

// TestPrecision divides by the number that is asked for, however few documents were found.
func TestPrecision(t *testing.T) {
	t.Parallel()
	m, err := Lookup("precision@5")
	require.NoError(t, err)
	got, err := m.Score(map[string]int{"a": 1, "b": 3, "c": 0},
		[]Document{{"c", 3}, {"a", 2}, {"b", 1}})
	require.NoError(t, err)
	require.InDelta(t, 0.4, got, 1e-15)
}
