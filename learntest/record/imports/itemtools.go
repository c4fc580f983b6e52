package imports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// readLMEval reads samples of lm-evaluation-harness: a line for each document and filter, with a
// key for each metric.
func readLMEval(c *itemCollector, in io.Reader, s Source) error {
	measures := c.Measures
	defer func() { c.Measures = measures }()
	prompts := c.prompts
	return c.objects(in, func(line int, o object) error {
		id, err := c.required(o, "doc_id", line)
		if err != nil {
			return err
		}
		switch own := text(o.get("filter")); {
		case c.filter == "":
			c.filter = own
		case own != c.filter:
			return c.errorf(line, "there are answers of the filters %q and %q: select one with %s, as in -where filter=%s", c.filter, own, optWhere, own)
		}
		if measures == nil {
			c.Measures = nil
			names, _ := o.get("metrics").([]any)
			for _, name := range names {
				c.Measures = append(c.Measures, Measure{Column: text(name)})
			}
			if len(names) == 0 {
				return c.errorf(line, "metrics lists no metric: name the columns with %s", optMeasures)
			}
		}
		a := answer{id: id}
		doc, target := text(o.get("doc_hash")), text(o.get("target_hash"))
		if doc != "" {
			a.content = digestOf("content", doc, target)
		}
		if err := c.groups(&a, o, line); err != nil {
			return err
		}
		if prompt := text(o.get("prompt_hash")); prompt != "" {
			if have, ok := prompts[id]; ok && have != prompt {
				c.note("prompts differ: %s has other prompts of some items than the files before it", c.source)
			}
			prompts[id] = prompt
		}
		if err := c.measured(&a, o, line); err != nil {
			return err
		}
		return c.add(s.Learner, a, line)
	})
}

// readInspect reads a log of Inspect. An epoch is a repeat.
func readInspect(c *itemCollector, in io.Reader, s Source) error {
	log, err := readInspectLog(c, in)
	if err != nil {
		return err
	}
	if log.Status != "success" {
		return c.errorf(1, "the status of the evaluation is %q: results are complete only after success",
			log.Status)
	}
	if log.Eval.Config.Limit != nil {
		c.note("%s has a limit of %s samples: other limits are other items", c.source,
			text(log.Eval.Config.Limit))
	}
	if err := c.of(log.Eval.Task, 1); err != nil {
		return err
	}
	for i, o := range log.Samples {
		sample := i + 1
		a := answer{id: text(o.get("id")), content: digestOf("content", text(o.get("input")),
			text(o.get("target")))}
		if epoch := o.get("epoch"); epoch != nil {
			if _, err := fmt.Sscan(text(epoch), &a.repeat); err != nil {
				return c.errorf(1, "sample %d: epoch %s", sample, excerpt(text(epoch)))
			}
		}
		if err := c.groups(&a, o, 1); err != nil {
			return err
		}
		if err := c.inspected(&a, o); err != nil {
			return c.errorf(1, "sample %d: %v", sample, err)
		}
		if err := c.add(cmp.Or(s.Learner, log.Eval.Model), a, sample); err != nil {
			return err
		}
	}
	return nil
}

// inspected adds the scores of a sample of Inspect to an answer. A score that is a dict is several
// metrics. Of a list, each element is one where a measure names it by its number: lists may differ
// in length, and their elements have no names.
func (c *itemCollector) inspected(a *answer, o object) error {
	if e := o.get("error"); e != nil {
		a.cause = "error: " + text(object{"error": e}.get("error.message"))
		return nil
	}
	all := make(map[string]any)
	scores, _ := o["scores"].(map[string]any)
	for name, x := range scores {
		spread(all, name, object{"x": x}.get("x.value"))
	}
	if len(all) == 0 {
		a.cause = "no scores"
		return nil
	}
	if measures := c.ItemOptions.Measures; len(measures) > 0 {
		wanted := make(map[string]any)
		for _, m := range measures {
			wanted[m.name()] = all[m.Column]
			c.named[m.name()] = m
		}
		all = wanted
	}
	a.values = make(map[string]float64)
	letters := map[string]float64{"C": 1, "P": 0.5, "I": 0, "N": 0}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if letter, ok := all[name].(string); ok {
			if x, ok := letters[letter]; ok {
				a.values[name] = x
				continue
			}
		}
		if list, ok := all[name].([]any); ok {
			return fmt.Errorf("score %q is a list of %d: name the elements that count, from 0, with %s, as in -measure %s.0=NAME", name, len(list), optMeasures, cmp.Or(c.named[name].Column, name))
		}
		x, err := score(all[name])
		switch {
		case err == errNoScore:
			a.cause = "no score " + name
		case err != nil:
			return fmt.Errorf("score %q: %w", name, err)
		default:
			a.values[name] = x
		}
	}
	return nil
}

