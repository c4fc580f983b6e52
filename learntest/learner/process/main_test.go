package process

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

// TestMain is also the program that the tests run: with an argument behind "serve" it speaks
// the protocol, and misbehaves as the argument says.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "serve":
			serve(os.Args[2:])
			return
		case "files":
			learnFromFiles(os.Args[2:])
			return
		case "parent":
			bearChildren(os.Args[2:])
			return
		case "forked":
			forked(os.Args[2:])
			return
		}
	}
	flag.Parse()
	status := m.Run()
	for _, path := range []string{WekaClasses, ForksPath} {
		if err := os.RemoveAll(path); err != nil {
			panic(err)
		}
	}
	os.Exit(status)
}

// WekaClasses is where tests compile the shim of Weka.
var WekaClasses = filepath.Join(os.TempDir(), "learnbench-weka-"+strconv.Itoa(os.Getpid()))

// ForksPath is the socket of testdata/forks.py, and ForksSocket the variable that has it in programs.
var ForksPath = filepath.Join(os.TempDir(), "learnbench-forks-"+strconv.Itoa(os.Getpid()))

const ForksSocket = "LEARNBENCH_FORKS"

// A request is any message.
type request struct {
	ID       int
	Op       string
	Protocol int
	Numbers  []*float64
	Table    int
	Rows     []int
	Name     string
	Target   struct {
		Name   string
		Values []string
	}
	Attributes []struct {
		Name   string
		Values []string
	}
	Columns [][]*float64
	Labels  []float64
	Weights []float64
	Seed    string
	Seed31  int
	Item    json.RawMessage
	Repeat  int
}

// A server is a simple learner: it predicts the class of the first attribute's sign, with the
// seed mixed in on request.
type server struct {
	args   map[string]string
	tables map[int]*request
	trial  int // models so far
	fit    *request
	out    *bufio.Writer
}

func serve(args []string) {
	s := &server{
		args: make(map[string]string), tables: make(map[int]*request),
		out: bufio.NewWriter(os.Stdout),
	}
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		s.args[key] = value
	}
	if s.is("slow") {
		time.Sleep(time.Hour)
	}
	if s.is("mute") {
		os.Exit(3)
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if s.is("stay") {
				time.Sleep(time.Hour)
			}
			if s.is("fail") {
				os.Exit(5)
			}
			return
		}
		var r request
		answer := map[string]any{"id": nil}
		if err := json.Unmarshal(line, &r); err != nil {
			answer["error"] = err.Error()
			if s.is("guess") {
				answer["id"] = 2
			}
		} else {
			s.misbehave(&r)
			answer["id"] = r.ID
			if s.is("id") && r.Op == s.args["id"] {
				answer["id"] = r.ID + 5
			}
			s.answer(&r, answer)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		s.out.Write(append(text, '\n'))
		s.out.Flush()
		if s.is("quit") && r.Op == s.args["quit"] {
			os.Exit(0)
		}
	}
}

func (s *server) is(key string) bool {
	_, ok := s.args[key]
	return ok
}

// misbehave does what the arguments say for the operation.
func (s *server) misbehave(r *request) {
	if r.Op == "fit" {
		s.trial++
	}
	if only, ok := s.args["trial"]; ok && only != strconv.Itoa(s.trial) {
		return
	}
	now := func(key string) bool { return s.is(key) && s.args[key] == r.Op }
	switch {
	case now("crash"):
		fmt.Fprintln(os.Stderr, "about to crash")
		os.Exit(7)
	case now("hang"):
		fmt.Fprintln(os.Stderr, "hanging as", os.Getpid())
		time.Sleep(time.Hour)
	case now("garbage"):
		fmt.Println("Training 100%")
	case now("endless"):
		for {
			os.Stdout.WriteString(strings.Repeat("x", 1<<16))
		}
	case now("twice"):
		fmt.Printf("{\"id\":%d}\n", r.ID)
	case now("half"):
		fmt.Printf("{\"id\":%d", r.ID)
		os.Exit(0)
	case now("chatty"):
		w := bufio.NewWriter(os.Stderr)
		for i := range 200000 {
			fmt.Fprintln(w, "line", i)
		}
		w.Flush()
	case now("closes"):
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case now("raw"):
		fmt.Println(strings.ReplaceAll(s.args["text"], "ID", strconv.Itoa(r.ID)))
		_, _ = io.Copy(io.Discard, os.Stdin) // it answers nothing more
		os.Exit(0)
	case now("orphan"), now("stray"):
		s.breed(now("stray"))
	}
}

// breed starts a process that holds the pipes, in a group of its own or not, says which
// one, and crashes.
func (s *server) breed(ownGroup bool) {
	cmd := exec.Command(os.Args[0], "serve", "slow")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if ownGroup {
		cmd.SysProcAttr = ownProcessGroup()
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "child", cmd.Process.Pid)
	os.Exit(9)
}

