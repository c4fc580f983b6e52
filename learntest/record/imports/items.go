package imports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// An ItemFormat is a kind of file with the scores of fixed systems, such as agents or rankers, on the items of a suite.
type ItemFormat struct {
	Name string // as in "lm-eval"
	Doc  string // the tool and its file, in a few words

	read    func(c *itemCollector, in io.Reader, s Source) error
	needs   []string // options without which there is no result
	refuses []string // options that say what the file says itself

	archive string // what makes text of an archive of this tool
	shares  bool   // all scores are from 0 to 1
}

// ItemOptions say what files of items do not. In files of JSON, names of columns are paths with dots, such as metadata.topic.
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
		optDataset: o.Dataset != "", optID: o.ID != "", optCluster: o.Cluster != "", optSlices: len(o.Slices) > 0, optRepeat: o.Repeat != "", optContent: len(o.Content) > 0,
		optMeasures: len(o.Measures) > 0, optWhere: len(o.Where) > 0, optQrels: o.Qrels != "",
		optLearner: slices.ContainsFunc(sources, func(s Source) bool { return s.Learner != "" }),
	}
}

// ItemFormats returns the formats of items that can be read.
func ItemFormats() []ItemFormat {
	return []ItemFormat{
		{
			Name: "items", Doc: "a score of each item, as JSON lines, a JSON list or CSV", read: readItemRows,
			needs: []string{optDataset, optID, optMeasures, optLearner}, refuses: []string{optQrels},
		},
		{
			Name: "lm-eval", Doc: "samples_*.jsonl of lm-evaluation-harness", read: readLMEval,
			needs: []string{optDataset, optLearner}, refuses: []string{optID, optRepeat, optContent, optQrels},
		},
		{
			Name: "inspect", Doc: "a log of Inspect, JSON", read: readInspect,
			refuses: []string{optID, optRepeat, optContent, optWhere, optQrels},
			archive: "write the log as JSON, by inspect log convert --to json --output-dir DIR FILE",
		},
		{
			Name: "trec", Doc: "rankings of queries, a run of TREC, with judgements", read: readTREC,
			needs: []string{optDataset, optQrels}, refuses: []string{optID, optCluster, optSlices, optRepeat, optContent, optWhere},
			shares: true,
		},
		{
			Name: "promptfoo", Doc: "output.json of promptfoo", read: readPromptfoo,
			needs: []string{optDataset}, refuses: []string{optID, optRepeat, optContent, optWhere, optQrels},
		},
		{
			Name: "docker-agent", Doc: "results of docker-agent's evaluations, JSON", read: readDockerAgent,
			needs: []string{optDataset}, refuses: []string{optID, optCluster, optSlices, optRepeat, optContent, optMeasures, optWhere, optQrels},
		},
	}
}

// LookupItems returns the format of items with the given name, and whether there is one.
func LookupItems(name string) (ItemFormat, bool) {
	for _, f := range ItemFormats() {
		if f.Name == name {
			return f, true
		}
	}
	return ItemFormat{}, false
}

// ReadItems reads sources of one format, which may be compressed, and returns a block of all answers together. Every learner
// has answered all items, with as many repeats.
//
// The errors are as for [Read].
func ReadItems(f ItemFormat, o ItemOptions, sources ...Source) (*Results, error) {
	if len(sources) == 0 {
		return nil, fmt.Errorf("%w: no files", ErrOptions)
	}
	if err := o.Limits.check(); err != nil {
		return nil, err
	}
	given := o.given(sources)
	missing := slices.DeleteFunc(slices.Clone(f.needs), func(name string) bool { return given[name] })
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: format %s needs %s", ErrOptions, f.Name, strings.Join(missing, ", "))
	}
	for _, name := range f.refuses {
		if given[name] {
			return nil, fmt.Errorf("%w: format %s takes no %s", ErrOptions, f.Name, name)
		}
	}
	c := &itemCollector{
		ItemOptions: o, kind: f, suite: o.Dataset, items: make(map[string]*record.Item), answers: make(map[repeatKey]answer),
		lines: make(map[repeatKey]record.Pos), repeats: make(map[string]map[string]int), named: make(map[string]Measure),
		prompts: make(map[string]string),
	}
	read := func(_ *collector, in io.Reader, s Source) error { return f.read(c, in, s) }
	c.collector = &collector{format: Format{Name: f.Name, read: read, archive: f.archive}, given: o.Limits, limits: o.Limits.withDefaults()}
	for _, s := range sources {
		if err := c.open(s); err != nil {
			return nil, err
		}
	}
	b, err := c.block()
	if err != nil {
		return nil, err
	}
	return &Results{Blocks: []*record.Block{b}, Notes: c.notes, Assumed: c.assumed}, nil
}

// OpenItems is [ReadItems] for files, and for directories as [Expand] has it. learners names the learner of each file, in
// their order, or is empty.
func OpenItems(f ItemFormat, o ItemOptions, paths, learners []string) (*Results, error) {
	sources, err := sourcesOf(paths, learners)
	if err != nil {
		return nil, err
	}
	return ReadItems(f, o, sources...)
}

// sourcesOf returns the sources of paths, with the learner of each if there are any.
func sourcesOf(paths, learners []string) ([]Source, error) {
	paths, err := Expand(paths)
	if err != nil {
		return nil, err
	}
	if len(learners) > 0 && len(learners) != len(paths) {
		return nil, fmt.Errorf("%w: %d learners (-learner) for %d files: name one for each, in their order", ErrOptions, len(learners), len(paths))
	}
	sources := make([]Source, len(paths))
	for i, path := range paths {
		sources[i].Name = path
		if len(learners) > 0 {
			sources[i].Learner = learners[i]
		}
	}
	return sources, nil
}
