package gotest

import "strings"

// CIVariables are set by continuous integration: most services set CI; Azure Pipelines, Jenkins,
// TeamCity and AWS CodeBuild set a variable of their own.
var CIVariables = []string{
	"CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION",
	"CODEBUILD_BUILD_ID",
}

// CIVariable returns the name of the variable that shows continuous integration; empty if none
// does. Some of them change with each build: go test would cache no test that looks them up, so
// only an update does.
func CIVariable(lookup func(name string) (string, bool)) string {
	for _, name := range CIVariables {
		if value, _ := lookup(name); value != "" && !strings.EqualFold(value, "false") && value != "0" {
			return name
		}
	}
	return ""
}
