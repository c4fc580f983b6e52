package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// A mutation is a change to a file.
type mutation struct {
	text  string
	whole bool // to whole blocks, so that there is no line to name
}

// A mutator changes a text in one place, whose new text it may take from another text. It returns
// false if there is no such place.
type mutator struct {
	name string
	do   func(r *rand.Rand, text, other string) (string, bool)
}

// mutate changes a text.
func mutate(r *rand.Rand, text, other string) (string, mutation) {
	all := mutators()
	for {
		m := all[r.IntN(len(all))]
		after, ok := m.do(r, text, other)
		if !ok || after == text {
			continue
		}
		whole := strings.HasSuffix(m.name, " block") || strings.HasPrefix(m.name, "truncate") &&
			isWhole(text, after)
		return after, mutation{m.name, whole}
	}
}

// isWhole reports whether a text that was cut off still has whole blocks only.
func isWhole(text, after string) bool {
	rest := strings.TrimLeft(strings.TrimPrefix(text, after), "\n")
	return strings.HasSuffix(after, "\n") && strings.HasPrefix(rest, formatKey)
}

func mutators() []mutator {
	list := []mutator{
		{"change a byte", func(r *rand.Rand, text, _ string) (string, bool) {
			at := place(r, text)
			return text[:at] + anyByte(r, text) + text[at+1:], true
		}},
		{"delete a byte", func(r *rand.Rand, text, _ string) (string, bool) {
			at := place(r, text)
			return text[:at] + text[at+1:], true
		}},
		{"insert a byte", func(r *rand.Rand, text, _ string) (string, bool) {
			at := place(r, text)
			return text[:at] + anyByte(r, text) + text[at:], true
		}},
		{"truncate", func(r *rand.Rand, text, _ string) (string, bool) {
			return text[:r.IntN(len(text))], true
		}},
		{"truncate behind a line", func(r *rand.Rand, text, _ string) (string, bool) {
			lines := strings.SplitAfter(text, "\n")
			return strings.Join(lines[:r.IntN(len(lines))], ""), true
		}},
		{"truncate behind a block", func(r *rand.Rand, text, _ string) (string, bool) {
			parts := blocksOf(text)
			return strings.Join(parts[:r.IntN(len(parts))], ""), true
		}},
		{"change a digit", func(r *rand.Rand, text, _ string) (string, bool) {
			return changeByte(r, text, func(c byte) bool { return '0' <= c && c <= '9' },
				func(byte) byte { return '0' + byte(r.IntN(10)) })
		}},
		{"change the case of a letter", func(r *rand.Rand, text, _ string) (string, bool) {
			letter := func(c byte) bool { return c < 128 && unicode.IsLetter(rune(c)) }
			return changeByte(r, text, letter, func(c byte) byte { return c ^ 0x20 })
		}},
		{"take the value of a key from the other file", otherValue},
		{"turn a direction", func(r *rand.Rand, text, _ string) (string, bool) {
			lines := strings.SplitAfter(text, "\n")
			at, ok := pick(r, lines, func(line string) bool { return strings.HasPrefix(line, "Unit ") })
			if !ok {
				return "", false
			}
			lines[at] = strings.NewReplacer("=higher", "=lower", "=lower", "=higher").Replace(lines[at])
			return strings.Join(lines, ""), true
		}},
		{"remove a checksum", func(r *rand.Rand, text, _ string) (string, bool) {
			lines := strings.SplitAfter(text, "\n")
			at, ok := pick(r, lines, func(line string) bool { return strings.HasPrefix(line, checksumKey) })
			if !ok {
				return "", false
			}
			return strings.Join(slices.Delete(lines, at, at+1), ""), true
		}},
	}
	lines := func(text string) []string {
		return strings.SplitAfter(strings.TrimSuffix(text, "\n"),
			"\n")
	}
	for _, what := range []struct {
		name  string
		parts func(string) []string
	}{{"line", lines}, {"block", blocksOf}} {
		for _, do := range partMutators() {
			list = append(list, mutator{
				do.name + " a " + what.name,
				func(r *rand.Rand, text, other string) (string, bool) {
					parts := what.parts(text)
					last := parts[len(parts)-1] // all parts end with a newline
					parts[len(parts)-1] = strings.TrimSuffix(last, "\n") + "\n"
					from := parts // a block of the other file would be a result like any other
					if what.name == "line" {
						from = what.parts(other)
					}
					return strings.Join(do.do(r, parts, from), ""), true
				},
			})
		}
	}
	for _, do := range partMutators() {
		list = append(list, mutator{do.name + " a field", func(r *rand.Rand, text, _ string) (string,
			bool,
		) {
			ls := strings.Split(text, "\n")
			at := strings.Count(text[:place(r, text)], "\n")
			if !strings.Contains(ls[at], " ") {
				return "", false
			}
			from := strings.Fields(ls[r.IntN(len(ls))])
			if len(from) == 0 {
				return "", false
			}
			ls[at] = strings.Join(do.do(r, strings.Split(ls[at], " "), from), " ")
			return strings.Join(ls, "\n"), true
		}})
	}
	return list
}

