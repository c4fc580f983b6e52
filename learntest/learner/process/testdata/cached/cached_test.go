// Package cached has a test that another test has go test run, to see what go test
// remembers of a program.
package cached

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// TestMain is a program, too, that predicts the first class.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "serve" {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var q struct {
			ID      int
			Rows    []int
			Numbers []*float64
		}
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		answer, err := json.Marshal(map[string]any{
			"id": q.ID, "protocol": 1, "predicts": []string{"classes"}, "tables": true, "numbers": q.Numbers, "gives": "labels", "labels": make([]int, len(q.Rows)),
		})
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}

// TestProgram depends on the files of the variable PROGRAM_DEPENDS, and on what the
// arguments name.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg := process.Config{Args: []string{self, "serve", "-model=" + os.Getenv("PROGRAM_MODEL")}}
	if depends, ok := os.LookupEnv("PROGRAM_DEPENDS"); ok {
		cfg.Depends = strings.Fields(depends)
		if cfg.Depends == nil {
			cfg.Depends = []string{}
		}
	}
	l, err := process.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m, err := l.Fit(t.Context(), uci.Iris(), []int{0, 1, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}
