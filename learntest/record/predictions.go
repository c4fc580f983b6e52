package record

import (
	"errors"
	"slices"
	"strings"
)

// AddPredictions adds checksums to Header.Predictions, a list of the checksums of the predictions
// that are kept of the trials, in files of their own: see package predictions.
func (h *Header) AddPredictions(sums ...string) {
	all := h.PredictionSums()
	for _, sum := range sums {
		if !slices.Contains(all, sum) {
			all = append(all, sum)
		}
	}
	h.Predictions = strings.Join(all, " ")
}

// PredictionSums returns the checksums in Header.Predictions.
func (h *Header) PredictionSums() []string { return strings.Fields(h.Predictions) }

var errDoubleSum = errors.New("a checksum is there twice")

// checkPredictions returns an error unless the text is a list of different checksums.
func checkPredictions(text string) error {
	var h Header
	for sum := range strings.SplitSeq(text, " ") {
		if err := checkDigest(sum); err != nil {
			return err
		}
		h.AddPredictions(sum)
	}
	if h.Predictions != text {
		return errDoubleSum
	}
	return nil
}