type partMutator struct {
	name string
	do   func(r *rand.Rand, parts, other []string) []string
}

// partMutators are the mutators of a text in parts.
func partMutators() []partMutator {
	return []partMutator{
		{"delete", func(r *rand.Rand, parts, _ []string) []string {
			at := r.IntN(len(parts))
			return slices.Delete(parts, at, at+1)
		}},
		{"duplicate", func(r *rand.Rand, parts, _ []string) []string {
			at, to := r.IntN(len(parts)), r.IntN(len(parts)+1)
			if r.IntN(2) == 0 {
				to = at
			}
			return slices.Insert(parts, to, parts[at])
		}},
		{"swap", func(r *rand.Rand, parts, _ []string) []string {
			a, b := r.IntN(len(parts)), r.IntN(len(parts))
			if r.IntN(2) == 0 {
				b = min(a+1, len(parts)-1)
			}
			parts[a], parts[b] = parts[b], parts[a]
			return parts
		}},
		{"replace", func(r *rand.Rand, parts, other []string) []string {
			from := parts
			if r.IntN(2) == 0 {
				from = other
			}
			parts[r.IntN(len(parts))] = from[r.IntN(len(from))]
			return parts
		}},
	}
}

// blocksOf splits a text before each block.
func blocksOf(text string) []string {
	var parts []string
	for line := range strings.Lines(text) {
		if len(parts) == 0 || strings.HasPrefix(line, formatKey) {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += line
	}
	return parts
}

// otherValue gives a key the value that it has in some block of the other file.
func otherValue(r *rand.Rand, text, other string) (string, bool) {
	isKey := func(line string) bool {
		name, _, ok := strings.Cut(line, ":")
		return ok && !strings.Contains(name, " ")
	}
	lines, others := strings.SplitAfter(text, "\n"), strings.SplitAfter(other, "\n")
	at, ok := pick(r, lines, isKey)
	if !ok {
		return "", false
	}
	name, _, _ := strings.Cut(lines[at], ":")
	from, ok := pick(r, others, func(line string) bool {
		return strings.HasPrefix(line, name+":") &&
			line != lines[at]
	})
	if !ok {
		return "", false
	}
	lines[at] = others[from]
	return strings.Join(lines, ""), true
}

// pick returns the index of one of the elements that are wanted.
func pick(r *rand.Rand, list []string, wanted func(string) bool) (int, bool) {
	var found []int
	for i, s := range list {
		if wanted(s) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return 0, false
	}
	return found[r.IntN(len(found))], true
}

// place returns where something is to be changed: in half of all cases in a kind of line
// that is drawn first, since most of the text are trials.
func place(r *rand.Rand, text string) int {
	if r.IntN(2) == 0 {
		return r.IntN(len(text))
	}
	byKind := make(map[string][]int) // where its lines begin
	var kinds []string
	for at := 0; at < len(text); at += strings.IndexByte(text[at:], '\n') + 1 {
		kind := text[at : at+strings.IndexAny(text[at:], ": /\n")]
		if byKind[kind] == nil {
			kinds = append(kinds, kind)
		}
		byKind[kind] = append(byKind[kind], at)
	}
	starts := byKind[kinds[r.IntN(len(kinds))]]
	at := starts[r.IntN(len(starts))]
	return at + r.IntN(strings.IndexByte(text[at:], '\n')+1)
}

func changeByte(r *rand.Rand, text string, wanted func(byte) bool, change func(byte) byte) (string,
	bool,
) {
	for range 1000 {
		if at := place(r, text); wanted(text[at]) {
			return fmt.Sprintf("%s%c%s", text[:at], change(text[at]), text[at+1:]), true
		}
	}
	return "", false
}

// anyByte returns a byte of the text, one that means something to a reader, or
// any.
func anyByte(r *rand.Rand, text string) string {
	const special = "\n\r\t :=/%\\-+.eELR0159#\x00\xff"
	switch r.IntN(3) {
	case 0:
		return string(text[r.IntN(len(text))])
	case 1:
		return special[r.IntN(len(special)):][:1]
	}
	return string([]byte{byte(r.IntN(256))})
}
