package study

import (
	"embed"
	"fmt"
	"path"
)

//go:embed networks/*.txt
var networkFiles embed.FS

// A target is what a network is to be like: how accurate naive Bayes and C4.5 are that are
// trained on 300 examples of it.
type target struct {
	name        string
	bayes, tree float64 // accuracies, in percent: table 3 of Bouckaert (2003)
	gap         float64 // of C4.5 over naive Bayes, in points: table 5 of Bouckaert & Frank (2004)
	seed        uint64  // of the search
}

// targets are the sources of the papers.
func targets() []target {
	return []target{
		{"source1", 50, 50, 0, 1},
		{"source2", 87.84, 90.61, 2.77, 2},
		{"source3", 71.92, 77.74, 5.83, 3},
		{"source4", 81.96, 93.23, 11.27, 4},
	}
}

// Networks returns the four sources of Bouckaert (2003) and Bouckaert & Frank (2004) as far as
// the papers describe them: networks of ten attributes with equally frequent classes, the
// first without arrows, the others naive Bayes with further arrows. They were found by a
// search, which a test repeats, and are in the folder networks.
func Networks() ([]*Network, error) {
	var all []*Network
	for _, t := range targets() {
		file := path.Join("networks", t.name+".txt")
		text, err := networkFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		n, err := ParseNetwork(file, string(text))
		if err != nil {
			return nil, err
		}
		if n.Name() != t.name {
			return nil, fmt.Errorf("%w: %s is called %s", ErrNetwork, file, n.Name())
		}
		all = append(all, n)
	}
	return all, nil
}
