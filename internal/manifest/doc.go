// Package manifest has a test that checks the Kubernetes manifest of docs/shards.md
// against the types of Kubernetes' API. It is a module of its own, so that nobody else
// needs these.
package manifest
