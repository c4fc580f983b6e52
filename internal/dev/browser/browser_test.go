package browser

import (
	"encoding/base64"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBrowserSeesWhatIsWrong checks that a page with every fault is found to have them.
func TestBrowserSeesWhatIsWrong(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Chromium)
	path, err := Find()
	require.NoError(t, err)
	b, err := Start(t.Context(), path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, b.Close()) }()
	open := func(html string) (*Layout, []Message) {
		said, err := b.Open("data:text/html;base64,"+base64.StdEncoding.EncodeToString([]byte(html)),
			Screen{Width: 390, Height: 800})
		require.NoError(t, err)
		l, err := b.Measure()
		require.NoError(t, err)
		require.Equal(t, "request", said[0].Kind, "%v", said) // the request for the page itself
		return l, said[1:]
	}
	head := `<!doctype html><meta name="viewport" content="width=device-width"><body style="margin:0;font:14px sans-serif">`

	l, said := open(head + `<p>fine<p>in order<details><summary>one</summary><p>two</details>`)
	assert.Empty(t, said)
	assert.Equal(t, &Layout{
		ScrollWidth: 390, Width: 390, Small: []string{}, Overlaps: []string{},
		Outside: []string{}, Texts: 3,
	}, l)

	l, _ = open(head + `<div style="width:900px">` + "wide" + `</div>`)
	assert.Equal(t, 900, l.ScrollWidth)
	l, _ = open(head + `<p style="font-size:9px">tiny`)
	assert.Len(t, l.Small, 1)
	l, _ = open(head + `<svg width="100" viewBox="0 0 200 100"><text y="50" font-size="14">scaled</text></svg>`)
	assert.Len(t, l.Small, 1)
	l, _ = open(head + `<p style="position:absolute;top:9px">one<p style="position:absolute;top:12px">another`)
	assert.Len(t, l.Overlaps, 1)
	l, _ = open(head + `<p style="position:absolute;left:380px;white-space:nowrap">sticks out`)
	assert.Len(t, l.Outside, 1)
	_, said = open(head + `<script>console.error("no")</script>`)
	assert.Equal(t, []Message{{"console error", "[{no}]"}}, said)
	_, said = open(head + `<img src="http://127.0.0.1:9/x.png">`)
	assert.NotEmpty(t, said)
	_, said = open(`<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><style>p{color:red}</style><p>x`)
	assert.NotEmpty(t, said)
}
