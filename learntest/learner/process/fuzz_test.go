package process

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAnswer checks that any line is an error, or an answer to the message that was
// asked, whose predictions are complete or an error.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"id":1}`, `{"id":1,"error":"no"}`, `{"id":null,"error":"what?"}`,
		`{"id":1,"gives":"labels","labels":[0,1]}`,
		`{"id":1,"probabilities":[[0.5,0.5],[1,0]]}`, `{"id":1,"values":[1e3,null]}`,
		`{"id":1,"numbers":[null]}`, `{"id":1,"labels":[2,0.5]}`, `[`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := readAnswer(line, 1)
		if err != nil {
			require.Nil(t, a)
			return
		}
		require.EqualValues(t, 1, *a.ID)
		var out Predictions
		if a.predictions(Labels, 2, 2, &out) == nil {
			require.Len(t, out.Labels, 2)
		}
		if a.predictions(Probabilities, 2, 2, &out) == nil {
			require.Len(t, out.Probabilities, 4)
		}
		if a.predictions(Values, 2, 0, &out) == nil {
			require.Len(t, out.Values, 2)
		}
	})
}

// FuzzWrittenPredictions checks that the files that programs write have a prediction for
// each example or are errors.
func FuzzWrittenPredictions(f *testing.F) {
	for _, s := range []string{
		"a\nb\n", "\"a\"\r\nb", "a,b\n0.5,0.5\n1,0\n", "b\n1\n1\n",
		"1\n2\n", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkWritten(t, text)
	})
}
