package learntest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A coming is an example of a person who comes several times.
type coming struct {
	Person string
	Number int
}

// visits are eight of each person, who is ill by the toss of a coin.
func visits(persons int) *ExampleSet[coming, bool] {
	var xs []coming
	var ys []bool
	var groups []string
	for p := range persons {
		name := fmt.Sprint("p", p)
		h := fnv.New64a()
		h.Write([]byte(name))
		for n := range 8 {
			xs, ys, groups = append(xs, coming{name, n}), append(ys, h.Sum64()>>7&1 == 0),
				append(groups, name)
		}
	}
	return Examples("visits", xs, ys).WithGroups(groups)
}

// memory predicts the label that it has seen of the same person.
func memory() Learner[coming, bool] {
	return Func("memory", func(_ context.Context, train Sample[coming, bool],
		_ uint64,
	) (func(coming) bool, error) {
		ill := make(map[string]bool)
		for x, y := range train.All() {
			ill[x.Person] = y
		}
		return func(x coming) bool { return ill[x.Person] }, nil
	})
}

func never() Learner[coming, bool] {
	return Pretrained("never",
		func(coming) bool { return false })
}

// A group is in training or in test, whatever asks for further runs and other seeds.
func TestGroupsWithoutAProtocol(t *testing.T) {
	for persons, want := range map[int]string{
		4:  "groups runs=10 folds=2 unstratified seed=1 v1",
		13: "groups runs=10 folds=6 unstratified seed=1 v1",
		20: "groups runs=10 folds=10 unstratified seed=1 v1",
		40: "groups runs=10 folds=10 unstratified seed=1 v1",
	} {
		b := mustRun(t, visits(persons), Config{}, never())
		assert.Equal(t, want, b.Header.Protocol, "%d persons", persons)
	}
	assert.Equal(t, "cv runs=10 folds=10 stratified seed=1 v1",
		mustRun(t, visits(40), Config{IgnoreGroups: true}, never()).Header.Protocol)
	single := visits(40)
	single = single.WithGroups(ownGroups(single.Len()))
	assert.Equal(t, "cv runs=2 folds=5 stratified seed=1 v1",
		mustRun(t, single, Config{Protocol: split.CV(2, 5)}, never()).Header.Protocol,
		"no group of two is divided")

	t.Setenv(envSeed, "7")
	t.Setenv(envRuns, "2")
	c := Compare(newRecorder(t), visits(40), memory(), never())
	assert.Equal(t, "groups runs=2 folds=10 unstratified seed=7 v1",
		c.Records().Blocks()[0].Header.Protocol)
	assert.False(t, c.Judge(verdict.Claim{Kind: verdict.Improves}).Holds)

	_, err := Run(t.Context(), []Data[coming, bool]{visits(40), visits(40).WithGroups(nil)},
		[]Learner[coming, bool]{never()}, Config{})
	require.Error(t, err)
	assert.True(t, errors.Is(err, ErrConfig) || errors.Is(err, split.ErrExamples))
}

// ownGroups are names of groups of one example each.
func ownGroups(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("g", i)
	}
	return names
}

// A baseline from before groups were kept together is not compared with, and the error says how it
// is written anew.
func TestBaselineOfDividedGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.txt")
	t.Setenv(envUpdate, "1")
	t.Setenv("CI", "")
	r := newRecorder(t)
	AgainstWith(r, Config{IgnoreGroups: true}, visits(40), memory(), path)
	require.Empty(t, r.fatal)
	t.Setenv(envUpdate, "")
	r = newRecorder(t)
	Against(r, visits(40), memory(), path)
	assert.Equal(t, `learntest.Against: invalid configuration: baseline `+path+`: it has memory on data set visits under "cv runs=10 folds=10 stratified seed=1 v1", not under "groups runs=10 folds=10 unstratified seed=1 v1"; `+
		`LEARNTEST_UPDATE=1 go test -count=1 -run '^TestModel$/^case \(1\)$' github.com/learnbench/learnbench/learntest writes it anew`, r.fatal)
}
