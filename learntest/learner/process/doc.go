// Package process makes learners of other programs, in any language.
//
// A program speaks the protocol of docs/process.md: it reads a line of JSON, executes it and
// answers with a line. It starts once and serves one trial after another, so that no trial
// pays for the start or for reading the data. A program that only reads and writes files can
// take part, too: see [Config.Args].
//
// Every trial ends: by an answer, by an error that names the program's mistake, or with the
// context. A program that hangs, crashes, or prints an invalid or oversized answer is killed
// together with its process group; the trial fails, and the next one starts the program again.
// On Linux the kernel kills the program when its parent process ends for any reason; on other
// systems the program reads the end of its standard input.
//
// What go test remembers does not include what another process reads: see
// [Config.Depends].
package process
