// Package learntest runs learners on random partitions of data sets.
package learntest
