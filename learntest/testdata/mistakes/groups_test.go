package mistakes

import (
	"context"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

// A visit is one of eight of a person.
type visit struct {
	Person string
	Number int
}

// visits are those of persons, each of whom is ill by the toss of a coin.
func visits(persons int) *learntest.ExampleSet[visit, bool] {
	var xs []visit
	var ys []bool
	var groups []string
	for p := range persons {
		name := fmt.Sprint("p", p)
		coin := fnv.New64a()
		coin.Write([]byte(name))
		for n := range 8 {
			xs, ys, groups = append(xs, visit{name, n}), append(ys, coin.Sum64()>>7&1 == 0), append(groups, name)
		}
	}
	return learntest.Examples("visits", xs, ys).WithGroups(groups)
}

// acquaintance predicts the label that it has seen of the same person.
func acquaintance() learntest.Learner[visit, bool] {
	return learntest.Func("memory", func(_ context.Context, train learntest.Sample[visit, bool], _ uint64) (func(visit) bool, error) {
		ill := make(map[string]bool)
		for x, y := range train.All() {
			ill[x.Person] = y
		}
		return func(x visit) bool { return ill[x.Person] }, nil
	})
}

// Who goes by the person has 100% where folds divide persons. The default keeps them together.
//
//	FAIL Claim does not hold: memory is on a par with never on visits in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold
func TestGroupsByDefault(t *testing.T) {
	c := learntest.Compare(t, visits(40), acquaintance(), always[visit]("never", false))
	assert.Improves(t, c)
}

// The protocol divides persons.
//
//	FAIL learntest.CompareWith: invalid configuration: data set "visits" has groups, and "cv runs=2 folds=10 stratified seed=1 v1" divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(2, 10), or set Config.IgnoreGroups if groups do not matter
func TestProtocolThatDividesGroups(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.CV(2, 10)}, visits(40), acquaintance(), always[visit]("never", false))
	assert.Improves(t, c)
}

// So does leaving one out.
//
//	FAIL learntest.CompareWith: invalid configuration: data set "visits" has groups, and "loo seed=1 v1" divides them: examples of one group are in training and in test, where a learner recognises them: use split.Groups(10, 10), or set Config.IgnoreGroups if groups do not matter
func TestLeaveOneOutOfGroups(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.LeaveOneOut()}, visits(40), acquaintance(), always[visit]("never", false))
	assert.Improves(t, c)
}

// There are too few persons for the default.
//
//	FAIL learntest.Compare: unusable data: data set "visits": it has 3 groups, and the default protocol takes 4 at least: collect examples of more groups, choose a protocol such as Config{Protocol: split.Groups(1, 3)}, or set Config.IgnoreGroups if groups do not matter
func TestThreeGroups(t *testing.T) {
	c := learntest.Compare(t, visits(3), acquaintance(), always[visit]("never", false))
	assert.Improves(t, c)
}

// A measure is a row of a file that names the person.
type measure struct {
	Person string  `csv:"person,group"`
	Weight float64 `csv:"weight"`
	Ill    bool    `csv:"ill,label"`
}

// A tag says which column has the groups.
//
//	FAIL Claim does not hold: memory is on a par with never on visits in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold
func TestGroupColumn(t *testing.T) {
	data, err := learntest.CSV[measure, bool]("visits.csv")
	if err != nil {
		t.Fatal(err)
	}
	memory := learntest.Func("memory", func(_ context.Context, train learntest.Sample[measure, bool], _ uint64) (func(measure) bool, error) {
		ill := make(map[string]bool)
		for x, y := range train.All() {
			ill[x.Person] = y
		}
		return func(x measure) bool { return ill[x.Person] }, nil
	})
	assert.Improves(t, learntest.Compare(t, data, memory, always[measure]("never", false)))
}
