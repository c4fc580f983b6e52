package imports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// ItemFormats returns the formats of items that can be read.
func ItemFormats() []ItemFormat {
	return []ItemFormat{
		{
			Name: "items", Doc: "a score of each item, as JSON lines, a JSON list or CSV",
			read:  readItemRows,
			needs: []string{optDataset, optID, optMeasures, optLearner}, refuses: []string{optQrels},
		},
		{
			Name: "lm-eval", Doc: "samples_*.jsonl of lm-evaluation-harness", read: readLMEval,
			needs: []string{optDataset, optLearner}, refuses: []string{
				optID, optRepeat, optContent,
				optQrels,
			},
		},
		{
			Name: "inspect", Doc: "a log of Inspect, JSON", read: readInspect,
			refuses: []string{optID, optRepeat, optContent, optWhere, optQrels},
			archive: "write the log as JSON, by inspect log convert --to json --output-dir DIR FILE",
		},
		{
			Name: "trec", Doc: "rankings of queries, a run of TREC, with judgements", read: readTREC,
			needs: []string{optDataset, optQrels}, refuses: []string{
				optID, optCluster, optSlices, optRepeat,
				optContent, optWhere,
			},
			shares: true,
		},
		{
			Name: "promptfoo", Doc: "output.json of promptfoo", read: readPromptfoo,
			needs: []string{optDataset}, refuses: []string{optID, optRepeat, optContent, optWhere, optQrels},
		},
		{
			Name: "docker-agent", Doc: "results of docker-agent's evaluations, JSON", read: readDockerAgent,
			needs: []string{optDataset}, refuses: []string{
				optID, optCluster, optSlices, optRepeat,
				optContent, optMeasures, optWhere, optQrels,
			},
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

// ReadItems reads sources of one format, which may be compressed, and returns a block of all
// answers together. Every learner has answered all items, with as many repeats.
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
		ItemOptions: o, kind: f, suite: o.Dataset, items: make(map[string]*record.Item),
		answers: make(map[repeatKey]answer),
		lines:   make(map[repeatKey]record.Pos), repeats: make(map[string]map[string]int),
		named:   make(map[string]Measure),
		prompts: make(map[string]string),
	}
	read := func(_ *collector, in io.Reader, s Source) error { return f.read(c, in, s) }
	c.collector = &collector{
		format: Format{Name: f.Name, read: read, archive: f.archive},
		given:  o.Limits, limits: o.Limits.withDefaults(),
	}
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

// OpenItems is [ReadItems] for files, and for directories as [Expand] has it. learners names the
// learner of each file, in their order, or is empty.
func OpenItems(f ItemFormat, o ItemOptions, paths, learners []string) (*Results, error) {
	sources, err := sourcesOf(paths, learners)
	if err != nil {
		return nil, err
	}
	return ReadItems(f, o, sources...)
}
