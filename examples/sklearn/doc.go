// Package sklearn guards a regression of a library that was written for an old gonum. It is a
// module of its own, since the replacement that the library needs holds for the whole program.
package sklearn
