package examples

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/cdipaolo/goml/base"
	"github.com/cdipaolo/goml/text"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// words is naive Bayes on the words of a text. It learns from a channel, until that is closed.
func words() learntest.Learner[string, string] {
	return learntest.Func("words", func(_ context.Context, train learntest.Sample[string, string], _ uint64) (func(string) string, error) {
		stream := make(chan base.TextDatapoint, train.Len())
		for i := range train.Len() {
			stream <- base.TextDatapoint{X: train.Example(i), Y: uint8(train.Class(i))}
		}
		close(stream)
		m := text.NewNaiveBayes(stream, uint8(len(train.Classes())), base.OnlyWords)
		m.Output = io.Discard
		m.OnlineLearn(make(chan error, train.Len()))
		return func(x string) string { return train.Classes()[m.Predict(x)] }, nil
	})
}

// A message is a row of testdata/messages.csv.
type message struct {
	Text  string `csv:"text"`
	Topic string `csv:"topic,label"`
}

// messages returns the texts alone: examples may be of any type, such as strings.
func messages(t *testing.T) learntest.Data[string, string] {
	rows, err := learntest.CSV[message, string]("testdata/messages.csv")
	require.NoError(t, err)
	var texts, topics []string
	for i := range rows.Len() {
		texts, topics = append(texts, rows.Example(i).Text), append(topics, rows.Label(i))
	}
	return learntest.Examples("messages", texts, topics)
}

// TestWords compares with a rule that somebody has written by hand.
func TestWords(t *testing.T) {
	rule := learntest.Pretrained("rule", func(x string) string {
		switch {
		case strings.Contains(x, "invoice"):
			return "billing"
		case strings.Contains(x, "crash"):
			return "fault"
		}
		return "question"
	})
	c := learntest.Compare(t, messages(t), words(), rule)
	assert.Improves(t, c, assert.Replicability(0.9))
}

func TestWordsKeepTheirPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(messages(t), words()))
}
