package bradford2001

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/study"
	"github.com/learnbench/learnbench/papers/internal/paper"
)

// A bbPart is a study of a part of the paper.
type bbPart struct {
	name, doc string
	tables    func(b *bb) ([]study.Table, error)
}

func bbStudyParts() []bbPart {
	parts := []bbPart{
		{"bb1", "table 1: accuracies of two decision trees and naive Bayes", one((*bb).accuracies)},
		{"bb2", "table 2: the averaged t of 55 partitions", one((*bb).averages)},
		{"bb3", "table 3: what single partitions say", one((*bb).conclusions)},
		{"bb4", "table 4: right and wrong conclusions of single partitions", one((*bb).errors)},
		{
			"bb-groups", "section 3: four groups of data sets, by what the partition decides",
			one((*bb).groups),
		},
		{
			"bb-partitions", "section 4: how many partitions suffice for a conclusion",
			one((*bb).sufficient),
		},
		{"bb-combinations", "section 4: Fisher's combination and signed ranks of p, which the paper rejects", (*bb).combinations},
	}
	for i, f := range []struct {
		other, procedure int
		doc              string
	}{
		{1, 0, "TDDT-1 against TDDT-2 by 1×10 cross-validation"},
		{2, 0, "TDDT-1 against naive Bayes by 1×10 cross-validation"},
		{1, 1, "TDDT-1 against TDDT-2 by 5×2 cross-validation"},
		{2, 1, "TDDT-1 against naive Bayes by 5×2 cross-validation"},
	} {
		name := fmt.Sprint("figure ", i+1)
		parts = append(parts, bbPart{fmt.Sprint("bb-fig", i+1), name + ": " + f.doc +
			", the significance of each partition", func(b *bb) ([]study.Table, error) {
			return b.significances(name, f.doc, f.other, f.procedure)
		}})
	}
	return append(parts, bbPart{
		"bb-fig5",
		"figure 5: how normal the t of partitions is, and how normal their significance",
		(*bb).normality,
	})
}

func one(table func(*bb) (study.Table, error)) func(*bb) ([]study.Table, error) {
	return func(b *bb) ([]study.Table, error) {
		t, err := table(b)
		return []study.Table{t}, err
	}
}

// Parts returns the studies of the paper: each of its parts, and all in one, with the same
// trainings.
func Parts() []paper.Part {
	parts := bbStudyParts()
	var studies []paper.Part
	for _, p := range parts {
		studies = append(studies, bbStudy(p.name, p.doc, p))
	}
	return append(studies, bbStudy("bb", "all tables and the data of all figures, trained once",
		parts...))
}

func bbStudy(name, doc string, parts ...bbPart) paper.Part {
	return paper.Part{Name: name, Doc: bbPaper + doc, Data: true, Run: func(ctx context.Context,
		cfg lab.Config,
	) (*study.Report, error) {
		b, err := trainBB(ctx, cfg)
		if err != nil {
			return nil, err
		}
		var r study.Report
		for _, p := range parts {
			tables, err := p.tables(b)
			if err != nil {
				return nil, err
			}
			r.Tables = append(r.Tables, tables...)
		}
		return &r, nil
	}}
}
