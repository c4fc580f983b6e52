// Package browser looks at pages in a real browser, for tests: it starts Chromium without a window
// and asks it, over a pipe, how a page looks and which errors it reports.
//
// The protocol belongs to the browser's developer tools: JSON messages, each ended by a zero
// byte, on the file descriptors 3 and 4.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
)

// A Browser is one that runs.
type Browser struct {
	cmd     *exec.Cmd
	to      *os.File
	from    *os.File
	home    string
	session string

	mu      sync.Mutex
	id      int
	waiting map[int]chan reply
	events  map[string]chan struct{} // that are waited for
	seen    []Message
	gone    error
}

// A Message is something that the browser says about a page: an error or a warning of the console,
// an exception, a policy that is broken, or something that is asked of the network.
type Message struct{ Kind, Text string }

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Find returns the path of Chromium; an error if there is none.
func Find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no chromium: install Debian's package chromium")
}

// Start starts the browser at a path, until the context ends or Close is called.
func Start(ctx context.Context, path string) (*Browser, error) {
	home, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, err
	}
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + home,
		"--no-first-run", "--disable-gpu", "--hide-scrollbars", "about:blank",
	}
	if os.Getuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	b := &Browser{
		cmd: exec.CommandContext(ctx, path, args...), to: to, from: from, home: home,
		waiting: make(map[int]chan reply), events: make(map[string]chan struct{}),
	}
	b.cmd.ExtraFiles = []*os.File{in, out}
	if err := b.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	_ = in.Close() // the browser has them
	_ = out.Close()
	go b.listen()
	return b, b.attach()
}

// Close ends the browser.
func (b *Browser) Close() error {
	_ = b.call("Browser.close", nil, nil) // it may be gone before it answers
	_ = b.to.Close()
	err := b.cmd.Wait()
	_ = b.from.Close()
	return errors.Join(err, os.RemoveAll(b.home))
}

// listen takes what the browser says.
func (b *Browser) listen() {
	r := bufio.NewReaderSize(b.from, 1<<20)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			b.gone = fmt.Errorf("the browser is gone: %w", err)
			for id, w := range b.waiting {
				close(w)
				delete(b.waiting, id)
			}
			b.mu.Unlock()
			return
		}
		var m struct {
			ID     int
			Method string
			Params json.RawMessage
			reply
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if w := b.waiting[m.ID]; m.ID > 0 && w != nil {
			w <- m.reply
			delete(b.waiting, m.ID)
		}
		if w := b.events[m.Method]; w != nil {
			close(w)
			delete(b.events, m.Method)
		}
		b.note(m.Method, m.Params)
		b.mu.Unlock()
	}
}

// note keeps what a page that is in order does not do.
func (b *Browser) note(method string, params json.RawMessage) {
	var p struct {
		Entry            struct{ Level, Text string }
		Type             string
		Args             []struct{ Value any }
		ExceptionDetails struct{ Text string }
		Request          struct{ URL string }
		Issue            struct{ Code string }
	}
	_ = json.Unmarshal(params, &p) // missing fields stay empty
	add := func(kind, text string) { b.seen = append(b.seen, Message{kind, text}) }
	switch method {
	case "Log.entryAdded":
		add("log "+p.Entry.Level, p.Entry.Text)
	case "Runtime.consoleAPICalled":
		add("console "+p.Type, fmt.Sprint(p.Args))
	case "Runtime.exceptionThrown":
		add("exception", p.ExceptionDetails.Text)
	case "Network.requestWillBeSent":
		add("request", p.Request.URL)
	case "Page.javascriptDialogOpening":
		add("dialog", string(params))
	case "Audits.issueAdded":
		add("issue", p.Issue.Code)
	}
}

// call asks the browser for something.
func (b *Browser) call(method string, params, result any) error {
	b.mu.Lock()
	if b.gone != nil {
		b.mu.Unlock()
		return b.gone
	}
	b.id++
	w := make(chan reply, 1)
	b.waiting[b.id] = w
	text, err := json.Marshal(struct {
		ID        int    `json:"id"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
		SessionID string `json:"sessionId,omitempty"`
	}{b.id, method, params, b.session})
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	r, ok := <-w
	switch {
	case !ok:
		return fmt.Errorf("%s: %w", method, b.gone)
	case r.Error != nil:
		return fmt.Errorf("%s: %s", method, r.Error.Message)
	case result != nil:
		return json.Unmarshal(r.Result, result)
	}
	return nil
}

type object = map[string]any

// attach opens a page and asks for its events.
func (b *Browser) attach() error {
	var target struct{ TargetID string }
	var session struct{ SessionID string }
	if err := b.call("Target.createTarget", object{"url": "about:blank"}, &target); err != nil {
		return err
	}
	if err := b.call("Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true},
		&session); err != nil {
		return err
	}
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Audits"} {
		if err := b.call(domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// A Screen shows a page: in pixels, dark or light, or in print.
type Screen struct {
	Width, Height int
	Dark, Print   bool
}

// Open opens a page on a screen, waits until it is loaded, and returns what the browser had to say
// about it.
func (b *Browser) Open(url string, s Screen) ([]Message, error) {
	scheme, media := "light", "screen"
	if s.Dark {
		scheme = "dark"
	}
	if s.Print {
		media = "print"
	}
	if err := b.call("Emulation.setDeviceMetricsOverride", object{
		"width": s.Width, "height": s.Height,
		"deviceScaleFactor": 1, "mobile": false,
	}, nil); err != nil {
		return nil, err
	}
	if err := b.call("Emulation.setEmulatedMedia",
		object{"media": media, "features": []object{{"name": "prefers-color-scheme", "value": scheme}}},
		nil); err != nil {
		return nil, err
	}
	loaded := make(chan struct{})
	b.mu.Lock()
	b.events["Page.loadEventFired"] = loaded
	b.seen = nil
	b.mu.Unlock()
	var opened struct{ ErrorText string }
	if err := b.call("Page.navigate", object{"url": url}, &opened); err != nil {
		return nil, err
	}
	if opened.ErrorText != "" {
		return nil, fmt.Errorf("%s: %s", url, opened.ErrorText)
	}
	<-loaded
	if err := b.Evaluate("0", nil); err != nil { // the page has reported its errors by now
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Message(nil), b.seen...), nil
}

// Evaluate evaluates an expression on the page, which its policy does not keep the developer tools
// from, and stores the value.
func (b *Browser) Evaluate(expression string, value any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	if err := b.call("Runtime.evaluate", object{"expression": expression, "returnByValue": true},
		&r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return errors.New(r.ExceptionDetails.Exception.Description)
	}
	if value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, value)
}

// Screenshot returns what the page looks like, all of it, as PNG.
func (b *Browser) Screenshot() ([]byte, error) {
	var r struct{ Data []byte }
	err := b.call("Page.captureScreenshot", object{"captureBeyondViewport": true}, &r)
	return r.Data, err
}
