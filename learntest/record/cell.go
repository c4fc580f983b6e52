package record

import (
	"bytes"
	"fmt"
	"strings"
)

// A Cell is the place of a trial: a learner and the fold that it is trained on.
type Cell struct {
	Data, Learner string
	Run, Fold     int
	Item          string // id of the item that the fold is; empty for other protocols
}

// String returns the cell in words.
func (c Cell) String() string {
	if c.Item != "" {
		return fmt.Sprintf("data set %s, learner %s, item %s, repeat %d", c.Data, c.Learner,
			c.Item, c.Run)
	}
	return fmt.Sprintf("data set %s, learner %s, run %d, fold %d", c.Data, c.Learner, c.Run, c.Fold)
}

// Name returns the cell as the name of a trial spells it, data=D/learner=L/run=R/fold=F, or
// data=D/learner=L/item=I/repeat=R, in which names are escaped.
func (c Cell) Name() string {
	if c.Item != "" {
		return fmt.Sprintf("data=%s/learner=%s/item=%s/repeat=%d", EscapeName(c.Data),
			EscapeName(c.Learner), EscapeName(c.Item), c.Run)
	}
	return fmt.Sprintf("data=%s/learner=%s/run=%d/fold=%d", EscapeName(c.Data), EscapeName(c.Learner),
		c.Run, c.Fold)
}

// ParseCell returns the cell of a name that [Cell.Name] returns. The fold of an item is 0: its
// number is not in the name.
func ParseCell(name string) (c Cell, err error) {
	if fields, err := cutItem([]byte("Item/" + name)); err == nil {
		return parseItemCell(name, fields)
	}
	fields, err := cutName([]byte("CV/" + name))
	if err != nil {
		return c, err
	}
	if c.Data, err = unescapeName(string(fields[0])); err != nil {
		return c, err
	}
	if c.Learner, err = unescapeName(string(fields[1])); err != nil {
		return c, err
	}
	var ok [2]bool
	c.Run, ok[0] = parseCount(string(fields[2]))
	c.Fold, ok[1] = parseCount(string(fields[3]))
	if ok != [2]bool{true, true} {
		return c, fmt.Errorf("invalid run or fold in %q", name)
	}
	return c, nil
}

func parseItemCell(name string, fields [4][]byte) (c Cell, err error) {
	for i, to := range []*string{&c.Data, &c.Learner, &c.Item} {
		if *to, err = unescapeName(string(fields[i])); err != nil {
			return c, err
		}
	}
	run, ok := parseCount(string(fields[3]))
	if c.Run = run; !ok || c.Item == "" {
		return c, fmt.Errorf("invalid item or repeat in %q", name)
	}
	return c, nil
}

// cutName splits the name of a benchmark into the values of data, learner, run
// and fold.
func cutName(name []byte) (fields [4][]byte, err error) {
	return cutFields(name, "CV/", [4]string{"data=", "learner=", "run=", "fold="})
}

// cutItem splits the name of a benchmark into the values of data, learner, item and repeat.
func cutItem(name []byte) (fields [4][]byte, err error) {
	return cutFields(name, "Item/", [4]string{"data=", "learner=", "item=", "repeat="})
}

func cutFields(name []byte, benchmark string, prefixes [4]string) (fields [4][]byte, err error) {
	rest, ok := bytes.CutPrefix(name, []byte(benchmark))
	for i, prefix := range prefixes {
		field, after, more := bytes.Cut(rest, []byte("/"))
		value, found := bytes.CutPrefix(field, []byte(prefix))
		ok = ok && found && more == (i < 3)
		fields[i], rest = value, after
	}
	if !ok {
		form := benchmark
		for i, prefix := range prefixes {
			form += []string{"", "/"}[min(i, 1)] + prefix + strings.ToUpper(prefix[:1])
		}
		return fields, fmt.Errorf("the name %q is not of the form %s", excerpt(name), form)
	}
	return fields, nil
}
