// Package recipes has tests that run the recipes of docs/ci.md and docs/shards.md as the
// engines do that they are for.
package recipes
