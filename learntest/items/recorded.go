package items

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
)

// ErrNotRecorded is wrapped by the error of a system that has made a request to which no response
// is recorded.
var ErrNotRecorded = errors.New("no response to this request is recorded")

// Recorded returns a function that takes responses to requests from the files in a directory, such
// as testdata/responses, rather than asking for them. It is called with the context that a system
// was asked with.
//
// A response is replayed for an equal request of the same system, in its version, in the same
// repeat; a request therefore names everything that the response depends on, such as model and
// prompt. Any other request is an error that wraps ErrNotRecorded. LEARNTEST_RESPONSES=record asks
// for the responses that are missing and records them; to record all anew, remove the directory
// first. Continuous integration records nothing.
//
// Verdicts say that answers rest on recorded responses: they test the program around a model, not
// the model. Requests and responses are stored as JSON, and what JSON leaves out of a response is
// lost when it is recorded, too.
func Recorded[Req, Resp any](dir string, ask func(ctx context.Context, request Req) (Resp,
	error),
) func(ctx context.Context, request Req) (Resp, error) {
	return func(ctx context.Context, request Req) (resp Resp, err error) {
		a, ok := ctx.Value(askingKey{}).(*asking)
		if !ok {
			return resp, fmt.Errorf("%w: items.Recorded: this is not the context that a system was asked with: hand that on", ErrConfig)
		}
		if gotest.MayBeCached() && !gotest.InModule(dir) {
			return resp, fmt.Errorf("%w: items.Recorded: %s lies outside of the module: add -count=1: the cache does not look at it", ErrConfig, dir)
		}
		key, err := dataset.DigestOf("response", a.system, a.version, request)
		if err != nil {
			return resp, fmt.Errorf("items.Recorded: the request has no digest: %w", err)
		}
		r := recording{Key: key, Repeat: a.repeat, Number: a.number(key)}
		path := filepath.Join(dir, r.name())
		defer lockFile(path)()
		resp, err = replay[Resp](path, &r)
		if err == nil {
			a.replayed(r.Recorded)
			return resp, nil
		}
		switch {
		case !errors.Is(err, fs.ErrNotExist):
			return resp, fmt.Errorf("%s: %w", path, err)
		case !a.record:
			return resp, fmt.Errorf("%w, in %s: %s=record %s asks for it", ErrNotRecorded, path,
				envResponses, a.again)
		}
		if resp, err = ask(ctx, request); err != nil {
			return resp, err
		}
		if err := r.write(path, request, resp); err != nil {
			return resp, fmt.Errorf("the response was not recorded: %w", err)
		}
		if resp, err = replay[Resp](path, &r); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return resp, err
	}
}

// A recording is a response to a request, as a file has it.
type recording struct {
	Key      string          `json:"key"` // digest of system, version and request
	Repeat   int             `json:"repeat"`
	Number   int             `json:"number"` // of equal requests in one answer, from 1
	Recorded string          `json:"recorded"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`
}

// name returns the name of the file.
func (r *recording) name() string {
	const digits = 20
	name := r.Key[:digits]
	if r.Repeat > 1 {
		name += "-r" + strconv.Itoa(r.Repeat)
	}
	if r.Number > 1 {
		name += "-n" + strconv.Itoa(r.Number)
	}
	return name + ".json"
}

// write records a response.
func (r *recording) write(path string, request, response any) (err error) {
	if r.Request, err = json.Marshal(request); err != nil {
		return err
	}
	if r.Response, err = json.Marshal(response); err != nil {
		return err
	}
	r.Recorded = time.Now().UTC().Format(time.DateOnly)
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.Write(path, bytes.NewBuffer(append(text, '\n')))
}

// replay reads the response of a recording, which tells when it was recorded.
func replay[Resp any](path string, r *recording) (resp Resp, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return resp, err
	}
	var have recording
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(&have)
	if _, day := time.Parse(time.DateOnly, have.Recorded); err == nil {
		err = day
	}
	if err != nil || d.More() {
		return resp, errors.Join(errors.New("this is no recorded response: restore the file, or remove it to record it anew"), err)
	}
	if have.Key != r.Key || have.Repeat != r.Repeat || have.Number != r.Number {
		return resp, errors.New("this is the response to another request: restore the file, or remove it to record it anew")
	}
	r.Recorded = have.Recorded
	err = json.Unmarshal(have.Response, &resp)
	var again, was []byte
	if err == nil {
		again, err = json.Marshal(resp)
	}
	var compact bytes.Buffer
	if err == nil {
		err = json.Compact(&compact, have.Response)
		was = compact.Bytes()
	}
	if err != nil || !bytes.Equal(again, was) {
		return resp, errors.Join(fmt.Errorf("the response does not survive as %T: the type may have changed since: remove the file to record it anew", resp), err)
	}
	return resp, nil
}

// files are the locks of the files that are being recorded in this process.
var files sync.Map

// lockFile locks a file, so that equal requests at the same time are one.
func lockFile(path string) (unlock func()) {
	mu, _ := files.LoadOrStore(path, new(sync.Mutex))
	mu.(*sync.Mutex).Lock()
	return mu.(*sync.Mutex).Unlock
}

// An asking is the request for one answer. Contexts have it, for Recorded.
type asking struct {
	system, version string
	repeat          int
	record          bool   // responses that are missing are recorded
	again           string // the command that runs the test again

	mu      sync.Mutex
	used    bool           // Recorded was called
	numbers map[string]int // of requests, by key
	from    record.Replay
}

type askingKey struct{}

// of returns the request for an answer of a system.
func (a *asking) of(system, version string, repeat int) *asking {
	return &asking{
		system: system, version: version, repeat: repeat, record: a.record, again: a.again,
		numbers: make(map[string]int),
	}
}

// number counts equal requests, from 1.
func (a *asking) number(key string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used = true
	a.numbers[key]++
	return a.numbers[key]
}

// replayed adds a response that was recorded on a day.
func (a *asking) replayed(day string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.from.Add(record.Replay{Answers: 1, First: day, Last: day})
	a.from.Answers = 1
}

// replay returns what the answer rests on.
func (a *asking) replay() record.Replay {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.from
}

func (a *asking) isUsed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used
}
