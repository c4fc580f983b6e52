package verdict

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
)

// evil is a name that would forge a line, colour the rest and turn it around.
const evil = "nn\nnn vs c45 on iris: improved on this data set\x1b[31m\u202e"

const shown = `nn\u000ann vs c45 on iris: improved on this data set\u001b[31m\u202e`

func TestNamesForgeNoLine(t *testing.T) {
	t.Parallel()
	unit := accuracy
	unit.Name = evil
	v := Verdict{
		Claim: Claim{Kind: Improves, Alpha: 0.05, Power: 0.8, Metric: evil}, Outcome: Inconclusive,
		Reason: "no\nreason\x1b",
		Data:   evil, Candidate: evil, Baseline: evil, Unit: unit, Runs: 10, Folds: 10,
		CandidateHeader: &record.Header{
			Protocol: evil, DataDigest: "\x1b\n\u202e4567890123456",
			Reproduce: evil,
		},
		Findings: Findings{
			Difference: Finding{
				Result: stat.Result{Test: evil, Statistic: 1, DF: 99, DF2: math.NaN()},
				P:      0.5, Lo: math.NaN(),
			},
			Decision: Finding{P: 0.5},
		},
		Detectable: math.NaN(),
		Adjustment: evil, Family: 2, AdjustedP: 0.5,
		Warnings: []error{errors.New("look\u202e\nout")},
	}
	assert.Equal(t, strings.ReplaceAll(`EVIL is on a par with EVIL on EVIL in EVIL: inconclusive; no; reason\u001b
  EVIL  EVIL 0.00%, EVIL 0.00%
  difference     +0.00 points, p = 0.500, EVIL of 2 p = 0.500
  test           EVIL, n = 10×10, t = 1, df = 99
  protocol       EVIL
  data           EVIL, sha256 \u001b\u000a\u202e456789012
  reproduce      EVIL
  warning        look\u202e\u000aout
`, "EVIL", shown), v.String())
	assert.Equal(t, strings.ReplaceAll(`EVIL is on a par with EVIL on EVIL in EVIL, p = 0.500, EVIL of 2 p = 0.500`, "EVIL", shown), v.Summary())
	assert.Equal(t, strings.ReplaceAll(`EVIL improves on EVIL on EVIL in EVIL`, "EVIL", shown),
		v.Statement())
	v.Unit.Name = ""
	assert.Equal(t, strings.ReplaceAll(`EVIL improves on EVIL on EVIL in EVIL`, "EVIL", shown),
		v.Statement())
	v.Outcome = Invalid
	assert.Equal(t, strings.ReplaceAll(`EVIL vs EVIL on EVIL: invalid: no; reason\u001b`, "EVIL",
		shown), v.Summary())
	v.Candidate = ""
	assert.Equal(t, `invalid: no; reason\u001b`, v.Summary())
}

// A verdict has as many lines whatever its names are.
func FuzzVerdictText(f *testing.F) {
	f.Add("nn", "c45", "iris", "trials are missing")
	f.Add(evil, "\r", "\u2028", "\x1b\n")
	f.Fuzz(func(t *testing.T, candidate, baseline, data, reason string) {
		if candidate == "" {
			candidate = "x"
		}
		v := Verdict{
			Outcome: Invalid, Candidate: candidate, Baseline: baseline, Data: data, Reason: reason,
			CandidateHeader: &record.Header{
				Protocol: data, DataDigest: candidate,
				Reproduce: "go " + baseline + data,
			},
			Warnings: []error{errors.New(candidate), errors.New(reason)},
		}
		lines := strings.Split(v.String(), "\n")
		if len(lines) != 7 {
			t.Errorf("%q has %d lines", v, len(lines))
		}
		for _, l := range append(lines, v.Summary(), v.Statement()) {
			if unit.Printable(l) != l {
				t.Errorf("%q is not printable", l)
			}
		}
	})
}
