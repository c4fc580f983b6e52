package predictions

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/metric"
)

// Pack returns the predictions of one trial as a word of text, with their probabilities if they are
// wanted.
func Pack(p *metric.Predictions, probabilities bool) string {
	var raw []byte
	for _, c := range p.Predicted {
		raw = binary.AppendUvarint(raw, uint64(c-None))
	}
	values := p.PredictedValues
	if p.Classification() {
		if values = nil; probabilities {
			values = p.Probabilities
		}
	}
	for _, x := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// Unpack returns the predictions of n examples that [Pack] has packed. The error says why the text
// is none of it, such as that it is empty, or was torn.
func Unpack(text string, n int, classes []string, probabilities bool) (*metric.Predictions, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, err
	}
	p := &metric.Predictions{Classes: classes}
	for range n {
		if !p.Classification() {
			break
		}
		c, size := binary.Uvarint(raw)
		if size <= 0 || c > uint64(len(classes)) {
			return nil, errors.New("a class is missing, or none of the classes")
		}
		p.Predicted, raw = append(p.Predicted, int(c)+None), raw[size:]
	}
	var values []float64
	for ; len(raw) >= 8; raw = raw[8:] {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
	}
	wanted := len(values)
	switch {
	case !p.Classification():
		p.PredictedValues, wanted = values, n
	case probabilities && len(values) > 0:
		p.Probabilities, wanted = values, n*len(classes)
	case len(values) > 0:
		wanted = 0
	}
	if len(raw) > 0 || len(values) != wanted {
		return nil, fmt.Errorf("%d numbers and %d bytes, not %d numbers", len(values), len(raw), wanted)
	}
	return p, nil
}
