package datafile

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

const visits = `age,clinic,visits,ill
40,a,1,yes
47,b,2,no
54,a,3,no
61,b,,yes
`

func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func reading(t *testing.T, args ...string) dataset.ReadOptions {
	t.Helper()
	var opts dataset.ReadOptions
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	Flags(fs, &opts)
	require.NoError(t, fs.Parse(args))
	return opts
}

func TestFlagsAreRead(t *testing.T) {
	t.Parallel()
	opts := reading(t, "-class", "ill", "-ignore", "age, visits", "-nominal", "clinic", "-missing", "-1", "-missing", "none")
	assert.Equal(t, dataset.ReadOptions{
		Class: "ill", Ignore: []string{"age", "visits"}, Kinds: map[string]dataset.Kind{"clinic": dataset.Nominal},
		Missing: []string{"", "?", "NA", "-1", "none"},
	}, opts)
	assert.Nil(t, reading(t, "-target", "age").Missing, "the reader has values of its own")
}

func TestOpenNotesHowFilesWereRead(t *testing.T) {
	t.Parallel()
	var notes []string
	path := written(t, "visits.csv", visits)
	tables, err := Open([]string{path, "uci:iris"}, Options{
		ReadOptions: reading(t, "-class", "ill"), Labeled: true, Note: func(text string) { notes = append(notes, text) },
	})
	require.NoError(t, err)
	require.Len(t, tables, 2)
	assert.Equal(t, []string{
		path + `: 4 examples; the class is "ill" (yes 2, no 2); numbers: age, visits (1 missing); nominal: clinic (2 values)`,
	}, notes)
}

func TestOpenRefusesWhatCannotBePredicted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"a,ill\n1,yes\n\n2,?\n3,no\n4,?\n", `visits.csv:4: "ill" is to be predicted, and missing: leave out the 2 rows where it is missing`},
		{"a,ill\n1,yes\n2,no\n3,\n", `visits.csv:4: "ill" is to be predicted, and missing: leave out that row`},
		{"a,ill\n1,x\n2,y\n", `the class "ill" has a value of its own in each of 2 examples`},
	} {
		_, err := Open([]string{written(t, "visits.csv", c.text)}, Options{Labeled: true})
		require.ErrorContains(t, err, c.want)
	}
	_, err := Open([]string{"uci:iris"}, Options{ReadOptions: reading(t, "-class", "ill")})
	require.ErrorContains(t, err, "are for files; built-in data sets have their classes")
	_, err = Open([]string{"uci:nowhere"}, Options{})
	require.Error(t, err)
}

func TestSlicesOfIgnoredColumns(t *testing.T) {
	t.Parallel()
	path := written(t, "visits.csv", visits)
	digest := func(args ...string) string {
		tables, err := Open([]string{path}, Options{ReadOptions: reading(t, args...)})
		require.NoError(t, err)
		d, err := tables[0].Digest()
		require.NoError(t, err)
		return d
	}
	for _, c := range []struct {
		args   []string
		slices []string
		note   bool
	}{
		{nil, []string{"clinic", "age>=50"}, false},
		{[]string{"-ignore", "visits"}, []string{"clinic", "age>=50"}, false},
		{[]string{"-ignore", "clinic"}, []string{"clinic", "age>=50"}, true},
		{[]string{"-ignore", "age,visits"}, []string{"clinic", "age >= 50"}, true},
	} {
		opts := reading(t, c.args...)
		opts.Slices = c.slices
		sliced, note, err := Slices([]string{path}, opts)
		require.NoError(t, err)
		require.Contains(t, sliced, "visits")
		assert.Equal(t, digest(c.args...), sliced["visits"].DataDigest, "slices are in no digest: %v", c.args)
		require.Len(t, sliced["visits"].Of, 3)
		assert.Equal(t, []int{0, 2}, sliced["visits"].Of[0].Rows)
		assert.Equal(t, []int{2, 3}, sliced["visits"].Of[2].Rows)
		assert.Equal(t, c.note, note != "", note)
	}
	_, _, err := Slices([]string{path, path}, reading(t))
	require.ErrorContains(t, err, `two data sets are called "visits"`)
}
