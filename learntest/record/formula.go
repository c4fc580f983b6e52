package record

import "strings"

// formulaOf begins what differs where the formulas of a metric do.
const formulaOf = "formula of "

// AddFormula adds the fingerprint of the formula of a metric to Header.Metrics, a list of
// NAME=FINGERPRINT with names escaped as in the names of trials.
func (h *Header) AddFormula(metric, fingerprint string) {
	h.Metrics = addOf(h.Metrics, metric, fingerprint)
}

// FormulaOf returns the fingerprint of the formula of a metric, or "" if the header has none.
func (h *Header) FormulaOf(metric string) string { return valueOf(h.Metrics, metric) }

// otherFormula reports whether both headers know the formula of a metric, and their formulas differ.
func otherFormula(a, b *Header, metric string) bool {
	x, y := a.FormulaOf(metric), b.FormulaOf(metric)
	return x != "" && y != "" && x != y
}

// unionFormulas returns the formulas of several blocks, which agree on the formulas that they know.
func unionFormulas(blocks []*Block) string {
	var h Header
	for _, u := range blocks[0].Units {
		for _, b := range blocks {
			if f := b.Header.FormulaOf(u.Name); f != "" {
				h.AddFormula(u.Name, f)
				break
			}
		}
	}
	return h.Metrics
}

// metricOf returns the metric whose formula differs, if that is what does.
func (e *MismatchError) metricOf() (string, bool) { return strings.CutPrefix(e.What, formulaOf) }
