// Package shims embeds the programs with which package process runs learners of scikit-learn,
// R and Weka, for users without a checkout of this module: see learnbench shim.
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

// Text returns the text of a file. The error lists the existing names.
func Text(name string) (string, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("no shim is called %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return string(text), nil
}
