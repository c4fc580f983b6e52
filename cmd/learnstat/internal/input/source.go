// Package input finds and reads the result files of a command line.
package input

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Stdin is the path of standard input.
const Stdin = "-"

// A Source is the files of one column: most often one, or the shards that the command line
// gives the same label.
type Source struct {
	Key   string // the value of .file: the label, or the path as given
	Label string // as shown: a path without the directories that all share
	Paths []string

	labelled bool
	version  *version // of a file in git; nil for a file
}

// Sources returns the sources of a command line's arguments, each of which is a path or
// label=path. Paths with the same label are one source. As in benchstat, a path that is
// there several times without a label is several, PATH#0, PATH#1 and so on.
func Sources(args []string) ([]Source, error) {
	times := make(map[string]int)
	var paths []string
	for _, arg := range args {
		_, path, _ := cutLabel(arg)
		paths = append(paths, path)
		if _, path, ok := cutLabel(arg); ok && path == Stdin || arg == Stdin {
			times[Stdin+Stdin]++
		}
		if _, _, ok := cutLabel(arg); !ok {
			times[arg]++
		}
	}
	if times[Stdin+Stdin] > 1 {
		return nil, errors.New("standard input, -, can be read once only")
	}
	short := shortened(paths)
	seen := make(map[string]int)
	var sources []Source
	for i, arg := range args {
		label, path, ok := cutLabel(arg)
		s := Source{Key: label, Label: label, Paths: []string{path}, labelled: ok}
		if !ok {
			s = Source{Key: arg, Label: short[i], Paths: []string{arg}}
			if times[arg] > 1 {
				number := "#" + strconv.Itoa(seen[arg])
				seen[arg]++
				s.Key, s.Label = s.Key+number, s.Label+number
			}
		}
		if at := slices.IndexFunc(sources, func(o Source) bool { return o.Key == s.Key }); at >= 0 {
			sources[at].Paths = append(sources[at].Paths, s.Paths...)
			continue
		}
		sources = append(sources, s)
	}
	for i := range sources { // a label that somebody gave may be the short form of another path
		for j := range sources {
			if i != j && sources[i].Label == sources[j].Label {
				sources[i].Label = sources[i].Key
			}
		}
	}
	return sources, nil
}

// cutLabel splits label=path. An argument with a slash before the equals sign is a path.
func cutLabel(arg string) (label, path string, ok bool) {
	label, path, ok = strings.Cut(arg, "=")
	if !ok || label == "" || path == "" || strings.ContainsAny(label, `/\`) {
		return "", arg, false
	}
	return label, path, true
}

// shortened returns the paths without the directories that they share.
func shortened(paths []string) []string {
	parts := make([][]string, len(paths))
	for i, p := range paths {
		parts[i] = strings.Split(filepath.ToSlash(p), "/")
	}
	shared := 0
	for ; shared < len(parts[0])-1; shared++ {
		if slices.ContainsFunc(parts, func(p []string) bool {
			return shared >= len(p)-1 ||
				p[shared] != parts[0][shared]
		}) {
			break
		}
	}
	short := make([]string, len(paths))
	for i, p := range parts {
		short[i] = strings.Join(p[shared:], "/")
	}
	return short
}

// name says in messages which file it is.
func (s *Source) name() string {
	if len(s.Paths) == 1 {
		return s.Paths[0]
	}
	return fmt.Sprintf("%s (%d files)", s.Label, len(s.Paths))
}
