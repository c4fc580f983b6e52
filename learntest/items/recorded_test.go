package items

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

type prompt struct {
	Model, Text string
	Temperature float64
}

type reply struct {
	Text string
	N    int `json:",omitempty"`
}

// A bot answers right below a number; its words vary from call to call.
type bot struct {
	right  int
	calls  atomic.Int64
	fail   bool
	prompt string
}

func (b *bot) ask(_ context.Context, p prompt) (reply, error) {
	n := b.calls.Add(1)
	if b.fail {
		return reply{}, errors.New("status 500")
	}
	var at int
	if _, err := fmt.Sscanf(p.Text[len(b.prompt):], "q%d", &at); err != nil {
		return reply{}, err
	}
	if at < b.right {
		return reply{Text: "right", N: int(n)}, nil
	}
	return reply{Text: "wrong", N: int(n)}, nil
}

func (b *bot) system(dir string) System[question] {
	ask := Recorded(dir, b.ask)
	return NewSystem("agent", func(ctx context.Context, q question, _ int) (Scores, error) {
		r, err := ask(ctx, prompt{Model: "m", Text: b.prompt + q.ID})
		if err != nil {
			return nil, err
		}
		if r.Text == "right" {
			return Scores{"correct": 1}, nil
		}
		return Scores{"correct": 0}, nil
	})
}

func recordAll(t *testing.T, cfg Config, s System[question]) verdict.Verdict {
	t.Helper()
	t.Setenv("CI", "")
	t.Setenv("LEARNTEST_RESPONSES", "record")
	defer t.Setenv("LEARNTEST_RESPONSES", "")
	r := &recorder{T: t}
	defer r.end()
	v := judge(t, Compare(r, cfg, questions(60), s, upTo("before", 45, nil)), noRegression)
	require.Empty(t, r.errors)
	return v
}

func TestRecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "testdata", "responses")
	b := &bot{right: 40}
	cfg := Config{Repeats: 2}
	r := &recorder{T: t}
	v := judge(t, Compare(r, cfg, questions(60), b.system(dir), upTo("before", 45, nil)), noRegression)
	require.Equal(t, verdict.Invalid, v.Outcome)
	require.Contains(t, r.errors[0], "no response to this request is recorded, in "+dir)
	require.Contains(t, r.errors[0],
		"LEARNTEST_RESPONSES=record go test -count=1 -run '^TestAgent$' github.com/learnbench/learnbench/learntest/items asks for it")
	require.Zero(t, b.calls.Load(), "nothing is asked but to be recorded")

	live := recordAll(t, cfg, b.system(dir))
	require.EqualValues(t, 120, b.calls.Load(), "a response for each repeat")
	require.NotContains(t, live.String(), "rest on")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 120)

	v = judge(t, Compare(&recorder{T: t}, cfg, questions(60), b.system(dir), upTo("before", 45, nil)),
		noRegression)
	require.EqualValues(t, 120, b.calls.Load())
	require.Equal(t, live.Estimate, v.Estimate)
	day := time.Now().UTC().Format(time.DateOnly)
	require.Regexp(t, "  responses      all 120 answers of agent rest on responses recorded "+day[:8]+`\d\d( to [\d-]+)?: they test the program around a model, not the model\n`, v.String())

	// A longer suite asks for the responses that are missing.
	require.NoError(t, os.Remove(filepath.Join(dir, files[7].Name())))
	v = recordAll(t, cfg, b.system(dir))
	require.EqualValues(t, 121, b.calls.Load())
	require.Contains(t, v.String(), "119 of 120 answers of agent rest on responses recorded ")
}

// Another prompt, model, version or system has no response, and neither has another request of any
// kind.
func TestRecordedAnswersAreOfTheirRequest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "responses")
	b := &bot{right: 40}
	recordAll(t, Config{}, b.system(dir))
	called := b.calls.Load()
	other := &bot{right: 60, prompt: "Be brief. "}
	renamed := b.system(dir)
	renamed.name = "bot"
	for name, s := range map[string]System[question]{
		"prompt":  other.system(dir),
		"version": b.system(dir).WithVersion("2"), "system": renamed,
	} {
		v := judge(t, Compare(&recorder{T: t}, Config{}, questions(60), s, upTo("before", 45, nil)),
			noRegression)
		require.ErrorContains(t, v.Err, "no response to this request is recorded", name)
	}
	require.Equal(t, called, b.calls.Load())
	require.Zero(t, other.calls.Load())
}

