package record

// formulaOf begins what differs where the formulas of a metric do.
const formulaOf = "formula of "

// AddFormula adds the fingerprint of the formula of a metric to Header.Metrics, a list of
// NAME=FINGERPRINT with names escaped as in the names of trials.
func (h *Header) AddFormula(metric, fingerprint string) {
	h.Metrics = addOf(h.Metrics, metric, fingerprint)
}

// FormulaOf returns the fingerprint of the formula of a metric, or "" if the header has none.
func (h *Header) FormulaOf(metric string) string { return valueOf(h.Metrics, metric) }
