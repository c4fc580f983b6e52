package match

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMatchTests(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		columns [][]string
		want    [][]string // by match: the test of each column, "" for none
	}{
		"same names": {
			[][]string{{"a", "b"}, {"b", "a"}},
			[][]string{{"a", "a"}, {"b", "b"}},
		},
		"one is renamed": {
			[][]string{{"a", "b"}, {"a", "c"}},
			[][]string{{"a", "a"}, {"b", "c"}},
		},
		"two are renamed": {
			[][]string{{"a", "b"}, {"c", "d"}},
			[][]string{{"a", ""}, {"b", ""}, {"", "c"}, {"", "d"}},
		},
		"one has no partner": {
			[][]string{{"a", "b"}, {"a"}},
			[][]string{{"a", "a"}, {"b", ""}},
		},
		"two of one side have none": {
			[][]string{{"a", "b", "c"}, {"a"}},
			[][]string{{"a", "a"}, {"b", ""}, {"c", ""}},
		},
		"renamed in the third of three": {
			[][]string{{"a", "b"}, {"a", "b"}, {"a", "c"}},
			[][]string{{"a", "a", "a"}, {"b", "b", ""}, {"", "", "c"}},
		},
		"another name in each of three": {
			[][]string{{"a", "b"}, {"a", "c"}, {"a", "d"}},
			[][]string{{"a", "a", "a"}, {"b", "c", "d"}},
		},
		"a column that has nothing else": {[][]string{{"a"}, {"b"}}, [][]string{{"a", "b"}}},
	} {
		columns := make([][]entry, len(c.columns))
		for i, tests := range c.columns {
			for _, test := range tests {
				columns[i] = append(columns[i], entry{name: testName{test: test}})
			}
		}
		var got [][]string
		for _, m := range matchTests(columns) {
			tests := make([]string, len(columns))
			for i, e := range m.entries {
				if e != nil {
					tests[i] = e.name.test
				}
			}
			got = append(got, tests)
		}
		assert.Equal(t, c.want, got, name)
	}
}
