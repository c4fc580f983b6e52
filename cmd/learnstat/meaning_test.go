package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A meaning is what a result file says, whichever way it is written: without blank
// lines, the order of lines in a block and of blocks, times, the notation of numbers, and
// the name of the data set that the trials have, too.
type meaning struct{ all, noChecksums, noScores string }

// A change is what differs between two files.
type change int

const (
	nothing      change = iota
	onlyChecksum        // which is missing
	onlyScores
	more
)

func (m meaning) changed(o meaning) change {
	switch {
	case m.all == o.all:
		return nothing
	case m.noChecksums == o.noChecksums && strings.Count(o.all, checksumKey) < strings.Count(m.all,
		checksumKey):
		return onlyChecksum
	case m.noScores == o.noScores:
		return onlyScores
	}
	return more
}

const (
	formatKey   = "learnbench-format:"
	checksumKey = "Checksum:"
)

var (
	hexEscape = regexp.MustCompile(`(%|\\x)[0-9a-fA-F]{2}`)
	times     = regexp.MustCompile(` [0-9][0-9.e+-]* (fit-sec/op [0-9][0-9.e+-]* predict|predict-sec/op [0-9][0-9.e+-]* fit)-sec/op$`)
	score     = regexp.MustCompile(` [0-9.e+-]+ (accuracy|logloss)\b`)
)

func meaningOf(text string) meaning {
	var blocks [][]string
	torn := text != "" && !strings.HasSuffix(text, "\n")
	for line := range strings.Lines(text) {
		line = normal(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		if line == "" {
			continue
		}
		if len(blocks) == 0 || strings.HasPrefix(line, formatKey) {
			blocks = append(blocks, nil)
		}
		last := &blocks[len(blocks)-1]
		if n := len(*last); n > 0 && (*last)[n-1] == line && strings.HasPrefix(line, "error:") {
			continue // said twice
		}
		*last = append(*last, line)
	}
	if torn {
		blocks = append(blocks, []string{"the last line has no end"})
	}
	for i, b := range blocks {
		blocks[i] = slices.DeleteFunc(b, func(line string) bool {
			data, ok := strings.CutPrefix(line, "Data: ")
			return ok && slices.ContainsFunc(b,
				func(l string) bool { return strings.HasPrefix(l, "BenchmarkCV/data="+data+"/") })
		})
	}
	join := func(edit func(string) string) string {
		var texts []string
		for _, b := range blocks {
			var lines []string
			for _, line := range b {
				if line = edit(line); line != "" {
					lines = append(lines, line)
				}
			}
			slices.Sort(lines)
			texts = append(texts, strings.Join(lines, "\n"))
		}
		slices.Sort(texts)
		return strings.Join(texts, "\n\n")
	}
	noChecksum := func(line string) string {
		if strings.HasPrefix(line, checksumKey) {
			return ""
		}
		return line
	}
	return meaning{
		all:         join(func(line string) string { return line }),
		noChecksums: join(noChecksum),
		noScores:    join(func(line string) string { return score.ReplaceAllString(line, " $1") }),
	}
}

// normal returns the plainest form of a line; "" if it says nothing.
func normal(line string) string {
	line = hexEscape.ReplaceAllStringFunc(line, strings.ToLower)
	name, value, isKey := strings.Cut(line, ":")
	switch {
	case strings.TrimSpace(line) == "" || strings.TrimRight(line, " \t") == "error:":
		return ""
	case strings.HasPrefix(line, "Unit ") || strings.HasPrefix(line, "BenchmarkCV/"):
		fields := strings.Fields(line)
		for i := range fields {
			key, number, ok := strings.Cut(fields[i], "=")
			if !ok {
				key, number = "", fields[i]
			} else {
				key += "="
			}
			if x, err := strconv.ParseFloat(number, 64); err == nil && i > 0 {
				fields[i] = key + strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
		if fields[0] == "Unit" {
			slices.Sort(fields[min(2, len(fields)):])
		}
		return times.ReplaceAllString(strings.Join(fields, " "), "")
	case isKey && name == "Learners":
		return name + ": " + strings.Join(strings.Fields(value), " ")
	case isKey:
		return name + ": " + strings.TrimLeft(value, " \t")
	}
	return line
}

func TestMeaningOfFiles(t *testing.T) {
	t.Parallel()
	const text = formatKey + " 2\npkg: x\nLearners: a%2fb c\nChecksum: 00\nUnit accuracy better=higher min=0 max=1\n" +
		"BenchmarkCV/data=d/learner=c/run=1/fold=1 1 0.5 accuracy 2 train-n 1 test-n 0.1 fit-sec/op 0 predict-sec/op\n" +
		"BenchmarkCV/data=d/learner=c/run=1/fold=2 1 0.25 accuracy 2 train-n 1 test-n 0.1 fit-sec/op 0 predict-sec/op\n"
	lines := strings.SplitAfter(text, "\n")
	swapped := strings.Join(slices.Concat(lines[:5], []string{lines[6], lines[5]}), "")
	for edited, want := range map[string]change{
		text: nothing,
		strings.Replace(text, "0.5 acc", "5e-1  acc", 1):       nothing,
		strings.Replace(text, "0.1 fit", "7 fit", 1):           nothing,
		strings.Replace(text, "%2f", "%2F", 1):                 nothing,
		strings.Replace(text, "min=0 max=1", "max=1 min=0", 1): nothing,
		strings.Replace(text, "pkg: x", "pkg: x\nData: d", 1):  nothing,
		strings.Replace(text, "pkg: x", "pkg: x\nData: e", 1):  more,
		"\n" + strings.ReplaceAll(text, "\n", "\r\n"):          nothing,
		swapped: nothing,
		strings.Replace(text, "Checksum: 00\n", "", 1):          onlyChecksum,
		strings.Replace(text, "Checksum: 00", "Checksum: 1", 1): more,
		strings.Replace(text, "0.5 acc", "0.6 acc", 1):          onlyScores,
		strings.Replace(text, "2 train", "3 train", 1):          more,
		strings.Replace(text, "pkg: x", "pkg: X", 1):            more,
		strings.Replace(text, "pkg: x", "pkg: x ", 1):           more,
		strings.Replace(text, "fold=2", "fold=3", 1):            more,
		strings.Replace(text, "max=1", "max=2", 1):              more,
		strings.Replace(text, " c\n", " d\n", 1):                more,
		strings.TrimSuffix(text, "\n"):                          more,
		text + text:                                             more,
		"":                                                      more,
	} {
		assert.Equal(t, want, meaningOf(text).changed(meaningOf(edited)), "%s", edited)
	}
}
