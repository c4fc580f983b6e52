package print

import (
	"encoding/json"
	"io"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

// JSON writes the report itself. Read back, it gives every other format.
func JSON(w io.Writer, r *report.Report, _ Options) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(r)
}
