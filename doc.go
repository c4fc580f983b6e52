// Package learnbench finds out whether a change to a learning algorithm helped.
package learnbench
