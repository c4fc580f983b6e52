// Package manifest has a test that checks the Kubernetes manifest of docs/shards.md
// against the types of Kubernetes' API.
package manifest
