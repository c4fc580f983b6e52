package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostClasses is how many classes a header lists.
const mostClasses = 20

// A Target is the predicted column of the data, which has a class or a number in each example.
type Target struct {
	Name     string   // of the column
	Examples int      // how many there are
	Classes  int      // how many occur; 0 if it is a number
	Values   []string // the classes that occur, in their order; none if there are more than 20
	Counts   []int    // how many examples have each
}

// SetTarget sets Header.Target: the name, the numbers of examples and classes, and a list of
// CLASS=COUNT, with names escaped as in the names of trials. It leaves out classes that do not
// occur, and lists of more than 20.
func (h *Header) SetTarget(t Target) {
	n, list := 0, ""
	if len(t.Values) == 0 {
		n = t.Classes
	}
	for i, value := range t.Values {
		if t.Counts[i] > 0 {
			n++
			list = addOf(list, value, strconv.Itoa(t.Counts[i]))
		}
	}
	if n > mostClasses {
		list = ""
	}
	h.Target = strings.TrimSpace(fmt.Sprintf("%s %d %d %s", EscapeName(t.Name), t.Examples, n, list))
}

// TargetOf returns the predicted column, and whether the header names it.
func (h *Header) TargetOf() (Target, bool) {
	if h.Target == "" {
		return Target{}, false
	}
	t, err := parseTarget(h.Target)
	return t, err == nil
}

// String returns the target in words, such as "class churn (no 167, yes 145)", with the number of
// classes instead where there are more than five, or their names are long.
func (t Target) String() string {
	const most, longest = 5, 100
	if t.Classes == 0 {
		return "target " + t.Name
	}
	each := make([]string, len(t.Values))
	for i, value := range t.Values {
		each[i] = fmt.Sprintf("%s %d", value, t.Counts[i])
	}
	list := strings.Join(each, ", ")
	if len(each) == 0 || len(each) > most || len(list) > longest {
		list = fmt.Sprintf("%d values", t.Classes)
	}
	return fmt.Sprintf("class %s (%s)", t.Name, list)
}

func parseTarget(text string) (Target, error) {
	var t Target
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return t, fmt.Errorf("%q is not a name and the numbers of examples and classes",
			excerpt([]byte(text)))
	}
	var err error
	if t.Name, err = unescapeName(fields[0]); err != nil {
		return t, err
	}
	for i, n := range []*int{&t.Examples, &t.Classes} {
		if *n, err = strconv.Atoi(fields[1+i]); err != nil || *n < 0 {
			return t, fmt.Errorf("%q is not a number of examples or classes", excerpt([]byte(fields[1+i])))
		}
	}
	for _, f := range fields[3:] {
		escaped, count, ok := strings.Cut(f, "=")
		value, err := unescapeName(escaped)
		n, bad := strconv.Atoi(count)
		if !ok || err != nil || bad != nil || n < 1 || slices.Contains(t.Values, value) {
			return t, fmt.Errorf("%q is not a class and its number of examples", excerpt([]byte(f)))
		}
		t.Values, t.Counts = append(t.Values, value), append(t.Counts, n)
	}
	if len(t.Values) > 0 && len(t.Values) != t.Classes {
		return t, fmt.Errorf("%d classes, of %d that there are", len(t.Values), t.Classes)
	}
	return t, nil
}

func checkTarget(text string) error {
	_, err := parseTarget(text)
	return err
}
