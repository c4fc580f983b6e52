package process

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Errors that New and Fit return, wrapped.
var (
	// ErrConfig is about a configuration that makes no sense.
	ErrConfig = errors.New("invalid program")

	// ErrStart is about a program that did not start, or not in time.
	ErrStart = errors.New("the program did not start")

	// ErrProtocol is about a program that did not keep to the protocol.
	ErrProtocol = errors.New("the program broke the protocol")

	// ErrEnded is about a program that ended while it was needed.
	ErrEnded = errors.New("the program ended")

	// ErrProgram is an error that the program itself reports. The program lives on.
	ErrProgram = errors.New("the program says")
)

// DefaultStartTimeout is how long a program may take to answer its first message
// unless told otherwise.
const DefaultStartTimeout = time.Minute

// Config says which program is a learner, and how it is run.
type Config struct {
	// Args are the program, which is looked up in PATH unless it has a slash, and its
	// arguments. No shell sees them.
	//
	// If {train}, {test}, {pred} and such occur in the arguments, the program does not speak the
	// protocol. It is started for each trial, and these are replaced in them:
	//
	//	{train}      a CSV file with the training examples: a line of names, and a
	//	             line for each; missing values are empty
	//	{test}       a CSV file with the test examples, whose classes are empty
	//	{train.arff}, {test.arff}  these files in ARFF; missing values are ?
	//	{pred}       the file that the program writes, with a class or number a line
	//	{prob}       in place of {pred}, a CSV file that it writes, with a line
	//	             of the names of classes and a line of probabilities for each example; a class
	//	             that is left out has probability 0
	//	{seed}       the seed in decimal, from 0 to 18446744073709551615
	//	{seed31}     its last 31 bits
	Args []string

	// Name is the learner's name. If empty, it is exec(...) with Args.
	Name string

	// Dir is the working directory of the program. If empty, it is the directory of this
	// process.
	Dir string

	// Env has variables as NAME=value, in addition to the environment of this process.
	Env []string

	// Depends are the files and directories, with all that is below them, that the
	// program reads besides the files that Args name, such as the modules that it
	// imports. They are opened, so that go test runs a test again when one has changed. If
	// nil, to run the program is an error where go test may cache the
	// outcome: go test -count=1 caches none. If empty but not nil, there are no other files.
	//
	// The program that is found in PATH, its libraries and all else outside the module
	// are beyond what go test looks at.
	Depends []string

	// Stderr gets what the program writes to its standard error, line by line, with
	// the learner's name in front. If nil, nobody does. It is used by one goroutine
	// at a time.
	Stderr io.Writer

	// StartTimeout is how long the program may take until it has answered its first message.
	// If zero, DefaultStartTimeout. The start counts in the time of the trial for which the
	// program is started.
	StartTimeout time.Duration

	endTime time.Duration // how long the program may take to end after its input; 5s but in tests
}

// withDefaults returns the configuration with every field set and checked.
func (c Config) withDefaults() (Config, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return c, fmt.Errorf("%w: Args name no program", ErrConfig)
	}
	for _, s := range slices.Concat(c.Args, c.Env) {
		if strings.ContainsRune(s, 0) {
			return c, fmt.Errorf("%w: %q has a zero byte", ErrConfig, s)
		}
	}
	for _, kv := range c.Env {
		if name, _, ok := strings.Cut(kv, "="); !ok || name == "" {
			return c, fmt.Errorf("%w: Env has %q, not NAME=value", ErrConfig, kv)
		}
	}
	if c.StartTimeout < 0 {
		return c, fmt.Errorf("%w: StartTimeout %v is negative", ErrConfig, c.StartTimeout)
	}
	c.StartTimeout = cmp.Or(c.StartTimeout, DefaultStartTimeout)
	c.endTime = cmp.Or(c.endTime, 5*time.Second)
	c.Name = cmp.Or(c.Name, "exec("+strings.Join(c.Args, " ")+")")
	if c.Dir != "" { // which a change of directory must not change
		dir, err := filepath.Abs(c.Dir)
		if err != nil {
			return c, fmt.Errorf("%w: %w", ErrConfig, err)
		}
		c.Dir = dir
	}
	c.Args, c.Env = slices.Clone(c.Args), slices.Clone(c.Env)
	return c, nil
}
