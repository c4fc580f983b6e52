// Command typecheck checks that the packages of a module and their tests compile for other systems.
// Reading the types of a package from its source takes a small part of the time of compiling it.
//
//	typecheck [-dir DIR] GOOS/GOARCH...
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	dir := flag.String("dir", ".", "directory of the module")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "typecheck: name systems, as in windows/amd64")
		os.Exit(2)
	}
	failed := false
	for _, target := range flag.Args() {
		n, err := check(*dir, target)
		if err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", target, err)
			continue
		}
		fmt.Printf("%s: the types of %d packages are right\n", target, n)
	}
	if failed {
		os.Exit(1)
	}
}

// check returns the number of packages in a module, tests included, and an error for the packages
// that do not compile for a target, GOOS/GOARCH.
func check(dir, target string) (int, error) {
	system, machine, ok := strings.Cut(target, "/")
	if !ok || system == "" || machine == "" {
		return 0, fmt.Errorf("a system is GOOS/GOARCH, as in windows/amd64")
	}
	all, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax,
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0"),
		Tests: true,
	}, "./...")
	if err != nil {
		return 0, err
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("%s has no packages", dir)
	}
	var faults []error
	packages.Visit(all, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			faults = append(faults, e)
		}
	})
	return len(all), errors.Join(faults...)
}
