// Package dev is the root of what only developers of learnbench run: benchmarks beside other
// engines, generators of files, and tests that take a browser, a CI engine or the types of
// Kubernetes. It is a module of its own, so that users of learnbench fetch none of it.
package dev
