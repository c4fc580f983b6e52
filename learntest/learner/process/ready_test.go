package process

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// A program that is ready is the one that serves the first model.
func TestReadyStartsTheProgramOnce(t *testing.T) {
	t.Parallel()
	l := served(t, "tables")
	require.NoError(t, l.Ready(t.Context(), uci.Iris()))
	require.NoError(t, l.Ready(t.Context()))
	free := func() []*child {
		l.mu.Lock()
		defer l.mu.Unlock()
		return slices.Clone(l.free)
	}
	first := free()
	require.Len(t, first, 1)
	iris := uci.Iris()
	m, err := l.Fit(t.Context(), iris, []int{0, 60, 120}, 1)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	require.Equal(t, first, free())
	require.Len(t, processes(l), 1)
}

func TestReadySaysWhatNoModelCanBe(t *testing.T) {
	t.Parallel()
	numbers, err := dataset.New("numbers", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "y"},
		Numbers:   []float64{1, 2},
	}}, 0, nil)
	require.NoError(t, err)
	const classes = `text={"id":ID,"protocol":1,"predicts":["classes"],"numbers":[0.1,-0.3333333333333333,123456789.12345679,9007199254740991,1e22,2.2250738585072014e-308,1.7976931348623157e308,null]}`
	for _, c := range []struct {
		name   string
		args   []string
		tables []*dataset.Table
		want   string
		is     error
	}{
		{
			"crash",
			[]string{"crash=hello"},
			nil,
			"hello: the program ended: exit status 7: its last words: about to crash", ErrEnded,
		},
		{
			"error",
			[]string{"raw=hello", `text={"id":ID,"error":"no such estimator"}`},
			nil,
			"hello: the program says: no such estimator", ErrProgram,
		},
		{
			"numbers",
			[]string{"raw=hello", classes},
			[]*dataset.Table{uci.Iris(), numbers},
			`data set "numbers": the program says: it predicts classes, and the data have numbers`,
			ErrProgram,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := served(t, c.args...)
			err := l.Ready(t.Context(), c.tables...)
			assert.EqualError(t, err, c.want)
			assert.ErrorIs(t, err, c.is)
		})
	}
}

// Predicts returns what the program says, which is started once.
func TestPredictsIsWhatTheProgramSays(t *testing.T) {
	t.Parallel()
	const says = `text={"id":ID,"protocol":1,"predicts":[%s],"numbers":[0.1,-0.3333333333333333,123456789.12345679,9007199254740991,1e22,2.2250738585072014e-308,1.7976931348623157e308,null]}`
	for predicts, want := range map[string][2]bool{
		`"classes"`: {true, false}, `"numbers"`: {false, true}, `"numbers","classes"`: {true, true}, `"answers"`: {},
	} {
		l := served(t, "raw=hello", fmt.Sprintf(says, predicts))
		classes, numbers, err := l.Predicts(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, [2]bool{classes, numbers}, predicts)
		_, _, err = l.Predicts(t.Context())
		require.NoError(t, err)
		require.Len(t, processes(l), 1)
	}
	l := served(t, "crash=hello")
	_, _, err := l.Predicts(t.Context())
	require.ErrorIs(t, err, ErrEnded)
	for name, there := range map[string]bool{"./ready.go": true, "./none": false} {
		l, err := New(Config{Args: []string{name, "{train}", "{test}", "{pred}"}, Depends: []string{}})
		require.NoError(t, err)
		classes, numbers, err := l.Predicts(t.Context())
		require.Equal(t, [3]bool{there, there, there}, [3]bool{classes, numbers, err == nil}, name)
		require.NoError(t, l.Close())
	}
}

// Programs that read files are looked for, not started.
func TestReadyFindsProgramsOfFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, dir string
		missing   bool
	}{
		{"./ready.go", "", false},
		{"./shims.go", "shims", false},
		{"./ready.go", "shims", true},
		{"./no-such-program", "", true},
		{"no-such-program", "", true},
	} {
		l, err := New(Config{
			Args: []string{c.name, "{train}", "{test}", "{pred}"}, Dir: c.dir,
			Depends: []string{},
		})
		require.NoError(t, err)
		err = l.Ready(t.Context(), uci.Iris())
		if c.missing {
			assert.ErrorIs(t, err, ErrStart, c.name)
		} else {
			assert.NoError(t, err, c.name)
		}
		require.NoError(t, l.Close())
	}
}
