package htmlreport

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func pageOf(text string) *Page {
	lines := []Line{{text, text}}
	return &Page{
		Title: text, Result: text, Counts: text, Verdict: "fail", Command: text, Header: lines,
		Data: lines, Problems: []string{text}, Notes: []string{text},
		Sections: []Section{{
			Title: text, Summary: text, Facts: lines, Columns: Columns{text, text, text, text},
			Notes: []string{text},
			Matrix: &Matrix{
				About: text, Columns: []string{text},
				Rows: []MatrixRow{{text, []MatrixCell{{text, "regressed", true}, {}}}},
			},
			Pictures: []Picture{{[]byte(`<svg role="img"></svg>`), []byte(`<svg></svg>`)}},
			Rows: []Row{
				{
					Label: text, Column: text, Outcome: "regressed", Offends: true, Why: text, Baseline: text,
					Candidate: text, Difference: text, Interval: text, P: text, Adjusted: text, Sentence: text,
					Facts: lines, Command: text, Notes: []string{text},
				},
				{Label: "b", Outcome: "improved"},
				{Label: "c", Outcome: "equivalent"},
				{Label: "d", Outcome: "inconclusive"},
				{Label: "e", Outcome: "invalid"},
			},
		}},
	}
}

func render(t require.TestingT, p *Page) string {
	var b bytes.Buffer
	require.NoError(t, Write(&b, p, "figure [fill=\"#ffffff\"]{fill:#16191d}\n"))
	return b.String()
}

// elements returns the names of the elements of a page, and its texts.
func elements(t require.TestingT, page string) (names map[string]int, texts []string) {
	names = make(map[string]int)
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, append(xml.HTMLAutoClose, "meta"), xml.HTMLEntity
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return names, texts
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			names[e.Name.Local]++
			for _, a := range e.Attr {
				require.False(t, strings.HasPrefix(strings.ToLower(a.Name.Local), "on") ||
					a.Name.Local == "style" || a.Name.Local == "href" || a.Name.Local == "src", "%s", a.Name.Local)
			}
		case xml.CharData:
			texts = append(texts, string(e))
		}
	}
}

// TestPolicyForbidsAllButTheStyle checks that the digest in the policy is the digest of the
// page's style.
func TestPolicyForbidsAllButTheStyle(t *testing.T) {
	t.Parallel()
	page := render(t, pageOf("text"))
	m := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	require.NotNil(t, m)
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(page)
	require.NotNil(t, style)
	sum := sha256.Sum256([]byte(style[1]))
	assert.Equal(t, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action 'none'", html.UnescapeString(m[1]))
	assert.Less(t, strings.Index(page, m[0]), strings.Index(page, style[0]),
		"the policy comes before the style")
	assert.Contains(t, style[1], "@media screen and (prefers-color-scheme:dark){\nfigure [fill=\"#ffffff\"]{fill:#16191d}\n}")
	assert.NotRegexp(t, `url\(|@import|https?:`, style[1])
	assert.Equal(t, 1, strings.Count(page, "<style"))
}

// TestTextsAreTexts checks that whatever a text is, the page has the same elements, and the text.
func TestTextsAreTexts(t *testing.T) {
	t.Parallel()
	want, _ := elements(t, render(t, pageOf("text")))
	require.Zero(t, want["script"]+want["img"]+want["link"]+want["iframe"]+want["a"])
	require.Equal(t, 5, want["details"])
	rapid.Check(t, func(rt *rapid.T) {
		part := rapid.OneOf(rapid.SampledFrom([]string{
			"<script>alert(1)</script>", "</style>", "<!--",
			"-->", "]]>", "{{.}}", "\"", "'", "<", ">", "&", "&lt;", "`", "onload=x", "javascript:x", "=",
			" ",
		}), rapid.StringMatching(`[a-zA-Z<>&"'/ ]{1,9}`))
		text := "x" + strings.Join(rapid.SliceOfN(part, 0, 6).Draw(rt, "parts"), "") + "x"
		page := render(rt, pageOf(text))
		names, texts := elements(rt, page)
		require.Equal(rt, want, names)
		times := 0
		for _, x := range texts {
			if strings.TrimSpace(strings.TrimPrefix(x, "made by ")) == text {
				times++
			}
		}
		require.GreaterOrEqual(rt, times, 29, "%q", text)
	})
}

func TestOffendersAreOpenAndShaped(t *testing.T) {
	t.Parallel()
	page := render(t, pageOf("text"))
	assert.Contains(t, page, "</summary>\n<p>text</p>", "the sentence")
	assert.Contains(t, page, "<dt>reproduce</dt><dd><code>text</code></dd>")
	assert.Contains(t, page, `<details class="regressed bad" open><summary aria-label="text in text: regressed, text; text text, text text, difference text, text text, p text, text text"><i aria-hidden="true">▼</i>`)
	assert.Contains(t, page, `<td class="regressed bad">text <i role="img" aria-label="regressed, the gate fails">▼</i></td><td class=""></td>`)
	for outcome, symbol := range map[string]string{
		"improved": "▲", "equivalent": "■",
		"inconclusive": "○", "invalid": "✕",
	} {
		assert.Regexp(t, `<details class="`+outcome+`"><summary aria-label=".: `+outcome+`; [^"]*"><i aria-hidden="true">`+symbol+`</i>`, page)
	}
	assert.Contains(t, page, `<figure class="wide"><svg role="img"></svg></figure><figure class="narrow"><svg></svg></figure>`)
}

// TestEmptyPage checks that absent parts leave no trace.
func TestEmptyPage(t *testing.T) {
	t.Parallel()
	names, _ := elements(t, render(t, &Page{Title: "t", Result: "r"}))
	assert.Zero(t, names["section"]+names["dl"]+names["ul"]+names["code"])
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteSaysWhatFails(t *testing.T) {
	t.Parallel()
	assert.ErrorIs(t, Write(failing{}, pageOf("x"), ""), io.ErrClosedPipe)
}

// TestColoursAreRead checks the contrast of the texts on their grounds, light and dark.
func TestColoursAreRead(t *testing.T) {
	t.Parallel()
	schemes := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(css, -1)
	require.Len(t, schemes, 2)
	for _, s := range schemes {
		colours := make(map[string]string)
		for _, d := range strings.Split(s[1], ";") {
			name, value, _ := strings.Cut(d, ":")
			colours[name] = value
		}
		for _, text := range []string{"--ink", "--dim", "--better", "--worse", "--same"} {
			for _, ground := range []string{"--paper", "--shade", "--bad"} {
				assert.GreaterOrEqual(t, contrast(t, colours[text], colours[ground]), 4.5, "%s on %s", text,
					ground)
			}
		}
	}
}
