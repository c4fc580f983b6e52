// Command fileorder counts, for each package, the uses between files that run against the best order
// of its files found: an arrow from a file to another is drawn where the first uses a name that the
// second declares, and the files are ordered so that as few arrows as possible run back.
//
//	fileorder [-dir DIR] [-list] [PATTERN...]
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

func main() {
	dir := flag.String("dir", ".", "directory of the module")
	list := flag.Bool("list", false, "name each arrow that runs back, and the names that it uses")
	flag.Parse()
	orders, err := read(*dir, flag.Args()...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fileorder:", err)
		os.Exit(1)
	}
	for _, o := range orders {
		fmt.Printf("%s: %d of %d arrows between %d files run back\n",
			o.pkg, len(o.back), o.arrows, len(o.files))
		if *list {
			for _, b := range o.back {
				fmt.Printf("\t%s uses %s of %s\n", b.from, b.names, b.to)
			}
		}
	}
}

// An order is a sequence of the files of a package, each before the files that it uses, but for the
// arrows that run back.
type order struct {
	pkg    string
	files  []string
	arrows int
	back   []arrow
}

// An arrow is the use of names that a file declares in another.
type arrow struct {
	from, to string
	names    []string
}

// read returns the orders of the packages of a module, the ones with most arrows back first.
func read(dir string, patterns ...string) ([]order, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile,
		Dir: dir,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var orders []order
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		orders = append(orders, orderOf(p))
	}
	slices.SortFunc(orders, func(a, b order) int {
		return cmp.Or(cmp.Compare(len(b.back), len(a.back)), cmp.Compare(a.pkg, b.pkg))
	})
	return orders, nil
}

// orderOf orders the files of a package.
func orderOf(p *packages.Package) order {
	uses := make(map[string]map[string]map[string]bool) // by user, file used, name
	file := func(at token.Pos) string { return filepath.Base(p.Fset.Position(at).Filename) }
	var files []string
	for _, f := range p.Syntax {
		from := file(f.Package)
		files = append(files, from)
		uses[from] = make(map[string]map[string]bool)
		ast.Inspect(f, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			used := p.TypesInfo.Uses[name]
			if used == nil || used.Pkg() != p.Types {
				return true
			}
			to := file(used.Pos())
			if to == from {
				return true
			}
			if uses[from][to] == nil {
				uses[from][to] = make(map[string]bool)
			}
			uses[from][to][used.Name()] = true
			return true
		})
	}
	slices.Sort(files)
	graph := make([][]bool, len(files))
	o := order{pkg: p.PkgPath}
	for i, from := range files {
		graph[i] = make([]bool, len(files))
		for j, to := range files {
			graph[i][j] = len(uses[from][to]) > 0
			if graph[i][j] {
				o.arrows++
			}
		}
	}
	places := arrange(graph)
	for _, i := range places {
		o.files = append(o.files, files[i])
	}
	for j, to := range o.files {
		for _, from := range o.files[j+1:] {
			if names := uses[from][to]; len(names) > 0 {
				o.back = append(o.back, arrow{from, to, slices.Sorted(maps.Keys(names))})
			}
		}
	}
	return o
}
