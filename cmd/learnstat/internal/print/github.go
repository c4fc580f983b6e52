package print

import (
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

// annotations is how many of one kind GitHub shows for a step.
const annotations = 10

// writeGitHub writes workflow commands that annotate a run of GitHub Actions with errors and
// warnings, the worst first, and a notice with the result.
func writeGitHub(w io.Writer, r *report.Report, _ Options) error {
	errors, warnings := r.Annotations()
	var b strings.Builder
	for _, kind := range []struct {
		name  string
		texts []string
	}{{"error", errors}, {"warning", warnings}} {
		for i, text := range kind.texts {
			if more := len(kind.texts) - i; i == annotations-1 && more > 1 {
				fmt.Fprintf(&b, "::%s title=learnstat::and %d more\n", kind.name, more)
				break
			}
			fmt.Fprintf(&b, "::%s title=learnstat::%s\n", kind.name, escapeCommand(text))
		}
	}
	kind := "notice"
	if state := r.State(); state == report.PassesWithLosses || state == report.PassesWithWaived {
		kind = "warning"
	}
	fmt.Fprintf(&b, "::%s title=learnstat::%s\n", kind,
		escapeCommand(strings.Join(append([]string{r.Result()}, r.Notes...), "; ")))
	_, err := io.WriteString(w, b.String())
	return err
}
