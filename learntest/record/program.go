package record

import "strings"

// UnknownProgram is the Header.Binary of a program in another language that names no file.
const UnknownProgram = "unknown"

// sameProgram reports whether two headers prove that one program with equal parameters has given
// the results of a learner: the digests of the program and of the files that learners declare
// agree, and so do the test and the command, which has the arguments of learnbench run. One commit
// of both proves less: build tags and replaced modules change the program that is built of it.
func sameProgram(a, b *Header) bool {
	known := a.Binary != "" && a.Binary != UnknownProgram && !strings.Contains(a.Binary, several)
	return known && a.Binary == b.Binary && a.Reproduce != "" && a.Reproduce == b.Reproduce &&
		a.Identity() == b.Identity()
}
