// Package itemwise compares two fixed systems, such as agents, prompts or rankers, that were scored
// on the same items: questions, documents, queries.
//
//	s, err := itemwise.Prepare(itemwise.Data{Differences: d, Clusters: topic, Range: itemwise.Range{Least: -1, Most: 1}})
//	r, err := s.Test(0, stat.TwoSided)         // do they differ?
//	r, err = s.Test(-0.03, stat.Greater)       // is the candidate worse by less than 3 points?
//
// Nothing is trained, and each item is a draw of its own from a population of items. Therefore the
// corrected tests of package stat do not apply. Items of one topic or document may succeed and fail
// together, as a cluster: the standard error is then the clusters', and few clusters, or a large
// one, leave few degrees of freedom.
//
// An ordinary t test passes nearly any margin if few items differ, because their variance is nearly
// zero. Where the differences have a range, [Sample.Test] therefore holds a margin also against the
// constrained t: the variance under the distribution nearest to the data of which the mean is the
// margin, which gives the worst value in the range a probability even if no item had it.
//
// A score may be the mean of several repeats: [Noise] tells how much of the variance comes from
// them, and [Plan] how many items a difference or a margin takes. [RatioAtMost] compares costs.
//
// Rules for input and for equal differences are as in package stat.
package itemwise
