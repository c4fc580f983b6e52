package ranking

import (
	"encoding/json"
	"math"
	"os"
	"strings"
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
			if strings.HasPrefix(name, "precision") {
				continue
			}
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
	require.Equal(t, 9*16, scored)
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
	for _, name := range []string{"", "dcg", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@010", "ndcg@ten", "NDCG"} {
		_, err := Lookup(name)
		require.Error(t, err, name)
	}
}
