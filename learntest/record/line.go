package record

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	benchmarkPrefix = []byte("Benchmark")
	trialPrefix     = []byte("BenchmarkCV/")
	answerPrefix    = []byte("BenchmarkItem/")
	itemPrefix      = []byte(keyItem + ": ")
	unitPrefix      = []byte("Unit ")
)

// isTrial reports whether a line is one of a trial.
func isTrial(text []byte) bool {
	return bytes.HasPrefix(text, trialPrefix) || bytes.HasPrefix(text, answerPrefix)
}

// isTestOutput reports whether a line is empty or one that go test prints
// around benchmarks.
func isTestOutput(text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	s := string(text[:min(len(text), 16)]) // short, so that it takes no memory
	if s == "PASS" || s == "FAIL" {
		return true
	}
	for _, prefix := range [...]string{
		"ok  \t", "FAIL\t", "--- ", "    --- ", "=== ", "goos: ",
		"goarch: ", "cpu: ",
	} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// isInterrupted reports whether a line is the first one of a block that was
// being written, or replaced, when its writer was killed.
func isInterrupted(text []byte) bool {
	return len(text) > 0 && (text[0] == 'L' || text[0] == 'R') && bytes.HasPrefix(text[1:],
		[]byte(keyFormat[1:]+":"))
}

// isConflict reports whether a line is one that git writes into a file where the two sides of a
// merge differ.
func isConflict(text []byte) bool {
	const n = 7
	if len(text) < n || len(text) > n && text[n] != ' ' {
		return false
	}
	return bytes.IndexByte([]byte("<=>|"), text[0]) >= 0 && bytes.Count(text[:n], text[:1]) == n
}

// cutKey splits a line of file configuration as the Go benchmark format has
// it: the key begins with a lower case letter and has neither spaces nor
// upper case letters; a value is set off by spaces or tabs. Our own keys are no
// keys of that format.
func cutKey(text []byte) (name, value []byte, ok bool) {
	colon := bytes.IndexByte(text, ':')
	if colon <= 0 {
		return nil, nil, false
	}
	name, value = text[:colon], text[colon+1:]
	rest := bytes.TrimLeft(value, " \t")
	if isOwn(string(name)) {
		return name, rest, true
	}
	if first, _ := utf8.DecodeRune(name); !unicode.IsLower(first) {
		return nil, nil, false
	}
	if bytes.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) ||
			unicode.IsUpper(r)
	}) {
		return nil, nil, false
	}
	return name, rest, len(value) == 0 || len(rest) < len(value)
}
