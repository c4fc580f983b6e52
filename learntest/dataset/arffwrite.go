package dataset

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteARFF writes t to w in Weka's attribute-relation file format, such that [ReadARFF]
// returns a table of the same name and digest. The format does not mark the class: unless
// it is the last attribute, the reader must name it ([ReadOptions]). Groups become the
// first attribute, a nominal one, which the reader must name, too. Numbers have as many
// digits as identify them; weights, if any, follow the rows.
func WriteARFF(w io.Writer, t *Table) error {
	b := bufio.NewWriter(w)
	buf := append([]byte("@relation "), quoteARFF(t.Name())...)
	buf = append(buf, "\n\n"...)
	if t.groups != nil {
		buf = appendAttribute(buf, &Column{Attribute: Attribute{
			Name: t.groupName, Kind: Nominal,
			Values: distinct(t.groups),
		}})
	}
	for j := range t.cols {
		buf = appendAttribute(buf, &t.cols[j])
	}
	buf = append(buf, "\n@data\n"...)
	quoted := make([][]string, len(t.cols))
	for j := range t.cols {
		for _, v := range t.cols[j].Values {
			quoted[j] = append(quoted[j], quoteARFF(v))
		}
	}
	for i := range t.n {
		if t.groups != nil {
			buf = append(append(buf, quoteARFF(t.groups[i])...), ',')
		}
		for j := range t.cols {
			if j > 0 {
				buf = append(buf, ',')
			}
			switch {
			case t.Missing(i, j):
				buf = append(buf, '?')
			case t.cols[j].Kind == Nominal:
				buf = append(buf, quoted[j][t.cols[j].Codes[i]]...)
			default:
				buf = appendNumber(buf, t.cols[j].Numbers[i])
			}
		}
		if t.weights != nil {
			buf = append(buf, ",{"...)
			buf = appendNumber(buf, t.weights[i])
			buf = append(buf, '}')
		}
		buf = append(buf, '\n')
		if _, err := b.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	if _, err := b.Write(buf); err != nil {
		return err
	}
	return b.Flush()
}

// distinct returns the different values in the order of their first appearance.
func distinct(values []string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, v := range values {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

func appendAttribute(buf []byte, c *Column) []byte {
	buf = append(buf, "@attribute "...)
	buf = append(buf, quoteARFF(c.Name)...)
	if c.Kind == Numeric {
		return append(buf, " numeric\n"...)
	}
	buf = append(buf, " {"...)
	for k, v := range c.Values {
		if k > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, quoteARFF(v)...)
	}
	return append(buf, "}\n"...)
}

// appendNumber writes small integers without an exponent, which are most
// numbers and easier to read so.
func appendNumber(buf []byte, x float64) []byte {
	if math.Abs(x) < 1e15 && x == math.Trunc(x) {
		return strconv.AppendFloat(buf, x, 'f', 0, 64)
	}
	return strconv.AppendFloat(buf, x, 'g', -1, 64)
}

// quoteARFF returns s as one token. Brackets need no quotes after a type only,
// and a leading @ is quoted for the sake of readers that look for keywords
// among the rows.
func quoteARFF(s string) string {
	plain := s != "" && s != "?" && s[0] != '@' && s[0] != '['
	for i := 0; plain && i < len(s); i++ {
		plain = isWord[s[i]] && s[i] != '\\'
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(s) {
		switch c := s[i]; c {
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '\\', '\'', '"', '%':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
