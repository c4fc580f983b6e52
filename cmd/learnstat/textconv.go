package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// textconv returns a result file as lines for git diff: a line for each learner on a data set,
// below the header lines that tell the results from others. Equal lines mean equal scores: each has
// a digest of them. A file that cannot be read is a line with the reason and its digest, since git
// shows no difference at all where the program fails.
func textconv(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	const here = "here" // not the path, which git makes up
	f, err := record.Reader{NoTimes: true}.Read(bytes.NewReader(text), here)
	if err == nil {
		err = f.CheckStopped()
	}
	var b strings.Builder
	if err != nil {
		sum := sha256.Sum256(text)
		reason, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), here+":"), "\n")
		fmt.Fprintf(&b, "not to be read: sha256 %.12s: line %s\n", hex.EncodeToString(sum[:]),
			unit.Printable(reason))
	}
	if f == nil {
		return b.String(), nil
	}
	for i, block := range f.Blocks() {
		h := &block.Header
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(unit.Printable(fmt.Sprintf("%s: data %.12s, partitions %.12s, %s", h.Data,
			h.DataDigest, h.SplitDigest, h.Protocol)) + "\n")
		if facts := origin(h); facts != "" {
			b.WriteString(unit.Printable(h.Data+": "+facts) + "\n")
		}
		for _, learner := range block.Learners {
			b.WriteString(unit.Printable(learnerLine(block, learner)) + "\n")
		}
	}
	return b.String(), nil
}

// origin returns test, commit and toolchain of a header, leaving out empty ones.
func origin(h *record.Header) string {
	var facts []string
	for _, f := range [...]struct{ what, value string }{
		{"test ", h.Test},
		{"commit ", h.Commit},
		{"", h.Toolchain},
	} {
		if f.value != "" {
			facts = append(facts, f.what+f.value)
		}
	}
	return strings.Join(facts, ", ")
}

// learnerLine returns the means of a learner, with the digest of its scores.
func learnerLine(block *record.Block, learner string) string {
	sums := make([]float64, len(block.Units))
	n, failed := 0, 0
	digest := sha256.New()
	for t := range block.Trials() {
		if t.Learner != learner {
			continue
		}
		n++
		fmt.Fprintf(digest, "%d %d %d %d %q %v\n", t.Run, t.Fold, t.TrainN, t.TestN, t.Err, t.Values)
		if t.Err != "" {
			failed++
			continue
		}
		for i, x := range t.Values[:len(sums)] {
			sums[i] += x
		}
	}
	line := fmt.Sprintf("%s/%s:", block.Header.Data, learner)
	for i, u := range block.Units {
		line += " " + u.Name + " " + strconv.FormatFloat(sums[i]/float64(n-failed), 'g', 6, 64)
	}
	if failed > 0 {
		line += fmt.Sprintf(", %d failed", failed)
	}
	return fmt.Sprintf("%s, %d trials, scores %.12s", line, n, hex.EncodeToString(digest.Sum(nil)))
}
