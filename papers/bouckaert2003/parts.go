package bouckaert2003

import "github.com/learnbench/learnbench/papers/internal/paper"

// Parts returns the tables and figures of the paper.
func Parts() []paper.Part {
	return []paper.Part{
		{Name: "b03-2", Doc: "Bouckaert 2003, table 2: Type I error of calibrated tests for six class probabilities", Run: runB03Table2},
		{Name: "b03-3", Doc: "Bouckaert 2003, table 3: accuracies of naive Bayes and C4.5 on the four sources", Run: runB03Table3},
		{Name: "b03-4", Doc: "Bouckaert 2003, table 4: Type I error and power of calibrated tests at four levels", Run: runB03Table4},
		{Name: "b03-5", Doc: "Bouckaert 2003, tables 5 and 6: consistency of calibrated tests on ten partitions", Run: runB03Table5},
		{
			Name: "b03-7", Doc: "Bouckaert 2003, table 7: Type I error for all pairs of five learners",
			Run: runB03Table7,
		},
		{Name: "b03-fig2", Doc: "Bouckaert 2003, figure 2: degrees of freedom that give tests their level, for 5 to 100 runs", Run: runB03Fig2},
		{Name: "b03-fig4", Doc: "Bouckaert 2003, figure 4: Type I error and power of calibrated tests, for 5 to 100 runs", Run: runB03Fig4},
	}
}
