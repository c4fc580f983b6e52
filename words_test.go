package learnbench_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// turns are phrases that hide the noun or the actor of a sentence, each with its remedy.
// Case does not count, and neither does a line break between two words.
var turns = []struct {
	phrase *regexp.Regexp
	remedy string
}{
	{regexp.MustCompile(`(?i)\b(that|those|the ones?) of\b`), "repeat the noun"},
	{regexp.MustCompile(`(?i)\bthose (that|which|who|whose)\b|\bthat which\b`), "name the noun"},
	{
		regexp.MustCompile(`(?i)\bwhat(ever)? (is|are|was|were|has|have|had|it|they|there)\b`),
		"name the noun",
	},
	{regexp.MustCompile(`(?i)\bthe same( (in|for|if|when|where|whether|whatever|and|or|but|of|on|by|with|to|at|from|is|are|was|here|again|everywhere)\b| ?[.,;:)|]|$)`), "the same what?"},
	{regexp.MustCompile(`(?i)\b(go|goes|went|gone|going) by\b`), "follows, uses, depends on"},
	{
		regexp.MustCompile(`(?i)\b(keep|keeps|kept|keeping) (its|their|his|your) word\b`),
		"holds, is kept",
	},
	{regexp.MustCompile(`(?i)\b(take|takes|took|taken|taking)( no)? note of\b`), "records, regards"},
	{regexp.MustCompile(`(?i)\b(is|are|was|were|be|been|being) (said|told)\b`), "say who says it"},
	{regexp.MustCompile(`(?i)\b(is|are) no matter (for|of)\b`), "say what it changes, or drop it"},
	{regexp.MustCompile(`(?i)\bas (it|they) (is|are|was|were)\b`), "unchanged, as written"},
	{regexp.MustCompile(`(?i)\b(for|by|to|from|of) who\b`), "name them"},
}

// A package or page may have fewWordings, all of them together mostWordings: both may only fall.
const (
	fewWordings  = 3
	mostWordings = 5
)

// opensWithPronoun matches a comment on a declaration that begins with a pronoun.
var opensWithPronoun = regexp.MustCompile(`^(It|Its|They|Their|This|These|That|Those|What|Whatever|Which|Whether|One|Only|He|She|There)\b`)

// A wording is a hidden noun or actor in a text.
type wording struct{ place, text, remedy string }

// wordings returns the turns in a text.
func wordings(place, text string) []wording {
	text = strings.Join(strings.Fields(text), " ")
	var found []wording
	for _, turn := range turns {
		for _, at := range turn.phrase.FindAllStringIndex(text, -1) {
			from, to := max(0, at[0]-40), min(len(text), at[1]+30)
			found = append(found, wording{place, strings.ToValidUTF8(text[from:to], ""), turn.remedy})
		}
	}
	return found
}

// wordingsOfGo returns the turns in the comments of a Go file and in its strings of more
// than one word.
func wordingsOfGo(path string, src []byte) ([]wording, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	place := func(p token.Pos) string { return fmt.Sprintf("%s:%d", path, set.Position(p).Line) }
	var found []wording
	for _, group := range f.Comments {
		found = append(found, wordings(place(group.Pos()), group.Text())...)
	}
	opening := func(doc *ast.CommentGroup) {
		if doc != nil && opensWithPronoun.MatchString(doc.Text()) {
			first, _, _ := strings.Cut(doc.Text(), "\n")
			found = append(found, wording{place(doc.Pos()), first, "begin with the name"})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			opening(n.Doc)
		case *ast.GenDecl:
			opening(n.Doc)
		case *ast.TypeSpec:
			opening(n.Doc)
		case *ast.ValueSpec:
			opening(n.Doc)
		case *ast.Field:
			opening(n.Doc)
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING && strings.ContainsAny(n.Value, " ") {
				text, err := strconv.Unquote(n.Value)
				if err == nil {
					found = append(found, wordings(place(n.Pos()), text)...)
				}
			}
		}
		return true
	})
	return found, nil
}

// commentMark matches what begins a line of a comment in Java, Python and R.
var commentMark = regexp.MustCompile(`(?m)^[ \t]*(#|//|/\*+|\*)[ \t]`)

// readableWordings returns the turns in the texts of each package and page.
func readableWordings(t *testing.T) map[string][]wording {
	t.Helper()
	found := make(map[string][]wording)
	files := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || path != "." &&
			strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case path == "words_test.go" || d.IsDir():
			return nil
		}
		path = filepath.ToSlash(path)
		switch filepath.Ext(path) {
		case ".go":
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			w, err := wordingsOfGo(path, src)
			if err != nil {
				return err
			}
			files++
			dir := filepath.ToSlash(filepath.Dir(path))
			found[dir] = append(found[dir], w...)
		case ".md", ".html", ".java", ".py", ".R", ".json", ".txt":
			if path == "CHANGELOG.md" {
				return nil // the past
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files++
			line := 1
			text := commentMark.ReplaceAllString(string(src), "")
			for paragraph := range strings.SplitSeq(text, "\n\n") {
				found[path] = append(found[path], wordings(fmt.Sprintf("%s:%d", path, line), paragraph)...)
				line += strings.Count(paragraph, "\n") + 2
			}
		}
		return nil
	}))
	require.Greater(t, files, 800)
	return found
}

// TestTextsNameTheNoun counts phrases that hide a noun or an actor in comments, strings and
// pages.
func TestTextsNameTheNoun(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	total := 0
	var lines strings.Builder
	for place, all := range readableWordings(t) {
		total += len(all)
		for _, w := range all {
			fmt.Fprintf(&lines, "\n%s: %q: %s", w.place, w.text, w.remedy)
		}
		assert.LessOrEqual(t, len(all), fewWordings,
			"%s: phrases that hide a noun or an actor: reword some", place)
	}
	assert.LessOrEqual(t, total, mostWordings, "phrases that hide a noun or an actor: reword some")
	if t.Failed() {
		t.Log(lines.String())
	}
}

func TestWordings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"the error is that of\nthe test": 1, "The rows are THOSE THAT occur": 1, "what is missing": 1,
		"both are the same.": 1, "the same seed": 0, "the verdict goes by p": 1, "keeps its word": 1,
		"taking no note of it": 1, "it is said if": 1, "it is no matter for p": 1,
		"a name for who reads it": 1, "| the same |": 1, "a value and the one of the test": 1,
		"kept as it is":       1,
		"the finished trials": 0, "the text says what was meant, and those of others": 2,
	} {
		assert.Len(t, wordings("", text), want, text)
	}
	src := "package p\n\n// It is the default.\nvar a = \"those of others\" // what is a\n\n// b is told.\nvar b = `that of`\n"
	got, err := wordingsOfGo("p.go", []byte(src))
	require.NoError(t, err)
	assert.Len(t, got, 5)
}
