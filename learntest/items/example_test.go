package items_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest/items"
)

// A testT stands for the *testing.T of a test. It prints the first lines of log entries.
type testT struct{}

func (testT) Helper()                  {}
func (testT) Name() string             { return "TestCities" }
func (testT) Context() context.Context { return context.Background() }
func (testT) Cleanup(func())           {}

func (testT) Logf(format string, args ...any) {
	first, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	fmt.Println(first)
}

func (t testT) Errorf(format string, args ...any) {
	_, text, _ := strings.Cut(fmt.Sprintf(format, args...), "Error:")
	t.Logf("%s", strings.TrimSpace(text))
}

func (testT) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

type address struct{ ID, Text, City string }

// A rule that finds the city of an address behind the last comma is compared with one that takes
// the last word.
func ExampleCompare() {
	var t testT // in a test, t *testing.T
	var addresses []address
	for i := range 100 {
		city := []string{"Bonn", "New York", "Oslo", "Lyon"}[i%4]
		addresses = append(addresses, address{
			ID:   fmt.Sprintf("a%02d", i),
			Text: fmt.Sprintf("Main Street %d, %s", i, city), City: city,
		})
	}
	suite := items.New("addresses", addresses,
		func(a address) items.Item { return items.Item{ID: a.ID} })
	rule := func(name string, cut string) items.System[address] {
		return items.NewSystem(name, func(_ context.Context, a address, _ int) (items.Scores, error) {
			if a.Text[strings.LastIndex(a.Text, cut)+len(cut):] == a.City {
				return items.Scores{"correct": 1}, nil
			}
			return items.Scores{"correct": 0}, nil
		})
	}
	c := items.Compare(t, items.Config{}, suite, rule("comma", ", "), rule("word", " "))
	assert.Improves(t, c)
	// Output:
	// addresses: comma and word answer 100 items once: 200 answers, and 6 again
	// comma is 25.00 points better than word on addresses in correct: holds
}

// Scores that something else has made need no system.
func ExampleScored() {
	var t testT // in a test, t *testing.T
	var ids []string
	var now, before []float64
	for i := range 200 {
		ids, now, before = append(ids, fmt.Sprint("case-", i)), append(now, 1), append(before, 1)
		if i < 12 {
			now[i] = 0
		}
	}
	c := items.Scored(t, "nightly", ids, now, before)
	assert.NoRegression(t, c, assert.Margin(0.03))
	// Output:
	// Claim does not hold: new is 6.00 points worse than old on nightly in correct, 3.00 points allowed: regressed; the candidate is significantly worse
}
