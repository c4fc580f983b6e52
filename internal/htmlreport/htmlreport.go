// Package htmlreport writes what comparisons have found as one HTML file that needs nothing else:
// no network, no script, no font. It opens in any browser, prints, and follows light and dark
// screens.
//
// A [Page] is plain text except for its pictures, which are SVG. All text is escaped, and a
// Content-Security-Policy forbids everything except the page's own style, named by its digest.
package htmlreport

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

// A Page is all that there is to show.
type Page struct {
	Title    string
	Result   string // in a line
	Counts   string // how many comparisons have which outcome
	Verdict  string // plain, pass, losses (it passes above losses), fail or unjudged
	Command  string // that made the page
	Header   []Line
	Problems []string // why something could not be judged
	Sections []Section
	Data     []Line // digests, by data set
	Notes    []string
}

// A Line is a key with its value.
type Line struct{ Key, Value string }

// A Section has the comparisons in one metric.
type Section struct {
	ID       string // for links within the page; none if empty
	Title    string
	Summary  string // how many have which outcome
	Facts    []Line // that all rows share
	Matrix   *Matrix
	Pictures []Picture
	Columns  Columns
	Rows     []Row // the worst first
	Notes    []string
}

// Columns are the titles of what the rows have.
type Columns struct{ Baseline, Candidate, Interval, Adjusted string }

// A Picture is one in two widths: for pages, and for telephones. Both are SVG documents, and
// trusted.
type Picture struct{ Wide, Narrow []byte }

// A Matrix is a table: the differences of very many rows, for an overview, or a history.
type Matrix struct {
	About   string // in a sentence
	Columns []string
	Rows    []MatrixRow
}

// A MatrixRow has a cell for each column.
type MatrixRow struct {
	Label string
	Cells []MatrixCell
}

// A MatrixCell is empty where there is no comparison.
type MatrixCell struct {
	Text, Outcome string
	Offends       bool
}

// A Row is one comparison.
type Row struct {
	Label                                                  string
	Column                                                 string // if there are several
	Outcome                                                string
	Offends                                                bool   // the gate fails on it
	Why                                                    string // the gate does, or lets it pass
	Baseline, Candidate, Difference, Interval, P, Adjusted string

	Sentence string
	Link     string // ID of the section with its examples; none if empty
	Facts    []Line // protocol, data, digests, commits
	Command  string // that reproduces it
	Notes    []string
}

//go:embed page.css
var css string

//go:embed page.html
var page string

var parsed = template.Must(template.New("page").Funcs(template.FuncMap{
	"symbol":  symbol,
	"trusted": trusted,
}).Parse(page))

// symbol is the shape of an outcome, as pictures have it.
func symbol(outcome string) string {
	switch outcome {
	case "improved":
		return "▲"
	case "regressed":
		return "▼"
	case "equivalent":
		return "■"
	case "invalid":
		return "✕"
	}
	return "○"
}

func trusted(svg []byte) template.HTML { return template.HTML(svg) }

// Write writes the page. The rules are CSS that turns the pictures dark, as the package that draws
// them has it.
func Write(w io.Writer, p *Page, dark string) error {
	style := css + "@media screen and (prefers-color-scheme:dark){\n" + dark + "}\n"
	sum := sha256.Sum256([]byte(style))
	var b bytes.Buffer
	err := parsed.Execute(&b, struct {
		*Page
		Style  template.CSS
		Policy string
	}{p, template.CSS(style), fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]))})
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}
