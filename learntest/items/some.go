package items

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// matching returns the numbers of the items whose ids a pattern of LEARNTEST_ITEMS matches. A star
// stands for any text, and a question mark for any character.
func matching(wanted, suite string, items []record.Item) ([]int, error) {
	any := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(wanted))
	pattern := regexp.MustCompile(`(?s)^` + any + `$`) // of quoted text
	var chosen []int
	for i, it := range items {
		if pattern.MatchString(it.ID) {
			chosen = append(chosen, i)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("%w: environment variable %s=%s: it matches none of the %d items of %s, such as %s",
			ErrConfig, envItems, wanted, len(items), suite, items[0].ID)
	}
	return chosen, nil
}

// showSome asks for some items, prints their scores, and judges nothing.
func showSome(c *Comparison, claim verdict.Claim) verdict.Verdict {
	c.t.Helper()
	first := !c.done
	c.ask()
	if c.err != nil {
		return verdict.Fail(claim, c.err)
	}
	if first {
		for _, line := range scoresOf(c) {
			c.tell(line)
		}
	}
	return verdict.Fail(claim, fmt.Errorf("%w: %s=%s asks %d of %d items", verdict.ErrNotJudged,
		envItems, c.env.items, len(c.items), c.short))
}

// scoresOf returns the mean scores of each item in words.
func scoresOf(c *Comparison) (lines []string) {
	baseline, of := c.baseline, c.now
	if c.stored != nil {
		baseline, of = "before", c.stored
	}
	texts := make([][]string, len(c.items))
	for _, u := range c.cfg.Metrics {
		now, before := meansOf(c.now, c.candidate, u.Name), meansOf(of, c.baseline, u.Name)
		for i := range texts {
			texts[i] = append(texts[i], fmt.Sprintf("%s %s, %s %s", u.Name, u.FormatScore(now[i]), baseline,
				u.FormatScore(before[i])))
		}
	}
	for i, it := range c.items {
		lines = append(lines, fmt.Sprintf("%s, %s: %s", c.suite, it.ID, strings.Join(texts[i], "; ")))
	}
	return lines
}

// meansOf returns the mean scores of a learner in a metric, by item.
func meansOf(b *record.Block, learner, metric string) []float64 {
	k := slices.IndexFunc(b.Units, func(u unit.Unit) bool { return u.Name == metric })
	n := len(record.ItemsOf(b))
	means, counts := make([]float64, n), make([]float64, n)
	for t := range b.Trials() {
		if t.Learner == learner {
			means[t.Fold-1] += t.Values[k] // none has failed
			counts[t.Fold-1]++
		}
	}
	for i := range means {
		means[i] /= counts[i]
	}
	return means
}
