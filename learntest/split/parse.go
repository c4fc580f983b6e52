package split

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse returns the protocol with the given text form, the inverse of [Protocol.String].
//
// Parse accepts shorter texts, too. Words after the first may come in any order. The
// default seed is 1, and the default version is the current one. Without "stratified" or
// "unstratified" the constructor of the kind decides. "10x10" is short for "cv runs=10
// folds=10".
//
// The error wraps [ErrSyntax] and names the wrong word; or it wraps [ErrProtocol] if the
// text is well formed but [Protocol.Validate] rejects the protocol, or [ErrPredefined].
func Parse(s string) (Protocol, error) {
	p, err := parse(s)
	if err != nil {
		return Protocol{}, fmt.Errorf("%w %q: %w", ErrSyntax, s, err)
	}
	if p.kind.unreadable != nil {
		return Protocol{}, fmt.Errorf("%w: %q has only their digest; make the protocol with split.Predefined again", p.kind.unreadable, s)
	}
	if err := p.Validate(); err != nil {
		return Protocol{}, err
	}
	return p.pack(), nil
}

func parse(s string) (Protocol, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return Protocol{}, fmt.Errorf("it is empty")
	}
	p, seen, err := parseKind(words[0])
	if err != nil {
		return Protocol{}, fmt.Errorf("word %q: %w", words[0], err)
	}
	for _, word := range words[1:] {
		name, err := p.parseWord(word)
		if err != nil {
			return Protocol{}, fmt.Errorf("word %q: %w", word, err)
		}
		if slices.Contains(seen, name) {
			return Protocol{}, fmt.Errorf("word %q: %s is given twice", word, name)
		}
		seen = append(seen, name)
	}
	for _, set := range p.kind.settings {
		if set.def == "" && !slices.Contains(seen, set.name) {
			return Protocol{}, fmt.Errorf("word %q needs %s=", words[0], set.name)
		}
	}
	return p, nil
}

// parseKind returns the protocol that the first word starts from, and the
// names of the settings that it includes.
func parseKind(word string) (Protocol, []string, error) {
	k, err := lookupKind(word)
	if err == nil {
		return Protocol{kind: k, runs: 1, folds: k.folds, stratified: k.stratified, seed: 1}, nil, nil
	}
	runs, folds, ok := strings.Cut(word, "x")
	r, errR := parseCount(runs)
	f, errF := parseCount(folds)
	if !ok || errR != nil || errF != nil {
		return Protocol{}, nil, err
	}
	return CV(r, f).spell(), []string{"runs", "folds"}, nil
}

// parseWord sets what a word after the first says and returns the name of it.
func (p *Protocol) parseWord(word string) (string, error) {
	name, value, isSetting := strings.Cut(word, "=")
	if !isSetting {
		switch {
		case word == stratifiedWord(true), word == stratifiedWord(false):
			p.stratified = word == stratifiedWord(true)
			return "stratification", nil
		case word == version:
			return "the version", nil
		case len(word) > 1 && word[0] == 'v' && strings.Trim(word[1:], "0123456789") == "":
			return "", fmt.Errorf("this package knows version %s only", version)
		}
		return "", fmt.Errorf("unknown")
	}
	if name == "seed" {
		var err error
		if p.seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return "", fmt.Errorf("not a whole number in 0..2^64-1")
		}
		return name, nil
	}
	i := slices.IndexFunc(p.kind.settings, func(s setting) bool { return s.name == name })
	if i < 0 {
		return "", fmt.Errorf("%s has no setting of that name", p.kind.name)
	}
	return name, p.kind.settings[i].parse(p, value)
}
