package imports

import (
	"io"
	"slices"
)

// An ItemFormat is a kind of file with the scores of fixed systems, such as agents or rankers, on
// the items of a suite.
type ItemFormat struct {
	Name string // as in "lm-eval"
	Doc  string // the tool and its file, in a few words

	read    func(c *itemCollector, in io.Reader, s Source) error
	needs   []string // options without which there is no result
	refuses []string // options that say what the file says itself

	archive string // what makes text of an archive of this tool
	shares  bool   // all scores are from 0 to 1
}

// ItemOptions say what files of items do not. In files of JSON, names of columns are paths with
// dots, such as metadata.topic.
type ItemOptions struct {
	Dataset  string      // name of the suite of items; where files name it, the default
	ID       string      // column of the item's id
	Cluster  string      // column of the item's cluster; if empty, each item is its own
	Slices   []string    // columns whose values are slices of the items, such as metadata.topic=tax
	Repeat   string      // column of the number of the repeat; if empty, each item is answered once
	Content  []string    // columns of the item's question and right answer: results pair only where they are equal
	Measures []Measure   // columns to import
	Where    []Condition // leaves out the rows whose columns have other values
	Qrels    string      // file of the relevance judgements of queries
	Limits   Limits
}

// The names of options of items, as errors have them.
const (
	optID      = "ID (-id)"
	optCluster = "Cluster (-cluster)"
	optSlices  = "Slices (-slice)"
	optRepeat  = "Repeat (-repeat)"
	optContent = "Content (-content)"
	optWhere   = "Where (-where)"
	optQrels   = "Qrels (-qrels)"

	maxSlices = 20 // values of a column
)

// given returns the options that are set, by name.
func (o *ItemOptions) given(sources []Source) map[string]bool {
	return map[string]bool{
		optDataset: o.Dataset != "", optID: o.ID != "", optCluster: o.Cluster != "",
		optSlices: len(o.Slices) > 0, optRepeat: o.Repeat != "", optContent: len(o.Content) > 0,
		optMeasures: len(o.Measures) > 0, optWhere: len(o.Where) > 0, optQrels: o.Qrels != "",
		optLearner: slices.ContainsFunc(sources, func(s Source) bool { return s.Learner != "" }),
	}
}
