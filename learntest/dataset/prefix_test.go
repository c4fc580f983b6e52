package dataset

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A table to which rows were added begins as the one before, whatever new values they have.
func TestStartsWith(t *testing.T) {
	t.Parallel()
	const head, rows, more = "patient,size,colour,ill\n", "a,1,red,no\nb,?,?,yes\na,2,blue,no\n",
		"c,3,green,perhaps\nd,4,red,yes\n"
	read := func(text string) *Table {
		table, err := ReadCSV(strings.NewReader(text), "ill.csv", ReadOptions{Group: "patient"})
		require.NoError(t, err)
		return table
	}
	before, err := read(head + rows).Digest()
	require.NoError(t, err)
	grown := read(head + rows + more)
	require.True(t, StartsWith(grown, 3, before))
	require.False(t, StartsWith(grown, 4, before))
	require.False(t, StartsWith(grown, 5, before), "nothing was added")
	require.False(t, StartsWith(grown, 6, before))
	require.False(t, StartsWith(read(head+rows), 3, before), "nothing was added")
	for name, text := range map[string]string{
		"a number":       head + strings.Replace(rows, "1", "7", 1) + more,
		"a value":        head + strings.Replace(rows, "blue", "red", 1) + more,
		"a new value":    head + strings.Replace(rows, "blue", "black", 1) + more,
		"a class":        head + strings.Replace(rows, "blue,no", "blue,yes", 1) + more,
		"a group":        head + strings.Replace(rows, "b,", "a,", 1) + more,
		"a row in front": head + "x,1,red,no\n" + rows + more,
		"the order":      head + "b,?,?,yes\na,1,red,no\na,2,blue,no\n" + more,
		"a column":       strings.ReplaceAll(head+rows+more, "\n", ",1\n"),
		"a name":         strings.Replace(head, "size", "height", 1) + rows + more,
	} {
		require.False(t, StartsWith(read(text), 3, before), name)
	}

	// An ARFF file declares all values before they are seen, and rows have weights.
	const declared = "@relation r\n@attribute colour {red,blue,green}\n@attribute x numeric\n@attribute ill {no,yes}\n@data\n"
	arff := func(rows string) *Table {
		table, err := ReadARFF(strings.NewReader(declared+rows), "r.arff", ReadOptions{})
		require.NoError(t, err)
		return table
	}
	before, err = arff("red,1,no,{2}\nblue,2,yes,{1}\n").Digest()
	require.NoError(t, err)
	require.True(t, StartsWith(arff("red,1,no,{2}\nblue,2,yes,{1}\ngreen,3,no,{1}\n"), 2, before))
	require.False(t, StartsWith(arff("red,1,no,{1}\nblue,2,yes,{1}\ngreen,3,no,{1}\n"), 2, before))
}
