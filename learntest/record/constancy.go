package record

// Constancy says whether a model made the same prediction for all test examples.
type Constancy uint8

// A model of which nothing is known counts as Varied.
const (
	Varied   Constancy = iota
	Alike              // one prediction for all, maybe by chance: for a few examples, say
	Constant           // one prediction for all, and not by chance
)

// appendConstancy appends the mark of a trial: 0 for Alike, 1 for Constant.
func appendConstancy(text []byte, c Constancy) []byte {
	if c == Varied {
		return text
	}
	return append(append(text, ' ', '0'+byte(c)-1, ' '), unitConstant...)
}
