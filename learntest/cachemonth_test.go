package learntest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/usermod"
	"github.com/stretchr/testify/require"
)

var months = flag.Int("months", 0, "number of times that TestMonthOfCommits makes all of its commits; if 0, it makes one of each kind")

// A monthModel is a package with a model and a test of 200 trials.
const monthModel = `package NAME

import (
	"context"
	"testing"
	"time"

	"example.com/month/shared"
	"github.com/learnbench/learnbench/learntest"
)

// limit is where the classes part.
const limit = 50

func train(name string, at int) learntest.Learner[int, string] {
	return learntest.Func(name, func(context.Context, learntest.Sample[int, string], uint64) (func(int) string, error) {
		time.Sleep(20 * time.Millisecond)
		return func(x int) string {
			if x >= at+shared.Shift {
				return "b"
			}
			return "a"
		}, nil
	})
}

type row struct {
	X int
	Y string ` + "`csv:\",label\"`" + `
}

func TestModel(t *testing.T) {
	data, err := learntest.CSV[row, string]("testdata/rows.csv")
	if err != nil {
		t.Fatal(err)
	}
	of := func(l learntest.Learner[int, string]) learntest.Learner[row, string] {
		return learntest.Map(l, func(r row) int { return r.X })
	}
	cfg := learntest.Config{NoClaim: true, Parallel: 40, Depends: []string{}}
	learntest.CompareWith(t, cfg, data, of(train("model", limit)), of(train("constant", 0)))
}
`

// TestMonthOfCommits makes the commits of a month, and counts the trainings in three packages: without any cache, with the
// cache of go test, with the cache of trials, and with both.
func TestMonthOfCommits(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	h := &history{t: t, dir: filepath.Join(t.TempDir(), "module"), cache: t.TempDir()}
	require.NoError(t, os.Mkdir(h.dir, 0o777))
	require.NoError(t, usermod.Write(h.dir, "example.com/month", ".."))
	var err error
	h.env, err = usermod.Environment()
	require.NoError(t, err)
	packages := []string{"forest", "bayes", "linear"}
	number := 0
	rows := func(pkg string) {
		var b strings.Builder
		b.WriteString("X,Y\n")
		for i := range 100 {
			fmt.Fprintf(&b, "%d,%s\n", i, map[bool]string{true: "b", false: "a"}[i >= 45+number%10])
		}
		h.write(pkg+"/testdata/rows.csv", b.String())
	}
	h.write("README.md", "# Month 0\n")
	h.write("shared/shared.go", "package shared\n\nconst Shift = 0\n")
	for _, pkg := range packages {
		h.write(pkg+"/model_test.go", strings.Replace(monthModel, "NAME", pkg, 1))
		rows(pkg)
	}
	h.command("git", "init", "-q", "-b", "main")
	h.commit()
	edit := func(name, pattern, with string) {
		text, err := os.ReadFile(filepath.Join(h.dir, name))
		require.NoError(t, err)
		changed := regexp.MustCompile(pattern).ReplaceAllString(string(text), with)
		require.NotEqual(t, string(text), changed)
		h.write(name, changed)
	}
	kinds := []struct {
		what   string
		often  int // in a month
		commit func(pkg string)
	}{
		{"documentation", 18, func(string) { edit("README.md", `Month \d+`, fmt.Sprint("Month ", number)) }},
		{"a comment", 10, func(pkg string) {
			edit(pkg+"/model_test.go", `// limit`, fmt.Sprintf("// Comment %d.\n\n// limit", number))
		}},
		{"one model", 20, func(pkg string) { edit(pkg+"/model_test.go", `limit = \d+`, fmt.Sprint("limit = ", 100+number)) }},
		{"the data of one model", 6, func(pkg string) { rows(pkg) }},
		{"what all models share", 6, func(string) { edit("shared/shared.go", `Shift = -?\d+`, fmt.Sprint("Shift = ", -number)) }},
	}
	type sum struct{ commits, all, goTest, trials, both int }
	sums := make([]sum, len(kinds))
	line := regexp.MustCompile(`cache: (\d+) of (\d+) trained, (\d+) trained again to check`)
	caches := []string{h.cache, t.TempDir()}
	// run runs all tests, and returns how many trainings the tests have made that go test has run, and how many without a cache of trials.
	run := func(cache string, args ...string) (trained, without int) {
		h.cache = cache
		out := h.command(append(append([]string{"go", "test", "-v", "-trimpath"}, args...), "./...")...)
		for _, part := range strings.SplitAfter(out, "\nok ") {
			m := line.FindStringSubmatch(part)
			if m == nil {
				continue
			}
			_, rest, _ := strings.Cut(out, part)
			if end, _, _ := strings.Cut(rest, "\n"); strings.Contains(end, "(cached)") {
				continue
			}
			for _, n := range []string{m[1], m[3]} {
				k, err := strconv.Atoi(n)
				require.NoError(t, err)
				trained += k
			}
			without += 212
		}
		return trained, without
	}
	settle := func() { // what git and editors do takes time, and go test wants files older than 2 s
		past := time.Now().Add(-time.Hour + time.Duration(number)*time.Minute)
		require.NoError(t, filepath.WalkDir(h.dir, func(path string, _ os.DirEntry, err error) error {
			if err == nil && !strings.Contains(path, ".git") {
				err = os.Chtimes(path, past, past)
			}
			return err
		}))
		h.command("go", "run", "github.com/learnbench/learnbench/cmd/learnbench", "ci-times")
	}
	settle()
	run(caches[0])
	run(caches[1], "-count=1")
	left := make([]int, len(kinds))
	for i, k := range kinds {
		if left[i] = k.often * *months; *months == 0 {
			left[i] = 1
		}
	}
	for more := true; more; {
		more = false
		for i, k := range kinds { // in turns
			if left[i] == 0 {
				continue
			}
			left[i]--
			more, number = true, number+1
			k.commit(packages[number%len(packages)])
			h.commit()
			settle()
			s := &sums[i]
			s.commits++
			s.all += 3 * 212
			both, goTest := run(caches[0])
			trials, _ := run(caches[1], "-count=1")
			s.both, s.goTest, s.trials = s.both+both, s.goTest+goTest, s.trials+trials
		}
	}
	total := sum{}
	for i, k := range kinds {
		s := sums[i]
		t.Logf("| %s | %d | %d | %d | %d | %d |", k.what, s.commits, s.all, s.goTest, s.trials, s.both)
		total = sum{total.commits + s.commits, total.all + s.all, total.goTest + s.goTest, total.trials + s.trials, total.both + s.both}
		require.LessOrEqual(t, s.both, s.goTest)
		require.LessOrEqual(t, s.both, s.trials)
	}
	t.Logf("| all | %d | %d | %d | %d | %d |", total.commits, total.all, total.goTest, total.trials, total.both)
	comment := 212 // where the line numbers are in the digest of a program
	if runtime.GOOS == "linux" {
		comment = 4
	}
	for i, want := range []sum{{1, 636, 0, 12, 0}, {1, 636, 212, 8 + comment, comment}, {1, 636, 212, 220, 212}, {1, 636, 212, 220, 212}, {1, 636, 636, 636, 636}} {
		n := sums[i].commits
		require.Equal(t, sum{n, n * want.all, n * want.goTest, n * want.trials, n * want.both}, sums[i], kinds[i].what)
	}
}
