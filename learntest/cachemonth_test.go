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
	"github.com/learnbench/learnbench/learntest"
	"github.com/stretchr/testify/require"
)

var months = flag.Int("months", 0,
	"number of times that TestMonthOfCommits makes all of its commits; if 0, it makes one of each kind")

// A monthModel is a package with a model, a rival that is worse by AWAY examples in a hundred, and
// a test of 200 trials. It logs whether the claim holds, and passes: go test caches no failure.
const monthModel = `package NAME

import (
	"context"
	"testing"
	"time"

	"example.com/month/shared"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// limit, but for its thousands, is where the classes part.
const limit = 50

func train(name string, at int) learntest.Learner[int, string] {
	return learntest.Func(name, func(context.Context, learntest.Sample[int, string], uint64) (func(int) string, error) {
		time.Sleep(20 * time.Millisecond)
		return func(x int) string {
			if x >= (at+shared.Shift)%1000 {
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
	cfg := learntest.Config{Parallel: 40, Depends: []string{}}
	c := learntest.CompareWith(t, cfg, data, of(train("model", limit)), of(train("rival", limit+AWAY)))
	t.Logf("the claim holds: %v", c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)
}
`

// TestMonthOfCommits makes the commits of a month, and counts the trainings in three packages:
// without any cache, with the cache of go test, with the cache of trials, with both, and with both
// where claims settle. Verdicts are equal in all.
func TestMonthOfCommits(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	h := &history{t: t, dir: filepath.Join(t.TempDir(), "module"), cache: t.TempDir()}
	require.NoError(t, os.Mkdir(h.dir, 0o777))
	require.NoError(t, usermod.Write(h.dir, "example.com/month", ".."))
	var err error
	h.env, err = learntest.LinkedOnce()
	require.NoError(t, err)
	packages := []string{"forest", "bayes", "linear"}
	away := []string{"50", "12", "1"} // the claims take two runs, two or three, and five
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
	for i, pkg := range packages {
		h.write(pkg+"/model_test.go", strings.NewReplacer("NAME", pkg, "AWAY",
			away[i]).Replace(monthModel))
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
		{"documentation", 18, func(string) {
			edit("README.md", `Month \d+`,
				fmt.Sprint("Month ", number))
		}},
		{"a comment", 10, func(pkg string) {
			edit(pkg+"/model_test.go", `// limit`, fmt.Sprintf("// Comment %d.\n\n// limit", number))
		}},
		{"one model", 20, func(pkg string) {
			edit(pkg+"/model_test.go", `limit = \d+`, fmt.Sprintf("limit = %d", 1000*number+46+number%11))
		}},
		{"the data of one model", 6, func(pkg string) { rows(pkg) }},
		{"what all models share", 6, func(string) {
			edit("shared/shared.go", `Shift = -?\d+`, fmt.Sprintf("Shift = %d", 1000*number+number%3))
		}},
	}
	type sum struct{ commits, all, goTest, trials, both, settled int }
	sums := make([]sum, len(kinds))
	line := regexp.MustCompile(`cache: (\d+) of \d+ trained, (\d+) trained again to check`)
	verdict := regexp.MustCompile(`the claim holds: \w+`)
	// run runs all tests, and returns how many trainings those have made that go test has run, how
	// many these are without a cache of trials, and the verdicts.
	run := func(cache string, args ...string) (trained, without int, verdicts []string) {
		h.cache = cache
		out := h.command(append(append([]string{"go", "test", "-v", "-trimpath"}, args...), "./...")...)
		for _, part := range strings.SplitAfter(out, "\nok ") {
			_, rest, _ := strings.Cut(out, part)
			end, _, _ := strings.Cut(rest, "\n")
			all := line.FindAllStringSubmatch(part, -1)
			verdicts = append(verdicts, verdict.FindAllString(part, -1)...)
			if all == nil || strings.Contains(end, "(cached)") {
				continue
			}
			for _, m := range all {
				for _, n := range m[1:] {
					k, err := strconv.Atoi(n)
					require.NoError(t, err)
					trained += k
				}
			}
			without += 212
		}
		require.Len(t, verdicts, len(packages))
		return trained, without, verdicts
	}
	caches := []string{h.cache, t.TempDir(), t.TempDir()}
	settling := func() (trained int, verdicts []string) {
		env := h.env
		h.env = append(env[:len(env):len(env)], "LEARNTEST_SETTLE=0.01")
		trained, _, verdicts = run(caches[2], "-timeout=9m") // go test keeps one list of inputs for equal flags
		h.env = env
		return trained, verdicts
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
	settling()
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
			both, goTest, verdicts := run(caches[0])
			trials, _, again := run(caches[1], "-count=1")
			settled, early := settling()
			require.Equal(t, verdicts, again)
			require.Equal(t, verdicts, early)
			s.both, s.goTest, s.trials, s.settled = s.both+both, s.goTest+goTest, s.trials+trials,
				s.settled+settled
		}
	}
	total := sum{}
	for i, k := range kinds {
		s := sums[i]
		t.Logf("| %s | %d | %d | %d | %d | %d | %d |", k.what, s.commits, s.all, s.goTest, s.trials,
			s.both, s.settled)
		total = sum{
			total.commits + s.commits, total.all + s.all, total.goTest + s.goTest,
			total.trials + s.trials, total.both + s.both, total.settled + s.settled,
		}
		require.LessOrEqual(t, s.both, s.goTest)
		require.LessOrEqual(t, s.both, s.trials)
		require.LessOrEqual(t, s.settled, s.goTest)
	}
	t.Logf("| all | %d | %d | %d | %d | %d | %d |", total.commits, total.all, total.goTest,
		total.trials, total.both, total.settled)
	if *months > 0 { // some comments move the code
		require.LessOrEqual(t, total.settled*10, total.all)
		return
	}
	comment := 212 // where the line numbers are in the digest of a program
	if runtime.GOOS == "linux" {
		comment = 4
	}
	for i, want := range []sum{
		{1, 636, 0, 12, 0, 0},
		{1, 636, 212, 8 + comment, comment, 0},
		{1, 636, 212, 220, 212, 0},
		{1, 636, 212, 220, 212, 0},
		{1, 636, 636, 636, 636, 0},
	} {
		n := sums[i].commits
		require.Equal(t, sum{
			n, n * want.all, n * want.goTest, n * want.trials, n * want.both,
			sums[i].settled,
		}, sums[i], kinds[i].what)
	}
}