// spread adds a value under its name; the values of a dict, and the elements of a list besides the
// list itself, under names with dots.
func spread(all map[string]any, name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for part, x := range value {
			spread(all, name+"."+part, x)
		}
		return
	case []any:
		for i, x := range value {
			spread(all, fmt.Sprintf("%s.%d", name, i), x)
		}
	}
	all[name] = value
}

// readPromptfoo reads the output of promptfoo. An item is a set of variables: its position in the
// file changes with the file. Providers and prompts are learners, and equal rows are repeats.
func readPromptfoo(c *itemCollector, in io.Reader, s Source) error {
	var out struct {
		Results struct {
			Version int
			Results []object
		}
	}
	if err := c.document(in, &out); err != nil {
		return err
	}
	rows := out.Results.Results
	promptOf, prompts := promptsOf(rows)
	type place struct{ learner, id string }
	repeats := make(map[place]int)
	for i, o := range rows {
		row := i + 1
		vars := o.get("vars")
		if vars == nil {
			return c.errorf(1, "row %d: there are no vars, which an item is known by", row)
		}
		learner := cmp.Or(s.Learner, text(o.get("provider.label")), text(o.get("provider.id")))
		if len(prompts) > 1 {
			learner += fmt.Sprintf(" prompt %d", prompts[promptOf(o)])
		}
		content := digestOf("content", text(vars), text(o.get("testCase.assert")))
		a := answer{id: digestOf("item", text(vars))[:16], content: content}
		if name := text(o.get("testCase.description")); name != "" {
			a.id = name
		}
		if err := c.groups(&a, o, 1); err != nil {
			return err
		}
		repeats[place{learner, a.id}]++
		a.repeat = repeats[place{learner, a.id}]
		if err := c.promptfooScores(&a, o); err != nil {
			return c.errorf(1, "row %d: %v", row, err)
		}
		if err := c.add(learner, a, row); err != nil {
			return err
		}
	}
	return nil
}

// promptsOf returns what names the prompt of a row, and the numbers of these names, from 0, in the
// order of promptIdx. That counts the pairs of a provider and a prompt, which is known by its
// template, unless two of a provider have the same one.
func promptsOf(rows []object) (of func(object) string, numbers map[string]int) {
	of = func(o object) string { return cmp.Or(text(o.get("prompt.label")), text(o.get("promptIdx"))) }
	index := make(map[[3]string]string)
	for _, o := range rows {
		pair := [3]string{text(o.get("provider.label")), text(o.get("provider.id")), of(o)}
		if have, ok := index[pair]; ok && have != text(o.get("promptIdx")) {
			of = func(o object) string { return text(o.get("promptIdx")) }
			break
		}
		index[pair] = text(o.get("promptIdx"))
	}
	least := make(map[string]int)
	for _, o := range rows {
		n, _ := strconv.Atoi(text(o.get("promptIdx")))
		if have, ok := least[of(o)]; !ok || n < have {
			least[of(o)] = n
		}
	}
	names := slices.SortedFunc(maps.Keys(least),
		func(a, b string) int { return cmp.Compare(least[a], least[b]) })
	numbers = make(map[string]int)
	for k, name := range names {
		numbers[name] = k
	}
	return of, numbers
}

// promptfooScores adds the scores of a row of promptfoo to an answer.
func (c *itemCollector) promptfooScores(a *answer, o object) error {
	// 1 is an assertion that failed, a score; 2 is an error, and no answer was scored.
	if text(o.get("failureReason")) == "2" {
		a.cause = "error: " + strings.TrimSpace(text(o.get("error")))
		return nil
	}
	measures := c.ItemOptions.Measures
	if len(measures) == 0 {
		measures = []Measure{{Column: "score"}}
	}
	a.values = make(map[string]float64)
	for _, m := range measures {
		x, err := score(o.get(m.Column))
		switch {
		case err == errNoScore:
			a.cause = "no score " + m.name()
		case err != nil:
			return fmt.Errorf("%q: %w", m.Column, err)
		default:
			a.values[m.name()] = x
			c.named[m.name()] = m
		}
	}
	return nil
}
