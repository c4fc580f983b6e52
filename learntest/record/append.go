package record

import (
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// appendKeys appends the keys of a block, if timed also the keys about its times.
func appendKeys(text []byte, b *Block, timed bool) []byte {
	for i := range headerKeys {
		k := &headerKeys[i]
		v := *k.field(&b.Header)
		if v == "" && k.own() || k.timed && !timed {
			continue
		}
		if k.lines {
			for line := range strings.Lines(v) {
				text = append(append(append(text, k.name...), ": "...), line...)
			}
			continue
		}
		text = append(append(text, k.name...), ':')
		if v != "" {
			text = appendText(append(text, ' '), v)
		}
		text = append(text, '\n')
	}
	text = append(appendName(append(text, keyData+": "...), b.Header.Data, "/="), '\n')
	text = append(text, keyLearners+":"...)
	for _, name := range b.Learners {
		text = appendName(append(text, ' '), name, "/=")
	}
	return append(text, '\n')
}

func appendUnits(text []byte, units []unit.Unit) []byte {
	for _, u := range units {
		text = append(appendUnit(append(text, "Unit "...), u), '\n')
	}
	return text
}

// prefixOf returns the beginning of the lines of a block's trials.
func prefixOf(b *Block) string {
	if b.items != nil {
		return "BenchmarkItem/data="
	}
	return "BenchmarkCV/data="
}

// A trialWriter writes the trials of a block.
type trialWriter struct {
	b     *Block
	names []string // by learner: the line up to the run; "" before its first trial
	units []string // the units, with a space on either side but for the end
}

func newTrialWriter(b *Block) *trialWriter {
	w := &trialWriter{b: b, names: make([]string, len(b.Learners))}
	for _, u := range b.Columns {
		w.units = append(w.units, string(appendName([]byte(" "), u.Name, "")))
	}
	return w
}

// name returns the line of a learner's trials up to the run.
func (w *trialWriter) name(learner int) string {
	if w.names[learner] == "" {
		line := appendName([]byte(prefixOf(w.b)), w.b.Header.Data, "/=")
		line = appendName(append(line, "/learner="...), w.b.Learners[learner], "/=")
		w.names[learner] = string(append(line, afterLearner(w.b)...))
	}
	return w.names[learner]
}

// afterLearner returns what follows the learner of a trial.
func afterLearner(b *Block) string {
	if b.items != nil {
		return "/item="
	}
	return "/run="
}

// appendTrial appends the line of a trial up to its times, and before it the
// cause of its failure. This is what the checksum covers.
func (w *trialWriter) appendTrial(text []byte, at seat) []byte {
	t := &w.b.table
	cause, failed := t.failed[at]
	if failed {
		text = append(appendText(append(text, keyError+": "...), cause), '\n')
	}
	run, fold := t.cellAt(at.place)
	text = append(text, w.name(at.learner)...)
	if w.b.items != nil {
		text = append(append(text, w.b.items.ids[fold-1]...), "/repeat="...)
		text = strconv.AppendInt(text, int64(run), 10)
	} else {
		text = strconv.AppendInt(text, int64(run), 10)
		text = append(text, "/fold="...)
		text = strconv.AppendInt(text, int64(fold), 10)
	}
	text = append(text, " 1"...)
	if failed {
		text = append(text, " 1 "+unitFailed...)
	} else {
		for i, unit := range w.units {
			text = appendFloat(append(text, ' '), t.column(i, at.learner)[at.place])
			text = append(text, unit...)
		}
	}
	if w.b.items != nil {
		return text
	}
	text = strconv.AppendInt(append(text, ' '), int64(t.trainN[at.place]), 10)
	text = append(text, " "+unitTrain+" "...)
	text = strconv.AppendInt(text, int64(t.testN[at.place]), 10)
	text = append(text, " "+unitTest...)
	return appendConstancy(text, t.constancy(at))
}

// appendRest appends the times of a trial and the end of its line, and after it
// the line that deletes the cause of its failure.
func (w *trialWriter) appendRest(text []byte, at seat) []byte {
	t := &w.b.table
	switch {
	case w.b.Timeless:
	case w.b.items != nil:
		text = appendFloat(append(text, ' '), t.predict[at.learner][at.place])
		text = append(text, " "+unitCall...)
	default:
		text = appendFloat(append(text, ' '), t.fit[at.learner][at.place])
		text = append(text, " "+unitFit+" "...)
		text = appendFloat(text, t.predict[at.learner][at.place])
		text = append(text, " "+unitPredict...)
	}
	text = append(text, '\n')
	if _, failed := t.failed[at]; failed {
		text = append(text, keyError+":\n"...)
	}
	return text
}
