package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/internal/texttab"
)

// otherForms are flags of outputs that are no report in the default form, or are as wide as asked.
var otherForms = []string{
	"-v", "-format", "-width", "-history", "-git", "-flips", "-times", "-aa", "-items",
	"-at-least", "-at-most", "-h", "-help", "-help-all", "-textconv",
}

// mayBeWide are lines that are not broken: of the header, whose names can be searched for, of the
// tables of ratios and of the results of one file, which have no narrower form, and of one word.
var mayBeWide = regexp.MustCompile(`^(pkg|test|commit|protocol|toolchain|file|data|imported): |^\S+: assumed: ` +
	`|^\S+: nothing is compared|  fit s  predict s$|  \d+×\d+  .*\d$|  ×\d\S+  +×\d|^\s*\S+$`)

// wideLines returns the lines of a report in the default form that are too wide for it.
func wideLines(args []string, text string) []string {
	if slices.Contains(args, "help") {
		return nil
	}
	for _, a := range args {
		if name, _, _ := strings.Cut(a, "="); slices.Contains(otherForms, "-"+strings.TrimLeft(name, "-")) &&
			strings.HasPrefix(a, "-") {
			return nil
		}
	}
	var wide []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if texttab.Width(line) > print.DefaultWidth && !mayBeWide.MatchString(line) {
			wide = append(wide, line)
		}
	}
	return wide
}
