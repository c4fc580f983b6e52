package picture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/learnbench/learnbench/internal/plot"
)

// maxSingle is how many single comparisons are drawn, the most important ones.
const maxSingle = 200

// list is the name of the file that lists the pictures of a directory, so that the next ones take
// their place.
const list = "pictures.txt"

// A named picture has the name of its file without its ending.
type named struct {
	name string
	make func() (*plot.Picture, error)
}

// Files draws all pictures into a directory, in the formats svg and png, and returns notes on the
// comparisons left out. It removes the pictures of an earlier call.
func (s *Source) Files(dir string, formats []string) (notes []string, err error) {
	all, notes := s.all()
	if len(all) == 0 {
		return nil, errors.New("there is nothing to draw: nothing could be judged")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := removeListed(dir); err != nil {
		return nil, err
	}
	names := make([][]string, len(all))
	errs := make([]error, len(all))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				names[i], errs[i] = write(dir, all[i], formats)
			}
		})
	}
	workers.Wait()
	written := slices.Concat(names...)
	errs = append(errs, os.WriteFile(filepath.Join(dir, list),
		[]byte(strings.Join(written, "\n")+"\n"), 0o666))
	return notes, errors.Join(errs...)
}

// write draws one picture and returns the names of its files.
func write(dir string, n named, formats []string) ([]string, error) {
	p, err := n.make()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.name, err)
	}
	var names []string
	for _, format := range formats {
		text := p.File(plot.Wide)
		if format == "png" {
			if text, err = p.PNG(plot.Wide); err != nil {
				return names, fmt.Errorf("%s: %w", n.name, err)
			}
		}
		name := n.name + "." + format
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// removeListed removes the pictures of an earlier call: a reader would take a picture of an earlier
// comparison for one of this call.
func removeListed(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, list))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for name := range strings.Lines(string(text)) {
		name = strings.TrimSpace(name)
		ending := filepath.Ext(name)
		if name != filepath.Base(name) || ending != ".svg" && ending != ".png" {
			return fmt.Errorf("%s is no list of pictures: it has %q: give another directory",
				filepath.Join(dir, list), name)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// all returns the pictures in the order of the report, the single comparisons last.
func (s *Source) all() (all []named, notes []string) {
	metrics := make(map[string]int)
	for t := range s.Report.Tables {
		metrics[slug(s.Report.Tables[t].Metric)]++
	}
	prefixes := make([]string, len(s.Report.Tables))
	add := func(name string, p *plot.Picture) {
		if p != nil {
			all = append(all, named{name, func() (*plot.Picture, error) { return p, nil }})
		}
	}
	for t := range s.Report.Tables {
		table := &s.Report.Tables[t]
		prefixes[t] = slug(table.Metric)
		if metrics[prefixes[t]] > 1 {
			prefixes[t] = fmt.Sprintf("%s-table%d", prefixes[t], t+1)
		}
		for c := 1; c < len(s.Report.Columns); c++ {
			s.columnPictures(add, prefixes[t], t, c)
		}
		for i := range table.Over {
			add(numbered(prefixes[t]+"-ranks", i, len(table.Over)), s.ranks(t, &table.Over[i]))
		}
	}
	s.histories(add)
	single, more := 0, 0
	for _, x := range s.Report.Worst() {
		c := s.Report.Comparison(x.At)
		if !c.Judged() || c.Row.Slice != nil { // the folds of a slice are no scores
			continue
		}
		if single++; single > maxSingle {
			more++
			continue
		}
		name := fmt.Sprintf("%s-runs-%03d-%s", prefixes[x.Table], x.Row+1, slug(c.Row.Label))
		if len(s.Report.Columns) > 2 {
			name += fmt.Sprintf("-column%d", x.Column+1)
		}
		all = append(all, named{name, func() (*plot.Picture, error) { return s.comparison(&c) }})
	}
	if more > 0 {
		notes = append(notes, fmt.Sprintf("of %d comparisons the folds of %d were drawn, the worst ones: choose others with -data, -learner or -metric", single, maxSingle))
	}
	return all, notes
}

// columnPictures adds the pictures of a column of a table.
func (s *Source) columnPictures(add func(string, *plot.Picture), prefix string, t, c int) {
	if len(s.Report.Columns) > 2 {
		prefix = fmt.Sprintf("%s-column%d", prefix, c+1)
	}
	shown := panel{s, t, c}
	rows := shown.rows()
	if len(rows) == 0 {
		return
	}
	pages := (len(rows) + plot.MaxRows - 1) / plot.MaxRows
	i := 0
	for page := range slices.Chunk(rows, plot.MaxRows) {
		add(numbered(prefix+"-differences", i, pages), shown.forest(page))
		i++
	}
	if len(rows) > 1 {
		add(prefix+"-scores", shown.scatter())
	}
	add(prefix+"-posterior", shown.posterior())
	over := shown.table().Over
	for i := range over {
		add(numbered(prefix+"-hierarchical", i, len(over)), shown.hierarchical(&over[i]))
	}
}

// numbered adds a number where there are several.
func numbered(name string, i, of int) string {
	if of > 1 {
		return fmt.Sprintf("%s-%d", name, i+1)
	}
	return name
}

// slug returns a text as part of the name of a file on any system.
func slug(text string) string {
	const longest = 48
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= longest {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "x"
}
