// Package record stores the results of trials and pairs them for comparison.
package record
