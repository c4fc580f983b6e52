package ranking_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/metric/ranking"
)

func Example() {
	m, err := ranking.Lookup("ndcg@10")
	if err != nil {
		panic(err)
	}
	judgements := map[string]int{"returns": 2, "refunds": 1}
	score, err := m.Score(judgements, []ranking.Document{
		{ID: "shipping", Score: 7.1},
		{ID: "returns", Score: 6.8},
		{ID: "refunds", Score: 2.5},
	})
	fmt.Printf("%.3f %v\n", score, err)
	// Output: 0.670 <nil>
}
