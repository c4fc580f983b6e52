//go:build unix

package process_test

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// nearest is a learner in awk: the class of the training example whose petal is most alike
// in length. It reads CSV files that begin with a line of names.
const nearest = `
FNR == 1  { file++; next }
file == 1 { length_[++n] = $3; class[n] = $NF; next }
{
	best = 1
	for (i = 2; i <= n; i++)
		if (($3 - length_[i]) ^ 2 < ($3 - length_[best]) ^ 2)
			best = i
	print class[best] > pred
}`

// A program that reads and writes files, here in awk. In a comparison, process.ForTest
// and learntest.FromProcess do this for you.
func ExampleNew() {
	l, err := process.New(process.Config{
		Name:    "awk",
		Args:    []string{"awk", "-F", ",", "-v", "pred={pred}", nearest, "{train}", "{test}"},
		Depends: []string{}, // all that it reads is among Args
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	iris := uci.Iris()
	var train []int
	var test []dataset.Row
	for i := range iris.Len() {
		if i%10 == 0 {
			test = append(test, iris.Example(i))
		} else {
			train = append(train, i)
		}
	}
	ctx := context.Background()
	model, err := l.Fit(ctx, iris, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	p, err := model.Predict(ctx, test)
	if err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i := range test {
		if p.Labels[i] == iris.Class(10*i) {
			right++
		}
	}
	fmt.Printf("%s predicts %s: %d of %d right\n", l.Name(), model.Kind(), right, len(test))
	// Output:
	// awk predicts labels: 14 of 15 right
}
