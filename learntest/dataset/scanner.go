package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEOL tokenKind = iota
	tokWord
	tokQuoted
	tokOpen  // {
	tokClose // }
)

// A scanner splits the lines of an ARFF file into tokens, by the rules of
// Weka's tokenizer: bytes up to the space and commas separate tokens, an
// unquoted % starts a comment, braces stand for themselves, and no quoted token
// goes past the end of its line. Unlike Weka's it counts commas, so that an
// empty value is not overlooked, and it does not close open quotes.
type scanner struct {
	r      *bufio.Reader
	file   string
	budget *budget
	offset int64 // bytes of the lines read so far

	line    int    // number of the current line
	text    []byte // the current line
	pos     int
	pending []byte // what follows a lone CR, which ends a line as well
	long    []byte // buffer of lines that are longer than r's

	tok     []byte // valid until the next call of next
	unquote []byte // buffer of tok
	commas  int    // before tok
	comment bool   // whether the line ended in a comment
}

func newScanner(r io.Reader, file string, b *budget) *scanner {
	return &scanner{r: skipBOM(b.reader(r)), file: file, budget: b}
}

// skipBOM drops the byte-order mark that some editors put before UTF-8.
func skipBOM(r io.Reader) *bufio.Reader {
	br := bufio.NewReaderSize(r, 1<<16)
	if b, _ := br.Peek(3); string(b) == "\ufeff" {
		_, _ = br.Discard(3)
	}
	return br
}

func (s *scanner) errorf(format string, args ...any) error {
	return newSyntaxError(s.file, s.line, 0, format, args...)
}

// limited returns an error about a limit, if it is one, with the current line.
func (s *scanner) limited(err error) error {
	if err != nil {
		return limitError(s.file, s.line, err)
	}
	return nil
}

// nextLine moves to the next line. It returns io.EOF after the last one.
func (s *scanner) nextLine() error {
	if s.pending == nil {
		b, err := s.readLine()
		if err != nil {
			return err
		}
		s.pending = b
	}
	s.text, s.pending = s.pending, nil
	if i := bytes.IndexByte(s.text, '\r'); i >= 0 {
		s.text, s.pending = s.text[:i], s.text[i+1:]
	}
	s.line++
	s.pos = 0
	s.comment = false
	return nil
}

// readLine returns what comes before the next LF, without CR LF.
func (s *scanner) readLine() ([]byte, error) {
	b, err := s.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		s.long = s.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) && s.budget.line.Check(int64(len(s.long)+len(b))) == nil {
			s.long = append(s.long, b...)
			b, err = s.r.ReadSlice('\n')
		}
		s.long = append(s.long, b...)
		b = s.long
	}
	s.offset += int64(len(b))
	s.budget.read(s.offset)
	if long := s.budget.line.Check(int64(len(b))); long != nil {
		return nil, limitError(s.file, s.line+1, long)
	}
	switch {
	case err == nil:
		b = b[:len(b)-1]
	case errors.Is(err, ErrLimit):
		return nil, limitError(s.file, s.line+1, err)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: after line %d: %w", s.file, s.line, err)
	case len(b) == 0:
		return nil, io.EOF
	}
	return bytes.TrimSuffix(b, []byte{'\r'}), nil
}

// next moves to the next token of the line and puts its text, without quotes
// and escapes, into s.tok.
func (s *scanner) next() (tokenKind, error) {
	text, i := s.text, s.pos
	s.commas = 0
	for i < len(text) && (text[i] <= ' ' || text[i] == ',') {
		if text[i] == ',' {
			s.commas++
		}
		i++
	}
	if i == len(text) {
		s.pos = i
		return tokEOL, nil
	}
	switch text[i] {
	case '%':
		s.pos = len(text)
		s.comment = true
		return tokEOL, nil
	case '{':
		s.pos = i + 1
		return tokOpen, nil
	case '}':
		s.pos = i + 1
		return tokClose, nil
	case '\'', '"':
		s.pos = i
		return tokQuoted, s.quoted()
	}
	start := i
	for i < len(text) && isWord[text[i]] {
		i++
	}
	s.tok, s.pos = text[start:i], i
	if i < len(text) && (text[i] == '\'' || text[i] == '"') {
		return 0, s.errorf("quote inside of %s: quote the whole value", s.text[start:i+1])
	}
	return tokWord, nil
}

// isWord tells the bytes of unquoted tokens.
var isWord = func() (word [256]bool) {
	for i := ' ' + 1; i < 256; i++ {
		word[i] = true
	}
	for _, c := range []byte(`,%{}'"`) {
		word[c] = false
	}
	return word
}()

func (s *scanner) quoted() error {
	quote := s.text[s.pos]
	i := s.pos + 1
	s.unquote = s.unquote[:0]
	for i < len(s.text) && s.text[i] != quote {
		if s.text[i] != '\\' {
			s.unquote = append(s.unquote, s.text[i])
			i++
			continue
		}
		i++
		if i == len(s.text) {
			break
		}
		i += s.escape(s.text[i:])
	}
	if i >= len(s.text) {
		return s.errorf("%c is not closed on its line", quote)
	}
	i++
	if i < len(s.text) && (isWord[s.text[i]] || s.text[i] == '\'' || s.text[i] == '"') {
		return s.errorf("no separator after the quoted value %q", s.unquote)
	}
	s.tok, s.pos = s.unquote, i
	return nil
}

// escape appends the character that the escape sequence b stands for and
// returns the length of the sequence. b follows the backslash and is not empty.
func (s *scanner) escape(b []byte) int {
	c := b[0]
	if c >= '0' && c <= '7' {
		limit := 2
		if c <= '3' {
			limit = 3
		}
		n, r := 0, rune(0)
		for n < limit && n < len(b) && b[n] >= '0' && b[n] <= '7' {
			r = r*8 + rune(b[n]-'0')
			n++
		}
		s.unquote = utf8.AppendRune(s.unquote, r)
		return n
	}
	if i := bytes.IndexByte([]byte("abfnrtv"), c); i >= 0 {
		c = "\a\b\f\n\r\t\v"[i]
	}
	s.unquote = append(s.unquote, c)
	return 1
}

// text returns the token as a name or a declared value.
func (s *scanner) name() (string, error) {
	if !utf8.Valid(s.tok) {
		return "", s.errorf("%q is not UTF-8: convert the file first", s.tok)
	}
	return string(s.tok), nil
}