// Equal requests of one answer have responses of their own, and keep them.
func TestRecordedRequestsThatRepeat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "responses")
	var calls atomic.Int64
	sample := Recorded(dir, func(context.Context, prompt) (reply,
		error,
	) {
		return reply{N: int(calls.Add(1))}, nil
	})
	var seen [2][]string
	run := func(at int) System[question] {
		return ask(func(ctx context.Context, q question, repeat int) (Scores, error) {
			for range 3 {
				r, err := sample(ctx, prompt{Text: "sample"})
				if err != nil {
					return nil, err
				}
				seen[at] = append(seen[at], fmt.Sprint(q.ID, repeat, r.N))
			}
			return Scores{"correct": 1}, nil
		})
	}
	recordAll(t, Config{Parallel: 1, Repeats: 2}, run(0))
	require.EqualValues(t, 6, calls.Load(), "equal requests of several items are one")
	v := judge(t, Compare(&recorder{T: t}, Config{Parallel: 1, Repeats: 2}, questions(60), run(1),
		upTo("before", 45, nil)), noRegression)
	require.Contains(t, v.String(), "all 120 answers of agent rest on", "each counts once")
	require.Equal(t, seen[0], seen[1])
	require.Contains(t, seen[1], "q0001 1")
	require.Contains(t, seen[1], "q0002 6")
}

// Equal requests at one time are one, whose response all get.
func TestRecordedRequestsAtOneTime(t *testing.T) {
	var calls atomic.Int64
	sample := Recorded(filepath.Join(t.TempDir(), "responses"), func(context.Context, prompt) (reply,
		error,
	) {
		time.Sleep(10 * time.Millisecond)
		return reply{N: int(calls.Add(1))}, nil
	})
	recordAll(t, Config{Parallel: 8},
		ask(func(ctx context.Context, _ question, _ int) (Scores, error) {
			r, err := sample(ctx, prompt{Text: "sample"})
			if err == nil && r.N != 1 {
				err = fmt.Errorf("response %d", r.N)
			}
			return Scores{"correct": 1}, err
		}))
	require.EqualValues(t, 1, calls.Load())
}

// Failed requests are not recorded, and neither is anything in continuous integration.
func TestWhatIsNotRecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "responses")
	b := &bot{right: 40, fail: true}
	t.Setenv("CI", "")
	t.Setenv("LEARNTEST_RESPONSES", "record")
	r := &recorder{T: t}
	v := judge(t, Compare(r, Config{}, questions(60), b.system(dir), upTo("before", 45, nil)),
		noRegression)
	require.ErrorContains(t, v.Err, "status 500")
	require.NoDirExists(t, dir)
	t.Setenv("CI", "true")
	r = &recorder{T: t}
	Compare(r, Config{}, questions(60), b.system(dir), upTo("before", 45, nil))
	require.Contains(t, r.fatal, "LEARNTEST_RESPONSES=record: CI is set, as in continuous integration: responses change in a commit that somebody reviews")

	_, err := Recorded(dir, b.ask)(t.Context(), prompt{})
	require.ErrorContains(t, err, "this is not the context that a system was asked with")
	t.Setenv("CI", "")
	v = judge(t, Compare(&recorder{T: t}, Config{}, questions(60),
		ask(func(ctx context.Context, _ question, _ int) (Scores, error) {
			_, err := Recorded(dir, func(context.Context, func()) (reply, error) {
				return reply{},
					nil
			})(ctx,
				nil)
			if err == nil {
				_, err = Recorded(dir, func(context.Context, chan int) (reply, error) {
					return reply{},
						nil
				})(ctx, make(chan int))
			}
			return nil, err
		}), upTo("before", 45, nil)), noRegression)
	require.ErrorContains(t, v.Err, "has no digest")
}

