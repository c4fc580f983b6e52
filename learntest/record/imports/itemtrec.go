package imports

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric/ranking"
	"github.com/learnbench/learnbench/learntest/unit"
)

// readTREC reads a run of TREC, "query Q0 document rank score tag" a line, or of pytrec_eval, and
// scores its rankings. A query is an item. The rank is not looked at, as with trec_eval.
func readTREC(c *itemCollector, in io.Reader, s Source) error {
	if c.qrels == nil {
		if err := c.readQrels(); err != nil {
			return err
		}
	}
	found, tag := make(map[string][]ranking.Document), ""
	text := skipBOM(in)
	if isNested(text) {
		err := nested(c, text, func(query, document, number string) error {
			x, err := finite(number)
			found[query] = append(found[query], ranking.Document{ID: document, Score: x})
			return err
		})
		if err != nil {
			return err
		}
		return c.rankings(s.Learner, found)
	}
	err := c.fields(text, func(line int, f []string) error {
		if len(f) != 6 {
			return c.errorf(line, "there are %d fields: want query, Q0, document, rank, score and tag",
				len(f))
		}
		x, err := finite(f[4])
		if err != nil {
			return c.errorf(line, "the score %v", err)
		}
		if tag != "" && f[5] != tag {
			return c.errorf(line, "the tags %q and %q are in one file: a file has one run", tag, f[5])
		}
		tag = f[5]
		found[f[0]] = append(found[f[0]], ranking.Document{ID: f[2], Score: x})
		return nil
	})
	if err != nil {
		return err
	}
	return c.rankings(cmp.Or(s.Learner, tag), found)
}

// rankings scores what a learner has found.
func (c *itemCollector) rankings(learner string, found map[string][]ranking.Document) error {
	measures := c.ItemOptions.Measures
	if len(measures) == 0 {
		measures = []Measure{{Column: "ndcg@10"}}
	}
	if len(found) == 0 {
		return c.errorf(1, "there is no document of any query")
	}
	var unjudged, missing, without []string
	for _, query := range slices.Sorted(maps.Keys(found)) {
		if c.qrels[query] == nil {
			unjudged = append(unjudged, query)
		}
	}
	for _, query := range slices.Sorted(maps.Keys(c.qrels)) {
		judgements := c.qrels[query]
		if !hasRelevant(judgements) {
			without = append(without, query)
			continue
		}
		a := answer{id: query, content: judgedContent(judgements), values: make(map[string]float64)}
		for _, m := range measures {
			metric, err := ranking.Lookup(m.Column)
			if err != nil {
				return fmt.Errorf("%w: %s: %w", ErrOptions, optMeasures, err)
			}
			x, err := metric.Score(judgements, found[query])
			if err != nil {
				return c.errorf(1, "query %q: %v", query, err)
			}
			a.values[m.name()] = x
			m.Better = unit.Higher
			c.named[m.name()] = m
		}
		if len(found[query]) == 0 {
			missing = append(missing, query)
		}
		if err := c.add(learner, a, 1); err != nil {
			return err
		}
	}
	for _, left := range []struct {
		queries []string
		why     string
	}{
		{unjudged, "have no judgements, and are left out"},
		{without, "have no relevant document, and are left out"},
		{missing, "have no document here, and score 0"},
	} {
		if n := len(left.queries); n > 0 {
			c.note("%s: queries that %s: %d: %s", c.source, left.why, n, some(left.queries))
		}
	}
	return nil
}

// hasRelevant reports whether a query has a relevant document.
func hasRelevant(judgements map[string]int) bool {
	for _, grade := range judgements {
		if grade > 0 {
			return true
		}
	}
	return false
}

// some returns the first few names.
func some(names []string) string {
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += " and others"
	}
	return text
}

// judgedContent returns the digest of judgements.
func judgedContent(judgements map[string]int) string {
	var lines []string
	for _, id := range slices.Sorted(maps.Keys(judgements)) {
		lines = append(lines, id, strconv.Itoa(judgements[id]))
	}
	return digestOf("judgements", lines...)
}

// fields calls f for the fields of each line that is not empty.
func (c *itemCollector) fields(in io.Reader, f func(line int, fields []string) error) error {
	lines := bufio.NewReaderSize(skipBOM(&lineReader{r: in, limit: c.limits.line()}), 1<<16)
	for line := 1; ; line++ {
		text, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return c.wrap(line, err)
		}
		if fields := strings.Fields(text); len(fields) > 0 {
			if err := f(line, fields); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readQrels reads the judgements: "query 0 document grade" a line, or, as BEIR has them, "query
// document grade" with a header.
func (c *itemCollector) readQrels() (err error) {
	file, err := os.Open(c.Qrels)
	if err != nil {
		return err
	}
	run := c.source
	c.source = c.Qrels
	defer func() {
		c.source = run
		err = errors.Join(err, file.Close())
	}()
	qrels := make(map[string]map[string]int)
	judge := func(query, document, text string) error {
		grade, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s is no grade: it is a whole number", excerpt(text))
		}
		if qrels[query] == nil {
			qrels[query] = make(map[string]int)
		}
		if _, ok := qrels[query][document]; ok {
			return fmt.Errorf("document %q of query %q is judged twice", document, query)
		}
		qrels[query][document] = grade
		return nil
	}
	text := skipBOM(c.limits.bytes().Reader(file))
	read := c.fields
	if isNested(text) {
		read = func(in io.Reader, _ func(int, []string) error) error { return nested(c, in, judge) }
	}
	err = read(text, func(line int, f []string) error {
		if line == 1 && len(f) == 3 && f[0] == "query-id" {
			return nil
		}
		if len(f) != 3 && len(f) != 4 {
			return c.errorf(line, "there are %d fields: want query, 0, document and grade", len(f))
		}
		if err := judge(f[0], f[len(f)-2], f[len(f)-1]); err != nil {
			return c.errorf(line, "%v", err)
		}
		return nil
	})
	if err == nil && len(qrels) == 0 {
		err = c.errorf(1, "there are no judgements")
	}
	c.qrels = qrels
	return err
}
