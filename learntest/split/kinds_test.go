package split

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A kind that is added to the list is checked by the properties, has golden partitions that another
// program computed, and is specified. The partitions of Predefined are the user's.
func TestKindsAreSpecifiedAndChecked(t *testing.T) {
	t.Parallel()
	drawn := make(map[string]bool)
	for seed := range 300 {
		drawn[genProtocol().Example(seed).spell().kind.name] = true
	}
	golden := make(map[string]bool)
	data, err := os.ReadFile("testdata/golden.json")
	require.NoError(t, err)
	var file goldenFile
	require.NoError(t, json.Unmarshal(data, &file))
	for _, p := range file.Page {
		name, _, _ := strings.Cut(p.Protocol, " ")
		golden[name] = true
	}
	page, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	forms, err := os.ReadFile("text.go")
	require.NoError(t, err)
	for _, k := range kinds() {
		assert.True(t, strings.Contains(string(forms), "\n//\t"+k.name+" "),
			"the comment of String in text.go has no example of %s", k.name)
		if k == predefined {
			continue
		}
		assert.True(t, drawn[k.name], "genProtocol draws no %s: no property is checked of it", k.name)
		assert.True(t, golden[k.name], "no golden partitions of %s: add it to testdata/reference.py",
			k.name)
		heading := regexp.MustCompile(`(?m)^// # (.* )?` + k.name + `( .*)?$`)
		assert.True(t, heading.Match(page), "doc.go does not specify the partitions of %s", k.name)
	}
}
