// Package branch runs the tests of two revisions of a repository, so that their
// results can be compared.
//
//  1. [ParseRange] takes two revisions as git diff does.
//  2. [Open] finds the repository, and [Repository.Sides] what the revisions stand for.
//  3. [Repository.Checkout] checks one out in a worktree of its own.
//  4. [Test] runs go test there and says which tests compared learners, which failed,
//     and what could not be run.
//
// Every command runs in a process group of its own, which ends with it: an interruption
// leaves neither a process nor a worktree.
package branch
