package match

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/learnbench/learnbench/learntest/unit"
	"golang.org/x/perf/benchproc"
)

// A term is a word of a filter or of a list in a projection: the text a key is held against, as
// written.
type term struct{ flag, key, value string }

// A scanner takes queries apart that package benchproc has accepted.
type scanner struct{ rest string }

// terms returns the terms of a query, where the mark stands between a key and its values: a colon
// in filters, and @ in projections, whose only values are the values of a list.
func terms(flag, query string, mark byte) []term {
	s := &scanner{query}
	var all []term
	for {
		s.rest = strings.TrimLeftFunc(s.rest, func(c rune) bool {
			return unicode.IsSpace(c) ||
				strings.ContainsRune("()-*,", c)
		})
		if s.rest == "" {
			return all
		}
		key := s.word(false)
		if s.rest == "" || s.rest[0] != mark {
			if key == "" {
				s.rest = s.rest[1:]
			}
			continue // AND, OR, or a key alone
		}
		s.rest = s.rest[1:]
		s.space()
		if !strings.HasPrefix(s.rest, "(") {
			if value := s.word(mark == ':'); mark == ':' {
				all = append(all, term{flag, key, value})
			}
			continue
		}
		s.rest = s.rest[1:]
		for s.space(); s.rest != "" && s.rest[0] != ')'; s.space() {
			value := s.word(mark == ':')
			if value == "" {
				return all
			}
			if value != "OR" || mark != ':' {
				all = append(all, term{flag, key, value})
			}
		}
	}
}

func (s *scanner) space() { s.rest = strings.TrimLeftFunc(s.rest, unicode.IsSpace) }

// word returns the next word with its quotes, or the next regular expression with its slashes.
func (s *scanner) word(regexps bool) string {
	end := 0
	switch {
	case strings.HasPrefix(s.rest, `"`):
		for end = 1; end < len(s.rest) && (s.rest[end] != '"' || s.rest[end-1] == '\\'); end++ {
		}
		end = min(end+1, len(s.rest))
	case regexps && strings.HasPrefix(s.rest, "/"):
		inClass := false
		for end = 1; end < len(s.rest) && (inClass || s.rest[end] != '/'); end++ {
			switch s.rest[end] {
			case '\\':
				end++
			case '[':
				inClass = true
			case ']':
				inClass = false
			}
		}
		end = min(end+1, len(s.rest))
	default:
		end = strings.IndexFunc(s.rest, func(c rune) bool {
			return unicode.IsSpace(c) ||
				strings.ContainsRune("():@,", c)
		})
		if end < 0 {
			end = len(s.rest)
		}
	}
	word := s.rest[:end]
	s.rest = s.rest[end:]
	return word
}

// terms returns the terms of all flags.
func (q *Query) terms() []term {
	all := terms("filter", q.Filter, ':')
	for _, p := range []struct{ flag, query string }{
		{"table", q.Table},
		{"row", q.Row},
		{"col", q.Col},
	} {
		all = append(all, terms(p.flag, p.query, '@')...)
	}
	return all
}

// takesTests reports whether the query tells packages or tests apart.
func (a *arrangement) takesTests() bool {
	for _, t := range a.query.terms() {
		if t.key == "pkg" || t.key == "test" {
			return true
		}
	}
	for _, p := range []*benchproc.Projection{a.table, a.row, a.col} {
		for _, f := range p.FlattenedFields() {
			if f.Name == "pkg" || f.Name == "test" {
				return true
			}
		}
	}
	return false
}

// checkTerms returns an error if a word matches no result: a gate would pass without judging the
// intended results.
func (a *arrangement) checkTerms() error {
	for _, t := range a.query.terms() {
		if !slices.Contains(keys, strings.Trim(t.key, `"`)) {
			return unknownKey("-"+t.flag, t.key)
		}
		filter, err := benchproc.NewFilter(t.key + ":" + t.value)
		if err != nil {
			continue // of a key that is none of a result
		}
		if values, ok := a.matches(filter, t.key); !ok {
			there := ""
			if len(values) > 0 {
				there = "; there are: " + unit.Quoted(values)
			}
			return fmt.Errorf("-%s: %s:%s matches nothing%s", t.flag, t.key, t.value, there)
		}
	}
	return nil
}

// matches reports whether a filter matches any result, or which values there are of the key.
func (a *arrangement) matches(filter *benchproc.Filter, key string) (values []string, ok bool) {
	var have list
	var parser benchproc.ProjectionParser
	of, err := parser.Parse(key, nil)
	for _, s := range a.sides {
		for _, b := range s.File.Blocks() {
			var units []string
			for _, u := range b.Units {
				units = append(units, u.Name)
			}
			r := a.result(s, b, units)
			for _, learner := range b.Learners {
				r.Name = a.name(b.Header.Data, learner)
				if m, err := filter.Match(r); err == nil && m.Any() {
					return nil, true
				}
				if key == ".unit" {
					have.add(units...)
				} else if err == nil {
					have.add(a.label(of.Project(r), of, " "))
				}
			}
		}
	}
	return have.all, false
}
