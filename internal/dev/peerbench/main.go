//go:build linux

package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/texttab"
)

//go:embed doc.go
var doc string

//go:embed peers.py
var peersPython []byte

//go:embed Peer.java
var peerJava []byte

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "peerbench: %v\n", err)
		os.Exit(1)
	}
}

// A bench runs all sides in turns.
type bench struct {
	data, dir string
	turns     int
	sides     []side
}

// A side does the work of rows.
type side struct {
	name    string   // in the table
	key     string   // in rows, empty for learnbench
	format  string   // of its files
	command []string // followed by a job and a file
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 3 && args[0] == "work" {
		return work(args[1], args[2], stdout)
	}
	if len(args) == 5 && args[0] == "write" {
		_, err := file(args[1], args[2], args[3], args[4])
		return err
	}
	b := &bench{}
	fs := flag.NewFlagSet("peerbench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	data := ""
	if shared := os.Getenv("LEARNBENCH_SHARED"); shared != "" {
		data = filepath.Join(shared, "data")
	}
	fs.StringVar(&b.data, "data", data, "")
	only := fs.String("only", "", "")
	fs.IntVar(&b.turns, "turns", 5, "")
	python := fs.String("python", "python3", "")
	weka := fs.String("weka", "/usr/share/java/weka.jar:/usr/share/java/cup.jar", "")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return cli.Help(stdout, doc)
	} else if err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if fs.NArg() > 0 || b.turns < 1 {
		return fmt.Errorf("want flags only, and at least one turn")
	}
	if b.dir, err = os.MkdirTemp("", "peerbench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	about, err := b.prepare(ctx, *python, *weka)
	if err != nil {
		return err
	}
	var results []result
	for _, r := range rows {
		_, drawn := shapes[r.table]
		if !drawn && b.data == "" || !pattern.MatchString(r.name+" "+r.table) {
			continue
		}
		x, err := b.measure(ctx, r)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", r.name, r.table, err)
		}
		results = append(results, x)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	fmt.Fprintf(stdout, "%d turns, %s, load %s\n\n%s", b.turns, strings.Join(about, ", "), first,
		table(b.sides, results))
	return nil
}

// prepare finds the installed sides, and returns their names and versions.
func (b *bench) prepare(ctx context.Context, python, weka string) (about []string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b.sides = []side{{"learnbench", "", "arff", []string{self, "work"}}}
	out, err := exec.CommandContext(ctx, python, "-c",
		"import pandas, sklearn; print('scikit-learn', sklearn.__version__ + ', pandas', pandas.__version__)").Output()
	if err != nil {
		about = append(about, "no scikit-learn")
	} else {
		script := filepath.Join(b.dir, "peers.py")
		about = append(about, strings.TrimSpace(string(out)))
		b.sides = append(b.sides, side{
			"scikit-learn or pandas", "python", "csv",
			[]string{python, script},
		})
		if err := os.WriteFile(script, peersPython, 0o666); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.SplitList(weka)[0]); err != nil {
		return append(about, "no Weka"), nil
	}
	source := filepath.Join(b.dir, "Peer.java")
	if err := os.WriteFile(source, peerJava, 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "javac", "-nowarn", "-cp", weka, "-d", b.dir,
		source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("javac: %w\n%s", err, out)
	}
	path := weka + string(filepath.ListSeparator) + b.dir
	b.sides = append(b.sides, side{"Weka", "weka", "arff", []string{"java", "-cp", path, "Peer"}})
	return append(about, "Weka 3.6.14"), nil
}

// A usage is what one process took.
type usage struct {
	seconds float64
	mib     float64 // at its peak
	correct int
}

// A result has of each side the usages in its turns.
type result struct {
	row
	used [][]usage // empty for sides that have no such learner
}

// measure runs all sides of a row in turns. It keeps the memory of this process small, since the
// peak of a child includes its parent's memory at the start.
func (b *bench) measure(ctx context.Context, r row) (result, error) {
	x := result{row: r, used: make([][]usage, len(b.sides))}
	for turn := range b.turns {
		for i, s := range b.sides {
			if s.key != "" && !slices.Contains(r.peers, s.key) {
				continue
			}
			format := s.format
			if _, of, ok := strings.Cut(r.table, "."); ok { // all read one file
				format = of
			}
			path := filepath.Join(b.dir, r.table+"."+format)
			if turn == 0 {
				if out, err := exec.CommandContext(ctx, b.sides[0].command[0], "write", r.table, format, b.data,
					b.dir).CombinedOutput(); err != nil {
					return x, fmt.Errorf("%w\n%s", err, out)
				}
			}
			u, err := process(ctx, slices.Concat(s.command, []string{r.job, path}))
			if err != nil {
				return x, err
			}
			x.used[i] = append(x.used[i], u)
		}
	}
	return x, nil
}

// process runs a side in one thread.
func process(ctx context.Context, command []string) (u usage, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return u, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err,
			stderr.Bytes()[max(0, stderr.Len()-2000):])
	}
	u, err = parse(out.String())
	u.mib = float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	return u, err
}

