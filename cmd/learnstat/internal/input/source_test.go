package input

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSourcesHaveLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, labels, keys []string }{
		{[]string{"old.txt", "new.txt"}, []string{"old.txt", "new.txt"}, []string{"old.txt", "new.txt"}},
		{
			[]string{"/tmp/x/old.txt", "/tmp/x/new.txt"},
			[]string{"old.txt", "new.txt"},
			[]string{"/tmp/x/old.txt", "/tmp/x/new.txt"},
		},
		{
			[]string{"main/v.txt", "change/v.txt"},
			[]string{"main/v.txt", "change/v.txt"},
			[]string{"main/v.txt", "change/v.txt"},
		},
		{
			[]string{"a/b/c.txt", "a/c.txt"},
			[]string{"b/c.txt", "c.txt"},
			[]string{"a/b/c.txt", "a/c.txt"},
		},
		{[]string{"a/b", "a/b"}, []string{"b#0", "b#1"}, []string{"a/b#0", "a/b#1"}},
		{
			[]string{"before=x/old.txt", "x/new.txt"},
			[]string{"before", "new.txt"},
			[]string{"before", "x/new.txt"},
		},
		{[]string{"a=b=c", "./d=e"}, []string{"a", "./d=e"}, []string{"a", "./d=e"}},
		{[]string{"=x", "y"}, []string{"=x", "y"}, []string{"=x", "y"}},
		{[]string{"x=", "y"}, []string{"x=", "y"}, []string{"x=", "y"}},
		{[]string{"old=a", "new=b", "old=c"}, []string{"old", "new"}, []string{"old", "new"}},
		{[]string{"-", "new.txt"}, []string{"-", "new.txt"}, []string{"-", "new.txt"}},
		{
			[]string{"v.txt=x/old.txt", "x/v.txt", "x/w.txt"},
			[]string{"v.txt", "x/v.txt", "w.txt"},
			[]string{"v.txt", "x/v.txt", "x/w.txt"},
		},
	} {
		sources, err := Sources(c.args)
		require.NoError(t, err)
		var labels, keys []string
		for _, s := range sources {
			labels, keys = append(labels, s.Label), append(keys, s.Key)
		}
		assert.Equal(t, c.labels, labels, "%v", c.args)
		assert.Equal(t, c.keys, keys, "%v", c.args)
	}
	sources, err := Sources([]string{"a=b=c", "./d=e"})
	require.NoError(t, err)
	assert.Equal(t, []string{"b=c"}, sources[0].Paths)
	assert.Equal(t, []string{"./d=e"}, sources[1].Paths)
	sources, err = Sources([]string{"old=a", "new=b", "old=c"})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "c"}, sources[0].Paths)
	_, err = Sources([]string{"-", "new=-"})
	require.EqualError(t, err, "standard input, -, can be read once only")
}
