// Package progress draws how far a command is, for whoever looks at a terminal.
package progress

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar returns a progress function and one to call when all is done. There is no progress
// unless w is a terminal.
func Bar(w io.Writer, quiet bool, what string) (report func(done, total int), finish func()) {
	f, ok := w.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())
	return func(done, total int) {
			bar.ChangeMax(total)
			bar.Set(done) // a progress bar that cannot be drawn is no reason to stop
		}, func() {
			bar.Finish()
		}
}
