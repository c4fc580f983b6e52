// Package plot draws what comparisons of learners have found.
//
// Each kind of picture is a struct of the plain numbers that it shows, in the units of the picture,
// with a method that makes a [Picture] of it:
//
//	[Comparison]   one comparison: its folds, its runs, and what each run alone would have said
//	[Forest]       differences with their intervals, a row each
//	[Scatter]      scores of the candidate against scores of the baseline
//	[Ranks]        mean ranks of several columns, and which of them do not differ
//	[Simplex]      posterior probabilities of worse, practically equal and better
//	[History]      a metric over commits against a pinned reference
//	[Curves]       rates over a number of runs, as studies find them
//	[Panels]       a row for each test, a panel for each rate
//	[Calibration]  predicted probabilities against what happened
//
// The pictures draw lines, polygons, circles and texts on a canvas, of which there are two: SVG,
// with texts in whichever font the reader has, titles for abbreviated texts and the colours that a
// dark page needs, and a raster for PNG. Texts are measured in Liberation Sans, which the raster
// draws with golang.org/x/image.
//
// Colours are the palette of Okabe and Ito, which colour-blind people tell apart, and each goes
// together with a shape or a pattern, so that nothing is lost in greyscale.
package plot
