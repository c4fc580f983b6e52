// Package shims has the programs that make learners of scikit-learn, R and Weka ones that
// package process can start, for those who have no checkout of this module: see
// learnbench shim.
package shims

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.py *.R *.java
var files embed.FS

// Names returns the names of the files.
func Names() []string {
	names, err := fs.Glob(files, "*.*")
	if err != nil {
		panic(err) // the pattern is well-formed
	}
	return names
}

// Text returns the text of a file. The error names those that there are.
func Text(name string) (string, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("no shim is called %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return string(text), nil
}