func (s *server) answer(r *request, a map[string]any) {
	switch r.Op {
	case "hello":
		a["protocol"], a["name"], a["numbers"] = 1, "test", r.Numbers
		a["predicts"] = []string{"classes", "numbers"}
		if s.is("numbers") {
			a["predicts"] = []string{"numbers"}
		}
		if s.is("answers") {
			a["predicts"] = []string{"answers"}
		}
		a["tables"], a["weights"] = !s.is("inline"), s.is("weights")
		if s.is("digits") {
			x := float64(float32(*r.Numbers[0]))
			r.Numbers[0] = &x
		}
	case "table":
		if !s.is("forgetful") || s.tables[r.Table] == nil {
			s.tables[r.Table] = r
		}
	case "fit":
		if s.is("refuse") {
			a["error"] = "I will not learn that"
			return
		}
		if s.is("picky") && slices.ContainsFunc(s.examples(r).Columns,
			func(c []*float64) bool { return slices.Contains(c, nil) }) {
			a["error"] = "nothing may be missing"
			return
		}
		s.fit = r
		a["gives"] = "values"
		if target := s.examples(r).Target; target.Values != nil {
			a["gives"] = "probabilities"
			if s.is("labels") {
				a["gives"] = "labels"
			}
		}
	case "predict":
		if s.fit == nil && !s.is("early") {
			a["error"] = "predict before fit"
			return
		}
		s.predict(r, a)
	case "answer":
		switch {
		case !s.is("answers"):
			a["error"] = "unknown op answer"
		case string(r.Item) == "null":
			a["error"] = "no item"
		default:
			a["answer"] = map[string]any{"text": r.Item, "repeat": r.Repeat, "pid": os.Getpid()}
		}
	default:
		if !s.is("tolerant") {
			a["error"] = "unknown op " + r.Op
		}
	}
}

func (s *server) examples(r *request) *request {
	if s.is("inline") || r.Columns != nil {
		return r
	}
	return s.tables[r.Table]
}

func (s *server) predict(r *request, a map[string]any) {
	x := s.examples(r)
	rows := r.Rows
	if x == r {
		rows = make([]int, len(x.Columns[0]))
		for i := range rows {
			rows[i] = i
		}
	}
	k := len(x.Target.Values)
	var labels []int
	var values []float64
	var probabilities [][]float64
	if s.fit == nil {
		return
	}
	for i, row := range rows {
		score := s.score(x, row)
		if s.is("neighbours") {
			score += float64(i)
		}
		values = append(values, score)
		label := int(score)
		if k > 0 {
			label = ((label % k) + k) % k
			label = s.known(label, k)
			p := make([]float64, k)
			p[label] = 1
			switch {
			case s.is("unsure"):
				p[label] = 0.5
			case s.is("moody"):
				clear(p)
				p[0] = 1 / float64(os.Getpid())
				p[1] = 1 - p[0]
			}
			probabilities = append(probabilities, p)
		}
		labels = append(labels, label)
	}
	if s.is("short") {
		labels, values, probabilities = labels[1:], values[1:], probabilities[min(1, len(probabilities)):]
	}
	switch {
	case s.is("scalar") && len(rows) == 1:
		a["probabilities"], a["values"], a["labels"] = 1, 1, 1
	case k == 0:
		a["values"] = values
	case s.is("labels"):
		a["labels"] = labels
	default:
		a["probabilities"] = probabilities
	}
}

// known returns a class that has training examples.
func (s *server) known(label, k int) int {
	var has []int
	for c := range k {
		if slices.Contains(s.fit.Labels, float64(c)) {
			has = append(has, c)
		}
	}
	if len(has) == k {
		return label
	}
	if s.is("shifted") {
		return min(1, len(has)-1)
	}
	return has[label%len(has)]
}

// score depends on everything that was sent to the server: the attributes of the row, the
// labels that it has learned and the seed.
func (s *server) score(x *request, row int) float64 {
	sum := 0.0
	for _, column := range x.Columns {
		if v := column[row]; v != nil {
			sum += *v
		}
	}
	for i, y := range s.fit.Labels {
		if s.is("pretrained") {
			break
		}
		sum += y * float64(i%3)
	}
	for i, w := range s.fit.Weights {
		sum += w * float64(i%2)
	}
	if !s.is("seedless") {
		seed, err := strconv.ParseUint(s.fit.Seed, 10, 64)
		if err != nil || int(seed&(1<<31-1)) != s.fit.Seed31 {
			panic(fmt.Sprint("seeds ", s.fit.Seed, s.fit.Seed31))
		}
		sum += float64(seed % 1000)
	}
	if s.is("stateful") {
		sum += float64(s.trial)
	}
	return sum
}

// bearChildren is a process that is killed while programs work for it.
func bearChildren(args []string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	l, err := New(Config{
		Args: append([]string{self, "serve"}, args...), Name: "it", Stderr: os.Stdout,
		Depends: []string{},
	})
	if err != nil {
		panic(err)
	}
	for range 3 {
		go trial(context.Background(), l, uci.Iris(), 1)
	}
	time.Sleep(time.Hour)
}
