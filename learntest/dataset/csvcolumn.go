package dataset

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

type csvMode uint8

const (
	csvUndecided csvMode = iota // numeric as long as every value is a number
	csvInferred                 // nominal, since some value is not a number
	csvNumeric
	csvNominal
	csvDeclared // nominal without other values than the declared ones
)

// A csvColumn collects the values of a column whose kind may still be unknown.
type csvColumn struct {
	name   string
	ignore bool
	group  bool
	mode   csvMode
	budget *budget

	numbers []float64
	// text holds the original texts of the numbers while the mode is csvUndecided: see appendText.
	text []byte

	codes  []int32
	values []string
	index  map[string]int32

	// Facts of a csvInferred column: the rows of numbers and of words, the first value that
	// names an infinity or NaN or overflows, and the first word.
	isNumber       []bool // of the values
	numberN, wordN int
	odd, word      string
	oddAt, wordAt  place
}

// A place is a line and a column of a file, counted from 1.
type place struct{ line, column int }

func (c *csvColumn) declare(values []string) {
	c.mode = csvDeclared
	c.index = make(map[string]int32, len(values))
	for i, v := range values {
		c.index[v] = int32(i)
	}
	c.values = append(c.values, values...)
}

// isNumeric reports whether all values so far are numbers of a column that keeps them.
func (c *csvColumn) isNumeric() bool {
	return (c.mode == csvUndecided || c.mode == csvNumeric) && !c.ignore && !c.group
}

// appendNumber appends a number and, while the kind is unknown, its text.
func (c *csvColumn) appendNumber(x float64, decimals int, text []byte) {
	if len(c.numbers) == cap(c.numbers) {
		c.numbers = room(c.numbers, c.budget)
	}
	c.numbers = append(c.numbers, x)
	if c.mode == csvUndecided {
		if len(c.text) == cap(c.text) {
			c.text = room(c.text, c.budget)
		}
		c.text = appendText(c.text, text, decimals)
	}
}

func (c *csvColumn) appendMissing() {
	switch c.mode {
	case csvUndecided, csvNumeric:
		c.numbers = append(room(c.numbers, c.budget), math.NaN())
	default:
		c.codes = append(room(c.codes, c.budget), -1)
	}
}

func (c *csvColumn) append(field []byte) error {
	switch c.mode {
	case csvUndecided, csvNumeric:
		x, decimals, err := parsePlain(field)
		if err == nil {
			c.appendNumber(x, decimals, field)
			return nil
		}
		if c.mode == csvNumeric {
			return fmt.Errorf("value %q is %w", shorten(string(field)), err)
		}
		if err := c.becomeNominal(); err != nil {
			return err
		}
	case csvDeclared:
		if _, ok := c.index[string(field)]; !ok {
			return fmt.Errorf("value %q is not declared", shorten(string(field)))
		}
	}
	return c.appendCode(field)
}

// becomeNominal turns the numbers so far back into the original texts.
func (c *csvColumn) becomeNominal() error {
	c.mode = csvInferred
	rest := c.text
	for _, x := range c.numbers {
		if math.IsNaN(x) {
			c.codes = append(c.codes, -1)
			continue
		}
		var field string
		field, rest = nextText(rest, x)
		if err := c.appendCode([]byte(field)); err != nil {
			return err
		}
	}
	c.numbers, c.text = nil, nil
	return nil
}

// appendCode appends a nominal value and declares it if it is new.
func (c *csvColumn) appendCode(field []byte) error {
	code, ok := c.index[string(field)]
	if !ok {
		value := string(field)
		if !utf8.ValidString(value) {
			return fmt.Errorf("value %q is not UTF-8: convert the file first", shorten(value))
		}
		if err := c.budget.name(); err != nil {
			return err
		}
		if c.mode == csvInferred {
			c.classify(value)
		}
		if c.index == nil {
			c.index = make(map[string]int32)
		}
		code = int32(len(c.values))
		c.index[value] = code
		c.values = append(c.values, value)
	}
	c.codes = append(room(c.codes, c.budget), code)
	if c.mode == csvInferred {
		if c.isNumber[code] {
			c.numberN++
		} else {
			c.wordN++
		}
	}
	return nil
}

// classify counts a new value as a number or a word.
func (c *csvColumn) classify(field string) {
	_, err := parseNumber([]byte(field))
	c.isNumber = append(c.isNumber, err == nil)
	if err == nil {
		return
	}
	// ParseFloat knows the usual names of infinities and NaN.
	x, parseErr := strconv.ParseFloat(field, 64)
	odd := errors.Is(err, errRange) || parseErr == nil && (math.IsNaN(x) || math.IsInf(x, 0))
	switch {
	case odd && c.odd == "":
		c.odd = field
	case !odd && c.word == "":
		c.word = field
	}
}

// mostly is the share of numbers above which a column is hardly meant to be nominal.
const mostly = 0.9

// suspect returns the text that made an otherwise numeric column nominal, and its place, if
// the column is hardly meant to be nominal.
func (c *csvColumn) suspect() (string, place, bool) {
	switch {
	case c.mode != csvInferred || c.numberN == 0:
	case c.odd != "" && c.word == "":
		return c.odd, c.oddAt, true
	case float64(c.numberN) > mostly*float64(c.numberN+c.wordN):
		return c.word, c.wordAt, true
	}
	return "", place{}, false
}

func (c *csvColumn) column() Column {
	col := Column{Attribute: Attribute{Name: c.name}}
	switch c.mode {
	case csvUndecided, csvNumeric:
		col.Numbers = c.numbers
	default:
		col.Kind = Nominal
		col.Values = c.values
		col.Codes = c.codes
	}
	return col
}
