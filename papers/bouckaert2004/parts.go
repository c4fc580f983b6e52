package bouckaert2004

import (
	"context"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
)

// A bfPart is a study of a part of the paper.
type bfPart struct {
	name, doc string
	used      []int // partitionings
	tables    func(ctx context.Context, b *bf, cells *bfCells) ([]study.Table, error)
}

func bfParts() []bfPart {
	return []bfPart{
		{"bf1", "table 1: on ten partitions of real data sets, how often the 5×2cv t test finds no difference", []int{bfTwoFolds}, bf1Tables},
		{
			"bf2", "table 2: replicability of the corrected resampled t test",
			[]int{bfResampled},
			func(ctx context.Context, b *bf, cells *bfCells) ([]study.Table, error) {
				return b.replicabilities(ctx, cells, "table 2", "the corrected resampled t test", "bf-table2",
					"runs", bfResamplingTests(bfResampled))
			},
		},
		{
			"bf3", "table 3: replicability of the corrected test of repeated 10-fold cross-validation",
			[]int{bfTenFolds},
			func(ctx context.Context, b *bf, cells *bfCells) ([]study.Table, error) {
				return b.replicabilities(ctx, cells, "table 3",
					"the corrected test of repeated 10-fold cross-validation", "bf-table3", "runs",
					bfTable3Tests())
			},
		},
		{
			"bf4", "table 4: replicability of the corrected test of ten runs, at four levels",
			[]int{bfTenFolds},
			func(ctx context.Context, b *bf, cells *bfCells) ([]study.Table, error) {
				return b.replicabilities(ctx, cells, "table 4", "the corrected test of 10×10 cross-validation",
					"bf-table4", "level", bfTable4Tests())
			},
		},
		{"bf-text", "sections 4.1 and 4.3: rejections in both directions, the uncorrected t tests, and stratified resampling", []int{bfTwoFolds, bfTenFolds, bfResampled, bfStratified}, bfTextTables},
	}
}

// Parts returns all parts of the paper.
func Parts() []paper.Part {
	const doc = bfPaper + "table 5: how consistent five tests are on ten partitions of data sets from "
	return append(bfStudies(),
		paper.Part{Name: "bf5", Doc: doc + "four sources", Run: runBF5},
		paper.Part{Name: "bf5-dense", Doc: doc + "denser networks for sources 2 and 3", Run: runBF5Dense})
}

// bfStudies returns the studies of the paper's real data: each of its parts, and all in one, with
// the same trainings.
func bfStudies() []paper.Part {
	parts := bfParts()
	var studies []paper.Part
	for _, p := range parts {
		studies = append(studies, bfStudy(p.name, p.doc, p))
	}
	return append(studies, bfStudy("bf", "tables 1 to 4 and the figures of the text, trained once",
		parts...))
}

func bfStudy(name, doc string, parts ...bfPart) paper.Part {
	return paper.Part{Name: name, Doc: bfPaper + doc, Data: true, Run: func(ctx context.Context,
		cfg lab.Config,
	) (*study.Report, error) {
		var used [bfPartitionings]bool
		for _, p := range parts {
			for _, i := range p.used {
				used[i] = true
			}
		}
		b, err := trainBF(ctx, cfg, used)
		if err != nil {
			return nil, err
		}
		var r study.Report
		cells := &bfCells{complete: len(b.shelf.Sets) == bfPrintedSets, seen: make(map[string]bool)}
		for _, p := range parts {
			tables, err := p.tables(ctx, b, cells)
			if err != nil {
				return nil, err
			}
			r.Tables = append(r.Tables, tables...)
		}
		if len(cells.rows) > 0 {
			r.Tables = append(r.Tables, cells.table())
		}
		return &r, nil
	}}
}
