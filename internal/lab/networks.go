package lab

import (
	"embed"
	"fmt"
	"path"
)

//go:embed networks/*.txt
var networkFiles embed.FS

// sourceNames are the names of the networks of this package.
var sourceNames = [...]string{"source1", "source2", "source3", "source4"}

// Examples is how many the papers draw from a source for a data set.
const Examples = 300

// Networks returns the four sources of Bouckaert (2003) and Bouckaert & Frank (2004) as far as
// the papers describe them: networks of ten attributes with equally frequent classes, the
// first without arrows, the others naive Bayes with further arrows. They were found by a
// search, which a test repeats, and are in the folder networks.
func Networks() ([]*Network, error) {
	var all []*Network
	for _, name := range sourceNames {
		file := path.Join("networks", name+".txt")
		text, err := networkFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		n, err := ParseNetwork(file, string(text))
		if err != nil {
			return nil, err
		}
		if n.Name != name {
			return nil, fmt.Errorf("%w: %s is called %s", ErrNetwork, file, n.Name)
		}
		all = append(all, n)
	}
	return all, nil
}