// A file that is damaged, of another request, or of a type that has changed is an error.
func TestRecordingsThatDoNotFit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "responses")
	b := &bot{right: 40}
	recordAll(t, Config{}, b.system(dir))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	paths := []string{filepath.Join(dir, files[0].Name()), filepath.Join(dir, files[1].Name())}
	good, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	at := strings.Index(string(good), `"response"`)
	request, response := string(good[:at]), string(good[at:])
	second, err := os.ReadFile(paths[1])
	require.NoError(t, err)
	for name, c := range map[string]struct{ text, msg string }{
		"torn": {
			string(good[:len(good)/2]),
			"this is no recorded response: restore the file, or remove it to record it anew",
		},
		"empty": {"", "this is no recorded response"},
		"twice": {string(good) + string(good), "this is no recorded response"},
		"no day": {
			strings.Replace(string(good), `"recorded": "2`, `"recorded": "x2`, 1),
			"this is no recorded response",
		},
		"field": {
			strings.Replace(string(good), `"repeat"`, `"repeats"`, 1),
			"this is no recorded response",
		},
		"other": {string(second), "this is the response to another request"},
		"repeat": {
			strings.Replace(string(good), `"repeat": 1`, `"repeat": 2`, 1),
			"this is the response to another request",
		},
		"type": {
			request + strings.Replace(response, `"Text"`, `"Words"`, 1),
			"the response does not survive as items.reply: the type may have changed since: remove the file to record it anew",
		},
		"wrong": {
			request + strings.Replace(response, `"Text": "`, `"Text": 7, "x": "`, 1),
			"the response does not survive as items.reply",
		},
		"unchanged": {string(good), ""},
	} {
		require.NoError(t, os.WriteFile(paths[0], []byte(c.text), 0o666))
		r := &recorder{T: t}
		v := judge(t, Compare(r, Config{}, questions(60), b.system(dir), upTo("before", 45, nil)),
			noRegression)
		if c.msg == "" {
			require.NoError(t, v.Err)
			continue
		}
		require.NotEqual(t, string(good), c.text, name)
		require.Equal(t, verdict.Invalid, v.Outcome, name)
		require.Contains(t, r.errors[0], paths[0]+": "+c.msg, name)
	}
}

// A run goes on with answers from recordings, too, and says how many there were.
func TestRecordingsOfInterruptedRuns(t *testing.T) {
	fresh(t)
	dir := filepath.Join(t.TempDir(), "responses")
	b := &bot{right: 40}
	recordAll(t, Config{Repeats: 2}, b.system(dir))
	interrupted(t, Config{Repeats: 2}, questions(60), b.system(dir), upTo("before", 45, nil))
	require.Len(t, journals(t), 1)
	t.Setenv("LEARNTEST_RESUME", "1")
	r := &recorder{T: t}
	v := judge(t, Compare(r, Config{Repeats: 2}, questions(60), b.system(dir),
		upTo("before", 45, nil)), noRegression)
	require.Contains(t, r.logs, "faq: 10 answers taken over, 230 to ask for")
	require.Contains(t, v.String(), "all 120 answers of agent rest on responses recorded ")
}

// A file that is read as a recording has a response of the type, which is written in the same way.
func FuzzRecordings(f *testing.F) {
	f.Add([]byte(`{"key":"k","repeat":1,"number":1,"recorded":"2026-10-02","request":null,"response":{"Text":"a"}}`))
	f.Add([]byte(`{"key":"k","repeat":1,"number":1,"recorded":"2026-10-02","request":1,"response":{"Text":"a","N":0}}`))
	f.Add([]byte(`{"key":"k","repeat":1,"number":1,"recorded":"2026-10-02","response":null} {}`))
	f.Add([]byte(`{"key":"k"`))
	path := filepath.Join(f.TempDir(), "r.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(path, text, 0o666))
		r := recording{Key: "k", Repeat: 1, Number: 1}
		resp, err := replay[reply](path, &r)
		if err != nil {
			return
		}
		require.NoError(t, r.write(path, "x", resp))
		again, err := replay[reply](path, &r)
		require.NoError(t, err)
		require.Equal(t, resp, again)
	})
}
