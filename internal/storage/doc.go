// Package storage keeps the results of runs in files, while they run and afterwards. It knows
// of a result file what package record says of its text, and of the trials nothing else.
//
//  1. A [Journal] takes trials while they finish, in a file beside the result file, so that a
//     process that dies leaves them; [ReadJournal] reads these [Remains].
//  2. [Partials] lists journals: of runs that have not ended, and of interrupted runs.
//     [Unfinished] makes errors of them for readers of the results.
//  3. A [Store] adds complete results to a file that others write to as well, or to a
//     directory with a file for each experiment. It removes the journals of interrupted runs
//     that were run again to their end.
package storage
