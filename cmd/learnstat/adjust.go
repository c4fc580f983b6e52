package main

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// adjustRows adjusts the verdicts on the rows of each metric for their number.
func adjustRows(rows []*row, method adjust.Method) error {
	for _, table := range byMetric(rows) {
		verdicts := make([]verdict.Verdict, len(table))
		for i, r := range table {
			verdicts[i] = r.v
		}
		adjusted, err := verdict.Adjust(verdicts, method)
		if err != nil {
			return fmt.Errorf("-adjust: %w", err)
		}
		for i, r := range table {
			r.v = adjusted[i]
		}
	}
	return nil
}

// byMetric returns the rows of each metric, in their order.
func byMetric(rows []*row) [][]*row {
	var tables [][]*row
	for _, r := range rows {
		if n := len(tables); n == 0 || tables[n-1][0].metric != r.metric {
			tables = append(tables, nil)
		}
		tables[len(tables)-1] = append(tables[len(tables)-1], r)
	}
	return tables
}
