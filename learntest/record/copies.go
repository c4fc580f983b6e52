package record

import (
	"fmt"
	"math"
	"strconv"
)

// fewCopies is the share of test examples with a copy in training that a header does not mention.
const fewCopies = 0.01

// SetCopies sets Header.Copies: the share of the test examples of the protocol's own runs which
// have an equal example in the training set of their trial, rounded to three digits after the
// point. One of 0.01 and less is left out.
func (h *Header) SetCopies(share float64) {
	h.Copies = ""
	if share > fewCopies {
		h.Copies = strconv.FormatFloat(math.Round(share*1000)/1000, 'g', -1, 64)
	}
}

// CopiesInTraining returns that share, or 0 if the header has none.
func (h *Header) CopiesInTraining() float64 {
	if h.Copies == "" {
		return 0
	}
	share, err := parseCopies(h.Copies)
	if err != nil {
		return 0
	}
	return share
}

func parseCopies(text string) (float64, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share > 0 && share <= 1) {
		return 0, fmt.Errorf("%q is not a share of test examples", excerpt([]byte(text)))
	}
	return share, nil
}

func checkCopies(text string) error {
	_, err := parseCopies(text)
	return err
}
