package lab

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrNetwork is wrapped by errors about the text of a network.
var ErrNetwork = errors.New("not a network")

// ParseNetwork reads the text form of a network, as [Network.String] has it. Empty lines and what
// follows a # are skipped. The error wraps [ErrNetwork] and begins with file, line and,
// where there is a word to blame, its place in the line.
func ParseNetwork(file, text string) (*Network, error) {
	p := networkParser{file: file, n: &Network{}}
	for line := range strings.Lines(text) {
		p.line++
		if !utf8.ValidString(line) {
			return nil, p.fail(word{column: 1}, "the line is not UTF-8")
		}
		line, _, _ = strings.Cut(line, "#")
		if words := cutWords(line); len(words) > 0 {
			if err := p.parse(words); err != nil {
				return nil, err
			}
		}
	}
	end := word{column: 1}
	switch {
	case p.n.Name == "":
		return nil, p.fail(end, `there is no line "network NAME"`)
	case p.names == nil:
		return nil, p.fail(end, `there is no line "class: PROBABILITY"`)
	case len(p.n.Attributes) == 0:
		return nil, p.fail(end, "there are no attributes")
	}
	return p.n, nil
}

// A word of a line, and the column of its first byte, counted from 1.
type word struct {
	text   string
	column int
}

// cutWords returns the words of a line; a colon and a bar are words of their own.
func cutWords(line string) []word {
	var words []word
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words = append(words, word{line[start:end], start + 1})
		}
		start = -1
	}
	for i := range len(line) {
		switch c := line[i]; c {
		case ' ', '\t', '\r', '\n':
			flush(i)
		case ':', '|':
			flush(i)
			words = append(words, word{string(c), i + 1})
		default:
			if start < 0 {
				start = i
			}
		}
	}
	flush(len(line))
	return words
}

// A networkParser reads a network line by line.
type networkParser struct {
	file  string
	line  int
	n     *Network
	names []string // of the variables so far, the class first
}

func (p *networkParser) fail(w word, format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d:%d: %s", ErrNetwork, p.file, max(p.line, 1), w.column,
		fmt.Sprintf(format, args...))
}

func (p *networkParser) parse(words []word) error {
	switch {
	case p.n.Name == "":
		if words[0].text != "network" || len(words) != 2 || special(words[1].text) {
			return p.fail(words[0], `want "network NAME"`)
		}
		p.n.Name = words[1].text
		return nil
	case p.names == nil:
		if words[0].text != "class" || len(words) != 3 || words[1].text != ":" {
			return p.fail(words[0], `want "class: PROBABILITY"`)
		}
		var err error
		if p.n.Class, err = p.probability(words[2]); err != nil {
			return err
		}
		if p.n.Class == 0 || p.n.Class == 1 {
			return p.fail(words[2], "there is one class only")
		}
		p.names = []string{"class"}
		return nil
	}
	return p.attribute(words)
}

func special(text string) bool { return text == ":" || text == "|" }

// attribute reads "NAME | PARENTS: PROBABILITIES".
func (p *networkParser) attribute(words []word) error {
	colon := slices.IndexFunc(words, func(w word) bool { return w.text == ":" })
	name := words[0]
	switch {
	case special(name.text) || colon < 0:
		return p.fail(name, `want "NAME: PROBABILITY" or "NAME | PARENTS: PROBABILITIES"`)
	case slices.Contains(p.names, name.text):
		return p.fail(name, "variable %q is there already", name.text)
	case len(p.names) > maxAttributes:
		return p.fail(name, "more than %d attributes", maxAttributes)
	}
	a := Variable{Name: name.text}
	if colon > 1 {
		if words[1].text != "|" || colon == 2 {
			return p.fail(words[1], `want "NAME | PARENTS: PROBABILITIES"`)
		}
		for _, w := range words[2:colon] {
			parent := slices.Index(p.names, w.text)
			switch {
			case parent < 0:
				return p.fail(w, "no variable before this one is called %q", w.text)
			case slices.Contains(a.Parents, parent):
				return p.fail(w, "parent %q is there twice", w.text)
			case len(a.Parents) == maxParents:
				return p.fail(w, "more than %d parents", maxParents)
			}
			a.Parents = append(a.Parents, parent)
		}
	}
	given := words[colon+1:]
	if want := 1 << len(a.Parents); len(given) != want {
		return p.fail(words[colon], "%d probabilities for %d parents: want %d", len(given),
			len(a.Parents), want)
	}
	for _, w := range given {
		q, err := p.probability(w)
		if err != nil {
			return err
		}
		a.P = append(a.P, q)
	}
	p.names = append(p.names, a.Name)
	p.n.Attributes = append(p.n.Attributes, a)
	return nil
}

func (p *networkParser) probability(w word) (float64, error) {
	q, err := strconv.ParseFloat(w.text, 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0, p.fail(w, "%q is not a probability, which is between 0 and 1", w.text)
	}
	return q, nil
}
