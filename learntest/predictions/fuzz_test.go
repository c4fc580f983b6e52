package predictions

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
)

// Predictions that were read are written and read back unchanged. The checksum is put right before
// reading: nothing else would get past it.
func FuzzRead(f *testing.F) {
	for name, form := range forms {
		if form.n <= 150 {
			body, _, _ := strings.Cut(text(f, made(f, form)), "Checksum: ")
			require.Less(f, len(body), 1<<16, name)
			f.Add([]byte(body))
		}
	}
	for _, v := range vectors(f) {
		f.Add([]byte(v.Expected.Text))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		data := append(bytes.Clone(body), "Checksum: "+sumOf(string(body))+"\n"...)
		read, err := Read(bytes.NewReader(data), "f.pred")
		if err != nil {
			requireSyntax(t, err)
			return
		}
		if len(body) > maxName/3 { // escapes may lengthen a name beyond the limit
			return
		}
		full := text(t, read...)
		again, err := Read(strings.NewReader(full), "again.pred")
		require.NoError(t, err)
		require.Len(t, again, len(read))
		for i := range read {
			require.Equal(t, contents(read[i]), contents(again[i]))
		}
		require.Equal(t, full, text(t, again...))
	})
}

func requireSyntax(t *testing.T, err error) {
	var e *record.SyntaxError
	require.ErrorAs(t, err, &e)
	require.Equal(t, "f.pred", e.File)
	require.Positive(t, e.Line)
}
