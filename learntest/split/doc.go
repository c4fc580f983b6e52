// Package split partitions examples into training and test sets.
package split
