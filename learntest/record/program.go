package record

import "strings"

// UnknownProgram is the Header.Binary of a program in another language that names no file.
const UnknownProgram = "unknown"

// ofSameProgram reports whether two headers prove that results of a learner are of one program with
// the same parameters: the digests of the program and of the files that learners declare agree, and so do the test and
// the command, which has the arguments of learnbench run. That both are of one commit proves less:
// build tags and replaced modules change the program that is built of it.
func (h *Header) ofSameProgram(o *Header) bool {
	known := h.Binary != "" && h.Binary != UnknownProgram && !strings.Contains(h.Binary, several)
	return known && h.Binary == o.Binary && h.Reproduce != "" && h.Reproduce == o.Reproduce && h.Identity() == o.Identity()
}
