package dataset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func numeric(name string, values ...float64) Column {
	return Column{Attribute: Attribute{Name: name}, Numbers: values}
}

func nominal(name string, values []string, codes ...int32) Column {
	return Column{Attribute: Attribute{Name: name, Kind: Nominal, Values: values}, Codes: codes}
}

func mustNew(t require.TestingT, cols []Column, class int, weights []float64) *Table {
	table, err := New("t", cols, class, weights)
	require.NoError(t, err)
	return table
}

func mustGroup(t require.TestingT, table *Table, name string, groups ...string) *Table {
	table, err := table.WithGroups(name, groups)
	require.NoError(t, err)
	return table
}

func digest(t require.TestingT, table *Table) string {
	d, err := table.Digest()
	require.NoError(t, err)
	return d
}

// requireRoundTrip checks that a table survives being written and read. The
// digest covers everything but the name.
func requireRoundTrip(t require.TestingT, table *Table) {
	var arff bytes.Buffer
	require.NoError(t, WriteARFF(&arff, table))
	opts := ReadOptions{NoClass: table.ClassIndex() < 0, Group: table.groupName}
	if !opts.NoClass {
		opts.Class = table.Attribute(table.ClassIndex()).Name
	}
	got, err := ReadARFF(bytes.NewReader(arff.Bytes()), "written.arff", opts)
	require.NoError(t, err, arff.String())
	require.Equal(t, table.Name(), got.Name())
	require.Equal(t, table.Groups(), got.Groups())
	require.Equal(t, digest(t, table), digest(t, got), arff.String())
}

// numbersTable returns a table of random integers below 16 with 26 classes.
func numbersTable(t testing.TB, rows, numbers int) *Table {
	rng := rand.New(rand.NewPCG(1, 2))
	cols := make([]Column, numbers+1)
	for j := range cols {
		cols[j].Name = fmt.Sprintf("x%d", j)
	}
	class := &cols[numbers]
	class.Kind = Nominal
	for c := 'A'; c <= 'Z'; c++ {
		class.Values = append(class.Values, string(c))
	}
	for range rows {
		for j := range numbers {
			cols[j].Numbers = append(cols[j].Numbers, float64(rng.IntN(16)))
		}
		class.Codes = append(class.Codes, rng.Int32N(26))
	}
	return mustNew(t, cols, numbers, nil)
}
