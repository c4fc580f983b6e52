package record

import (
	"fmt"
	"strings"
	"time"
)

// The keys that are not text fields of a Header.
const (
	keyFormat   = "learnbench-format"
	keyData     = "Data"
	keyLearners = "Learners"
	keyChecksum = "Checksum"
	keyError    = "error"
	keyMeans    = "Means"
	keyItem     = "Item"
	keyWeight   = "Weight"
	keySlices   = "Slices"
	keyStopped  = "Stopped"
	keyRight    = "Right"

	keyPredictions = "Predictions"
)

// The keys of the digests.
const (
	dataDigest  = "data-sha256"
	splitDigest = "split-sha256"
)

// checkDigest returns an error unless the text is a SHA-256 in hexadecimal.
func checkDigest(text string) error {
	if len(text) != 64 || strings.Trim(text, hexDigits) != "" {
		return fmt.Errorf("%q is not the 64 hexadecimal digits of a SHA-256", excerpt([]byte(text)))
	}
	return nil
}

func checkTime(text string) error {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return fmt.Errorf("%q is not a time as in RFC 3339", text)
	}
	return nil
}
