package learntest

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWhatIsStoredOfACallFromAHelperPackage has tests run that call Compare
// through another package, and runs some again by the command that is stored.
func TestWhatIsStoredOfACallFromAHelperPackage(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	const pkg = "github.com/learnbench/learnbench/learntest/testdata/caller"
	out := filepath.Join(t.TempDir(), "r.txt")
	text, ok := goTest(t, []string{"-count=1", "./testdata/caller"}, envOut+"="+out)
	require.True(t, ok, text)
	var names []string
	for _, e := range open(t, out).Experiments() {
		names = append(names, e.Header.Test)
		assert.Equal(t, pkg, e.Header.Pkg, e.Header.Test)
		if !strings.ContainsAny(e.Header.Test, `".`) {
			continue // it takes a second
		}
		verbose := strings.Replace(e.Header.Reproduce, "go test", "go test -v", 1)
		text, ok := command(t, []string{"sh", "-c", verbose})
		require.True(t, ok, "%s: %s", verbose, text)
		passed := 0
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "--- PASS: ") {
				passed++
				assert.Contains(t, []string{"TestSub", e.Header.Test}, strings.Fields(line)[2])
			}
		}
		assert.Equal(t, 2, passed, "%s: %s", verbose, text)
	}
	slices.Sort(names)
	assert.Equal(t, []string{
		"TestPlain", `TestSub/\x00é`, "TestSub/a.b", "TestSub/a/b", "TestSub/a_b", "TestSub/helper's_own",
		`TestSub/it's_"quoted"_(1|2)_[x]_$5`,
	}, names)
}

func TestReproduceTest(t *testing.T) {
	t.Parallel()
	env := environment{settings: []string{"LEARNTEST_RUNS=3", "LEARNTEST_SEED=7"}}
	for _, c := range []struct {
		env             environment
		pkg, test, want string
	}{
		{environment{}, "example.com/m", "TestA", `go test -count=1 -run '^TestA$' example.com/m`},
		{
			env, "example.com/m", "TestA/b/c",
			`LEARNTEST_RUNS=3 LEARNTEST_SEED=7 go test -count=1 -run '^TestA$/^b$/^c$' example.com/m`,
		},
		{
			environment{},
			"m", `TestA/it's_"a.b"_(1|2)`,
			`go test -count=1 -run '^TestA$/^it'\''s_"a\.b"_\(1\|2\)$' m`,
		},
		{environment{}, "", "TestA#01", `go test -count=1 -run '^TestA#01$'`},
		{environment{}, "m", "FuzzA/seed#0", `go test -count=1 -run '^FuzzA$/^seed#0$' m`},
		{environment{}, "m", "BenchmarkA/b", `go test -count=1 -run '^$' -bench '^BenchmarkA$/^b$' m`},
	} {
		assert.Equal(t, c.want, reproduceTest(c.env, c.pkg, c.test))
	}
}

func TestCallerOfAStack(t *testing.T) {
	t.Parallel()
	const self = "github.com/learnbench/learnbench/learntest."
	frame := func(function, file string, line int) runtime.Frame {
		return runtime.Frame{Function: function, File: file, Line: line}
	}
	compare := []runtime.Frame{
		frame(self+"newGroup[...]", "/l/compare.go", 1),
		frame(self+"Compare[...]", "/l/compare.go", 2),
	}
	runner := []runtime.Frame{
		frame("testing.tRunner", "/go/testing.go", 3),
		frame("runtime.goexit", "/go/asm.s", 4),
	}
	for name, c := range map[string]struct {
		frames []runtime.Frame
		want   caller
	}{
		"test": {
			[]runtime.Frame{frame("example.com/m.TestA", "/m/a_test.go", 5)},
			caller{"a_test.go:5", "example.com/m"},
		},
		"external test": {
			[]runtime.Frame{frame("example.com/m_test.TestA.func1", "/m/a_test.go", 5)},
			caller{"a_test.go:5", "example.com/m"},
		},
		"dots": {[]runtime.Frame{frame("example.com/a.b/yaml%2ev3_test.T.Test", "/m/a_test.go",
			5)}, caller{"a_test.go:5", "example.com/a.b/yaml.v3"}},
		"helper": {[]runtime.Frame{
			frame("example.com/h.Compare", "/h/h.go", 6), frame("example.com/h.Deeper", "/h/h.go", 7),
			frame("example.com/m_test.TestA", "/m/a_test.go", 5),
		}, caller{"h.go:6, called from a_test.go:5", "example.com/m"}},
		"method of a suite": {[]runtime.Frame{
			frame("example.com/m.(*Suite).TestA", "/m/a_test.go", 5), frame("reflect.Value.call",
				"/go/value.go", 7), frame("reflect.Value.Call", "/go/value.go", 8),
		}, caller{"a_test.go:5", "example.com/m"}},
		"package called test": {
			[]runtime.Frame{frame("example.com/m_test.Run", "/m/run.go", 5)},
			caller{"run.go:5", "example.com/m_test"},
		},
		"test of learntest": {
			[]runtime.Frame{frame(self+"TestA", "/l/a_test.go", 5)},
			caller{"a_test.go:5", strings.TrimSuffix(self, ".")},
		},
		"package below learntest": {[]runtime.Frame{frame(strings.TrimSuffix(self, ".")+"/x.Run",
			"/l/x/x.go", 5)}, caller{"x.go:5", strings.TrimSuffix(self, ".") + "/x"}},
		"no frames but our own": {nil, caller{}},
		"package without slash": {
			[]runtime.Frame{frame("m.TestA", "/m/a_test.go", 5)},
			caller{"a_test.go:5", "m"},
		},
		"goroutine of a test, no one": {
			[]runtime.Frame{frame("m.TestA.gowrap1", "/m/a_test.go", 5), {}},
			caller{"a_test.go:5", "m"},
		},
	} {
		assert.Equal(t, c.want, callerOf(slices.Concat(compare, c.frames, runner)), name)
	}
}

func TestFindCaller(t *testing.T) {
	t.Parallel()
	helper := func() caller { return findCaller() }
	c := helper()
	assert.Regexp(t, `^caller_test\.go:\d+, called from caller_test\.go:\d+$`, c.site)
	assert.Equal(t, "github.com/learnbench/learnbench/learntest", c.pkg)
}
