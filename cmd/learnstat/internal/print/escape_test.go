package print

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A colon stays where it begins neither a link nor an emoji, so that the text can be read
// elsewhere, too.
func TestColonsInMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"protocol: cv":     "protocol: cv",
		"of :tada: and":    "of &#58;tada: and",
		":tada:":           "&#58;tada&#58;",
		"see http://a.b/c": "see http&#58;//a.b/c",
		"a::b 16:02 x:":    "a&#58;&#58;b 16&#58;02 x&#58;",
	} {
		assert.Equal(t, want, escapeMarkdown(text))
	}
}
