package imports

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

const zipStart = "PK\x03\x04"

// An inspectLog is a log of Inspect.
type inspectLog struct {
	Status string
	Eval   struct {
		Task, Model string
		Config      struct{ Limit any }
	}
	Samples []object
}

// readInspectLog reads a log of Inspect, as JSON or as an archive.
func readInspectLog(c *itemCollector, in io.Reader) (*inspectLog, error) {
	log := new(inspectLog)
	text := bufio.NewReader(in)
	if start, _ := text.Peek(len(zipStart)); string(start) != zipStart {
		return log, c.document(text, log)
	}
	b, err := io.ReadAll(text)
	if err != nil {
		return nil, c.wrap(1, err)
	}
	limits := c.limits
	c.limits = c.collector.given.compressed(int64(len(b))).withDefaults()
	err = unzipInspect(c, b, log)
	c.limits = limits
	return log, err
}

// unzipInspect reads an archive of Inspect, which has a header and a file for each sample. Newer
// ones are compressed by a method that Go does not know.
func unzipInspect(c *itemCollector, b []byte, log *inspectLog) error {
	fail := func(why any) error {
		return c.errorf(1, "this is a ZIP archive: %v: %s", why,
			c.format.archive)
	}
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return fail(err)
	}
	slices.SortFunc(archive.File, func(f, g *zip.File) int { return cmp.Compare(f.Name, g.Name) })
	left, header := c.limits.bytes(), false
	for _, f := range archive.File {
		var x any
		switch dir, name := path.Split(f.Name); {
		case f.Name == "header.json":
			x, header = log, true
		case dir == "samples/" && strings.HasSuffix(name, ".json"):
			log.Samples = append(log.Samples, nil)
			x = &log.Samples[len(log.Samples)-1]
		default:
			continue
		}
		r, err := f.Open()
		if err != nil {
			return fail(fmt.Errorf("%s: %w", f.Name, err))
		}
		text, err := io.ReadAll(left.Reader(r))
		if err != nil {
			return c.wrap(1, fmt.Errorf("%s: %w", f.Name, err))
		}
		left.Max -= int64(len(text))
		if err := decode(text, x); err != nil {
			return c.errorf(1, "%s is not the JSON of %s: %v", f.Name, c.kind.Doc, err)
		}
	}
	if !header {
		return fail("there is no header.json, which the end of an evaluation writes")
	}
	return nil
}