// parse reads what a side writes.
func parse(out string) (u usage, err error) {
	_, err = fmt.Sscan(out, &u.seconds, &u.correct)
	return u, err
}

// table prints the results, those with the least ratio first.
func table(sides []side, results []result) string {
	right := func(titles ...string) (cs []texttab.Column) {
		for _, title := range titles {
			cs = append(cs, texttab.Column{Title: title, Align: texttab.Right, TitleAlign: texttab.Right})
		}
		return cs
	}
	groups := []texttab.Group{{Columns: []texttab.Column{{Title: "work"}, {Title: "table"}}}}
	for i, s := range sides {
		titles := []string{"CPU s", "MiB", "correct"}
		if i > 0 {
			titles = append([]string{"ratio", "of medians"}, titles...)
		}
		groups = append(groups, texttab.Group{Title: s.name, Columns: right(titles...)})
	}
	t := texttab.New(append(groups,
		texttab.Group{Columns: []texttab.Column{{Title: "how the work differs"}}})...)
	slices.SortStableFunc(results, func(a, b result) int { return cmp.Compare(a.worst(), b.worst()) })
	for _, r := range results {
		cells := []string{r.name, r.title()}
		for i, used := range r.used {
			if len(used) == 0 {
				cells = append(cells, "", "", "", "", "")
				continue
			}
			if i > 0 {
				cells = append(cells, fmt.Sprintf("%.2f", r.ratio(i, slices.Min[[]float64])),
					fmt.Sprintf("%.2f", r.ratio(i, median)))
			}
			correct := ""
			if n := used[0].correct; n > 0 {
				correct = fmt.Sprint(n)
			}
			cells = append(cells, fmt.Sprintf("%.3f", slices.Min(seconds(used))),
				fmt.Sprintf("%.0f", used[0].mib), correct)
		}
		t.Row(append(cells, r.note)...)
	}
	return t.String()
}

// worst returns the least ratio of a peer.
func (r result) worst() float64 {
	least := math.Inf(1)
	for i := range r.used {
		if i > 0 && len(r.used[i]) > 0 {
			least = min(least, r.ratio(i, slices.Min[[]float64]))
		}
	}
	return least
}

// ratio returns how many times as much a side takes as learnbench.
func (r result) ratio(side int, of func([]float64) float64) float64 {
	return of(seconds(r.used[side])) / of(seconds(r.used[0]))
}

func (r result) title() string {
	if s, ok := shapes[r.table]; ok {
		return fmt.Sprintf("%d × %d %s", s.rows, s.attributes, s.kind)
	}
	return r.table
}

func seconds(used []usage) []float64 {
	var x []float64
	for _, u := range used {
		x = append(x, u.seconds)
	}
	return x
}

// median returns the median of values, which are not empty.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
