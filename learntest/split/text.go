package split

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the canonical text form, such as
//
//	cv runs=10 folds=10 stratified seed=1 v1
//	subsample runs=100 train=0.9 unstratified seed=1 v1
//	loo seed=1 v1
//	groups runs=10 folds=5 unstratified seed=1 v1
//	timeseries folds=5 test=20 maxtrain=100 gap=2 seed=1 v1
//	predefined runs=1 folds=3 sha256=5feceb66… seed=1 v1
//	weka runs=10 folds=10 seed=1 v1
//	halves m=20 folds=5 seed=1 v1
//	grouphalves m=20 folds=5 unstratified seed=1 v1
//
// The last word is the version of the partitioning algorithms. Settings of timeseries that are
// zero are left out, and so is the word stratified of halves. The digest of predefined
// partitions is the digest of their plan, [Plan.Digest].
func (p Protocol) String() string {
	p = p.spell()
	var b strings.Builder
	b.WriteString(p.kind.name)
	for _, s := range p.kind.settings {
		if v := s.text(&p); v != s.def {
			fmt.Fprintf(&b, " %s=%s", s.name, v)
		}
	}
	if p.kind.optional && !p.kind.unsaid || p.stratified != p.kind.stratified {
		b.WriteByte(' ')
		b.WriteString(stratifiedWord(p.stratified))
	}
	fmt.Fprintf(&b, " seed=%d %s", p.seed, version)
	return b.String()
}

func stratifiedWord(on bool) string {
	if on {
		return "stratified"
	}
	return "unstratified"
}

// text returns the value of a setting.
func (s *setting) text(p *Protocol) string {
	switch v := s.at(p).(type) {
	case *float64:
		return strconv.FormatFloat(*v, 'g', -1, 64)
	case *string:
		return digestParts(*v)
	case *int:
		return strconv.Itoa(*v)
	}
	panic("split: setting " + s.name + " of no known type")
}

// parse sets the value of a setting.
func (s *setting) parse(p *Protocol, text string) (err error) {
	switch v := s.at(p).(type) {
	case *float64:
		if *v, err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("not a number")
		}
	case *int:
		*v, err = parseCount(text)
	}
	return err
}

func parseCount(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("not a whole number in 0..2^31-1")
	}
	return int(n), nil
}

// KindOf returns the kind of a protocol in its text form: the first word, such as cv.
func KindOf(text string) string {
	kind, _, _ := strings.Cut(text, " ")
	return kind
}

// SettingOf returns the value of a setting, such as gap, of a protocol in its text form, or "" if
// the text does not have the setting.
func SettingOf(text, name string) string {
	for _, word := range strings.Split(text, " ")[1:] {
		if n, value, ok := strings.Cut(word, "="); ok && n == name {
			return value
		}
	}
	return ""
}
