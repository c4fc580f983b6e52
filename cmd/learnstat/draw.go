package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/flip"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/picture"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/cli"
)

// A drawing says which pictures are drawn, beside the output.
type drawing struct {
	dir     string // for pictures; none if empty
	formats pictureFormats
	page    string // for the HTML file; none if empty
	args    []string

	kept  string       // files of predictions; none if empty
	pairs []*flip.Pair // of these
}

// pictureFormats is a flag: a list of formats.
type pictureFormats []string

// String returns the list.
func (f *pictureFormats) String() string { return strings.Join(*f, ",") }

// Set takes a list.
func (f *pictureFormats) Set(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if name != "svg" && name != "png" {
			return fmt.Errorf("no format of pictures is called %q; there are svg and png", name)
		}
		if !slices.Contains(*f, name) {
			*f = append(*f, name)
		}
	}
	return nil
}

// check checks the flags, of which some are set.
func (d *drawing) check(set map[string]bool) error {
	switch {
	case set["plot"] && d.dir == "":
		return errors.New("-plot needs a directory")
	case set["html"] && d.page == "":
		return errors.New("-html needs a file")
	case set["predictions"] && (d.page == "" || d.kept == ""):
		return errors.New("-predictions needs files of predictions, and a page that shows them: say where with -html")
	case set["plot-format"] && d.dir == "":
		return errors.New("-plot-format says how pictures are written, and none are: say where with -plot")
	}
	if len(d.formats) == 0 {
		d.formats = pictureFormats{"svg"}
	}
	return nil
}

// draw draws the requested pictures. A note of the report names the pictures left out.
func (d *drawing) draw(l *match.Layout, r *report.Report) error {
	s := picture.New(l, r)
	var errs []error
	if d.dir != "" {
		notes, err := s.Files(d.dir, d.formats)
		if err != nil {
			errs = append(errs, fmt.Errorf("-plot: %w", err))
		}
		r.Notes = append(r.Notes, notes...)
	}
	if d.page != "" {
		var page bytes.Buffer
		err := s.Page(&page, "learnstat "+cli.Quote(d.args), d.pairs)
		if err == nil {
			err = atomicfile.Write(d.page, &page)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("-html: %w", err))
		}
	}
	return errors.Join(errs...)
}
