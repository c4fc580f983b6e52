package learntest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// update writes the results of the candidate to a baseline, and returns in words what that changes.
// The error is that the claims are not judged, if nothing else went wrong.
func (g *group) update(path, how string) (changes []string, err error) {
	name, b := g.learners[0], g.set().Block()
	if failed := g.there.File().Failures(); len(failed) > 0 {
		return nil, fmt.Errorf("the baseline %s was not written: trial failed: %v: %s", path,
			failed[0].Cell(), failed[0].Err)
	}
	doubt := learnedNothing(b, name)
	if doubt != nil && how != forced {
		return nil, fmt.Errorf("the baseline %s was not written: %w: what the next version is compared with has learned nothing that shows: see to the learner, or choose a metric in which that scores low, such as balanced-accuracy; %s=%s writes it nevertheless", path, doubt, envUpdate, forced)
	}
	done, err := g.there.Baseline(g.set(), path).Update()
	if err != nil {
		return nil, fmt.Errorf("the baseline %s was not written: %w", path, err)
	}
	for _, u := range b.Units {
		changes = append(changes, fmt.Sprintf("%s: %s on %s: %s", path, name, b.Header.Data,
			change(done, b, name, u)))
	}
	if done.Unread != nil {
		changes = append(changes, fmt.Sprintf("%s: warning: the replaced results cannot be compared with: %v", path, done.Unread))
	}
	if doubt != nil {
		changes = append(changes, fmt.Sprintf("%s: warning: %v", path, doubt))
	}
	runs := unit.FormatRuns(results.CompleteRuns(b))
	if done.Same {
		return changes, fmt.Errorf("%w: the baseline %s is left unchanged, with the same scores in %s of %s: run the test again without %s", verdict.ErrNotJudged, path, runs, name, envUpdate)
	}
	return changes, fmt.Errorf("%w: the baseline %s was written, with %s of %s: run the test again without %s", verdict.ErrNotJudged, path, runs, name, envUpdate)
}

// change says how the mean of a learner in a metric has changed.
func change(done *results.Update, b *record.Block, learner string, u unit.Unit) string {
	now, _ := b.Mean(learner, u.Name)
	is, before := u.Name+" "+u.FormatScore(now), done.Before
	if before == nil || !slices.Contains(before.Units, u) {
		return is + " (new" + replaces(done, u) + ")"
	}
	was, ok := before.Mean(learner, u.Name)
	if !ok {
		return is + " (new: the stored results are not complete)"
	}
	selection := func(b *record.Block) record.Selection {
		return record.NewFile(b).Of(b.Header.Data, learner)
	}
	p, err := record.Pair(selection(b), selection(before), u.Name)
	how := u.FormatDifference(now - was)
	switch gain := float64(u.Better) * (now - was); {
	case err != nil:
		how = "on other data or partitions, which says nothing of the model"
	case slices.Equal(p.A, p.B):
		how = "no score has changed"
	case gain < 0:
		how += ", worse"
	case gain > 0:
		how += ", better"
	}
	return fmt.Sprintf("%s %s -> %s (%s)", u.Name, u.FormatScore(was), u.FormatScore(now), how)
}

// replaces says which learners of other names a learner takes the place of, so that a new name
// hides no loss.
func replaces(done *results.Update, u unit.Unit) string {
	var others []string
	for _, name := range done.Others() {
		if mean, ok := done.Gone.Mean(name, u.Name); ok {
			others = append(others, name+", "+u.FormatScore(mean))
		}
	}
	if others == nil {
		return ""
	}
	return "; replaces " + strings.Join(others, ", and ")
}

// learnedNothing returns an error if the learner is no better than always predicting the most
// frequent class, in any of the metrics: nil if one of them cannot tell.
func learnedNothing(b *record.Block, learner string) error {
	var scores []string
	class := ""
	for _, u := range b.Units {
		mean, _ := b.Mean(learner, u.Name)
		most, score, noBetter := b.Header.NoBetter(u, mean)
		if !noBetter {
			return nil
		}
		class = most
		scores = append(scores, fmt.Sprintf("%s %s", u.Name, u.FormatScore(score)))
	}
	return fmt.Errorf("%s is no better than always %q (%s)", learner, class,
		strings.Join(scores, ", "))
}
