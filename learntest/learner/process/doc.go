// Package process makes learners of other programs, in any language.
//
// A program speaks the protocol of docs/process.md: it reads a line of JSON, does
// what it says and answers with a line. It is started once and serves one trial after
// another, so that neither its start nor the reading of the data is paid for in each. A
// program that only reads and writes files takes part as well: see [Config.Args].
//
// Whatever a program does, a trial ends: by an answer, by an error that says what the
// program did wrong, or with the context. A program that hangs, crashes, prints what is
// no answer or more than an answer can be is killed together with its process group,
// the trial fails, and the next one starts another. On Linux the kernel
// kills the program when the process that started it is gone, for whatever reason; elsewhere it
// finds its standard input at the end.
//
// What go test remembers does not include what another process reads: see
// [Config.Depends].
package process
