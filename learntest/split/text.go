package split

import (
	"fmt"
	"strconv"
	"strings"
)

// A kind is one way to partition examples. kindDefault occurs in the zero
// Protocol only.
type kind uint8

const (
	kindDefault kind = iota
	kindCV
	kindSubsample
	kindLeaveOneOut
	kindGroups
	kindTimeSeries
	kindPredefined
	kindWeka
	numKinds
)

// String returns the first word of the text form.
func (k kind) String() string {
	switch k {
	case kindDefault, kindCV:
		return "cv"
	case kindSubsample:
		return "subsample"
	case kindLeaveOneOut:
		return "loo"
	case kindGroups:
		return "groups"
	case kindTimeSeries:
		return "timeseries"
	case kindPredefined:
		return "predefined"
	case kindWeka:
		return "weka"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// stratified is what the kind's constructor sets.
func (k kind) stratified() bool { return k == kindCV || k == kindWeka }

// optionallyStratified reports whether that may be changed.
func (k kind) optionallyStratified() bool {
	return k == kindCV || k == kindSubsample || k == kindGroups
}

// A setting is a word name=value of the text form. It may be left out if it
// has a default and that is its value.
type setting struct {
	name string
	def  string
}

// settings returns the settings of the kind in canonical order.
func (k kind) settings() []setting {
	switch k {
	case kindCV, kindGroups, kindWeka:
		return []setting{{name: "runs"}, {name: "folds"}}
	case kindSubsample:
		return []setting{{name: "runs"}, {name: "train"}}
	case kindLeaveOneOut:
		return []setting{{"runs", "1"}}
	case kindTimeSeries:
		return []setting{{"runs", "1"}, {name: "folds"}, {"test", "0"}, {"maxtrain", "0"}, {"gap", "0"}}
	case kindPredefined:
		return []setting{{name: "runs"}, {name: "folds"}, {name: "sha256"}}
	}
	return nil
}

// version is the version of the partitioning algorithms. A change that gives
// other partitions needs another version, since stored results name it.
const version = "v1"

// String returns the canonical text form, such as
//
//	cv runs=10 folds=10 stratified seed=1 v1
//	subsample runs=100 train=0.9 unstratified seed=1 v1
//	loo seed=1 v1
//	groups runs=10 folds=5 unstratified seed=1 v1
//	timeseries folds=5 test=20 maxtrain=100 gap=2 seed=1 v1
//	predefined runs=1 folds=3 sha256=5feceb66… seed=1 v1
//	weka runs=10 folds=10 seed=1 v1
//
// The last word is the version of the partitioning algorithms. Settings of
// timeseries that are zero are left out. The digest of predefined partitions
// is that of their plan, [Plan.Digest].
func (p Protocol) String() string {
	p = p.spell()
	var b strings.Builder
	b.WriteString(p.kind.String())
	for _, s := range p.kind.settings() {
		if v := p.value(s.name); v != s.def {
			fmt.Fprintf(&b, " %s=%s", s.name, v)
		}
	}
	if p.kind.optionallyStratified() || p.stratified != p.kind.stratified() {
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

func (p *Protocol) value(name string) string {
	switch name {
	case "train":
		return strconv.FormatFloat(p.train, 'g', -1, 64)
	case "sha256":
		return digestParts(p.parts)
	}
	return strconv.Itoa(*p.count(name))
}

// count returns the place of a setting that is a whole number.
func (p *Protocol) count(name string) *int {
	switch name {
	case "runs":
		return &p.runs
	case "folds":
		return &p.folds
	case "test":
		return &p.window.TestSize
	case "maxtrain":
		return &p.window.MaxTrain
	case "gap":
		return &p.window.Gap
	}
	panic("split: no setting " + name)
}
