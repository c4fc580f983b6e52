package process

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnswersThatCanBeReadInTwoWays(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"id":1,"labels":[0,1]}`:                                "",
		`{"id":1,"name":"labels, \"labels\": {","labels":[0,1]}`: "",
		`{"id":1,"labels":[0],"more":[{"labels":1,"labels":2}]}`: "",
		` { "id" : 1 , "probabilities" : [ [ 0.5 , 0.5 ] ] } `:   "",
		`{"id":1,"labels":[0,1],"labels":[1,0]}`:                 `it has "labels" twice`,
		`{"id":1,"labels":[0,1],"x":[],"l\u0061bels":[1,0]}`:     `it has "labels" twice`,
		`{"id":1,"labels":[0,1],"id":1}`:                         `it has "id" twice`,
		`{"id":1,"labels":[0,1],"extra":1,"extra":2}`:            `it has "extra" twice`,
		`{"id":1,"Labels":[0,1]}`:                                `it has "Labels", and the key is "labels"`,
		`{"ID":1,"labels":[0,1]}`:                                `it has "ID", and the key is "id"`,
		`{"id":1,"labelſ":[0,1]}`:                                `it has "labelſ", and the key is "labels"`,
		`{"id":1,"labels":[0],"probabilities":[[1,0]]}`:          "it has both labels and probabilities",
		`{"id":1,"values":[0],"labels":[0]}`:                     "it has both values and labels",
		`{"id":1,"labels":[0],"probabilities":null}`:             "it has both labels and probabilities",
	} {
		_, err := readAnswer([]byte(line), 1)
		if want == "" {
			assert.NoError(t, err, line)
			continue
		}
		assert.ErrorIs(t, err, ErrProtocol, line)
		assert.ErrorContains(t, err, want, line)
	}
	var names []string
	for f := range reflect.TypeFor[answer]().Fields() {
		names = append(names, f.Tag.Get("json"))
	}
	assert.ElementsMatch(t, names, answerKeys)
}
