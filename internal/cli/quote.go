package cli

import "strings"

// special are the characters with a meaning to shells.
const special = " \t\n'\"\\$`&|;<>()*?[]{}#~!"

// Quote returns arguments as typed in a shell.
func Quote(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if a == "" || strings.ContainsAny(a, special) {
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// Words returns the arguments that [Quote] has made a line of, and whether it can have made it.
func Words(line string) ([]string, bool) {
	var args []string
	for rest, more := line, line != ""; more; {
		var word strings.Builder
		for rest != "" && rest[0] != ' ' {
			switch {
			case rest[0] == '\'':
				text, after, ok := strings.Cut(rest[1:], "'")
				if !ok {
					return nil, false
				}
				word.WriteString(text)
				rest = after
			case strings.HasPrefix(rest, `\'`):
				word.WriteByte('\'')
				rest = rest[2:]
			case strings.ContainsAny(rest[:1], special):
				return nil, false
			default:
				word.WriteByte(rest[0])
				rest = rest[1:]
			}
		}
		args = append(args, word.String())
		_, rest, more = strings.Cut(rest, " ")
	}
	return args, true
}
