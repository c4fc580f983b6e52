package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
)

// toy is a program that learns the most frequent class, or the mean, as other programs
// learn. Its argument says how it misbehaves.
func toy() {
	fault := ""
	if len(os.Args) > 1 {
		fault = os.Args[1]
	}
	type message struct {
		ID      int
		Op      string
		Numbers []*float64
		Table   int
		Rows    []int
		Labels  []float64
		Columns [][]float64
		Target  struct{ Values []string }
	}
	tables := make(map[int]message)
	count := make(map[int]int)
	mean := 0.0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var m message
		answer := make(map[string]any)
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			fmt.Printf(`{"id":null,"error":%q}`+"\n", err)
			continue
		}
		target := tables[m.Table].Target.Values
		switch m.Op {
		case "hello":
			answer = map[string]any{
				"protocol": 1, "name": "toy", "predicts": []string{"classes", "numbers"},
				"tables": true, "numbers": m.Numbers,
			}
		case "table":
			tables[m.Table] = m
		case "fit":
			clear(count)
			mean = 0
			for _, y := range m.Labels {
				if fault == "pretrained" {
					y = 0
				}
				count[int(y)]++
				mean += y / float64(len(m.Labels))
			}
			answer["gives"] = "labels"
			if target == nil {
				answer["gives"] = "values"
			}
		case "predict":
			if len(count) == 0 {
				answer["error"] = "predict before fit"
				break
			}
			labels, values := []int{}, []float64{}
			most := 0
			for c := range target {
				if count[c] > count[most] {
					most = c
				}
			}
			for range m.Rows {
				if fault == "seedless" {
					most = rand.IntN(len(target))
				}
				labels, values = append(labels, most), append(values, mean)
			}
			if fault == "first" { // what the first attribute says
				for i, row := range m.Rows {
					x := tables[m.Table].Columns[0][row]
					values[i], labels[i] = x, 0
					if x > 0.4 {
						labels[i] = 1
					}
				}
			}
			if target == nil {
				answer["values"] = values
			} else {
				answer["labels"] = labels
			}
		default:
			if fault != "tolerant" {
				answer["error"] = "unknown op"
			}
		}
		answer["id"] = m.ID
		text, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		if fault == m.Op {
			fmt.Fprintln(os.Stderr, "toy is broken")
			os.Exit(3)
		}
		fmt.Println(string(text))
	}
}
