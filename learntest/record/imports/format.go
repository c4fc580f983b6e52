package imports

import "io"

// A Format is a kind of file that can be read.
type Format struct {
	Name string // as in "weka"
	Doc  string // the tool and its file, in a few words

	read    func(c *collector, r io.Reader, s Source) error
	needs   []string // options without which there is no result
	refuses []string // options that say what the file says itself

	sizeless bool // files have no sizes unless columns were added
	raw      bool // runs and folds have the numbers of the file plus one: see renumber

	archive string // what makes text of an archive of this tool
}
