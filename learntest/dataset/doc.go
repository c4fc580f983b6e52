// Package dataset reads and holds tables of examples: the data that learners are trained and
// tested on.
//
// [Open] reads Weka's attribute-relation files and comma-separated values, compressed or not;
// [New] makes a table of columns from elsewhere; [WriteARFF] writes a table for other
// programs. Package uci contains some well-known tables. An [Encoding] turns rows into numbers
// for learners that need them.
//
// A [Table] is columnar. An attribute is numeric or nominal; a nominal one declares its
// values, in an order that is part of the data. Any value may be missing, one attribute may be
// marked for prediction (the class, or a numeric target), and rows may have weights and belong
// to groups. A table cannot be changed, so goroutines can share it, and a subset is a slice of
// row indices.
//
// The package does not guess. An undeclared value, a short row and a number that is not finite
// are errors with file and line, and a missing value stays missing. [Limits], which you can
// raise, keep a small file from using up the memory.
//
// # Digest
//
// [Table.Digest] identifies the data of a result. It is the SHA-256 of these bytes, in which
// an integer has 64 bits and a string is its length in bytes, an integer, followed by its
// UTF-8 bytes; all numbers are little-endian and integers are signed:
//
//	"learnbench table 1\n"                19 bytes
//	rows, attributes, index of the class  3 integers; -1 if there is no class or target
//	for each attribute:
//	  name                                string
//	  kind                                1 byte: 0 numeric, 1 nominal
//	  if numeric, for each row:
//	    value                             IEEE 754 binary64
//	  if nominal:
//	    number of declared values         integer
//	    declared values                   strings
//	    for each row, index of the value  32-bit integer; -1 if it is missing
//	weighted                              1 byte: 0 if all rows weigh 1, else 1
//	if weighted, for each row: weight     IEEE 754 binary64
//	if there are groups:
//	  name of the groups                  string
//	  for each row, its group             string
//
// A missing number is the NaN 0x7ff8000000000000, and -0 is encoded as 0. The
// name of the table, the name and format of its file, and how a number was
// written do not count.
//
// For example, this table, whose class is its last attribute,
//
//	@relation example
//	@attribute size numeric
//	@attribute colour {red,grün}
//	@attribute class {no,yes}
//	@data
//	1.5,red,no
//	?,?,yes,{2}
//	-0,grün,yes,{0.5}
//
// has the digest
//
//	05bac645a72625d434e987de01484f9516ffb310f364f3837b8a61360076317b
package dataset
