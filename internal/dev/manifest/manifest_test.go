package manifest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// manifest returns the only one of docs/shards.md.
func manifest(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "shards.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```\n").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, 1)
	return blocks[0][1]
}

// read reads a manifest as the server of the API does with strict validation: names of
// fields count with their case, and none may be unknown or double.
func read(text string) (job batchv1.Job, problems []error) {
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return job, []error{err}
	}
	problems, err = json.UnmarshalStrict(data, &job)
	if err != nil {
		problems = append(problems, err)
	}
	return job, problems
}

func TestJobIsOneOfShards(t *testing.T) {
	t.Parallel()
	j, problems := read(manifest(t))
	require.Empty(t, problems)
	assert.Equal(t, batchv1.SchemeGroupVersion.String(), j.APIVersion)
	assert.Equal(t, "Job", j.Kind)
	assert.NotEmpty(t, j.Name)
	require.NotNil(t, j.Spec.CompletionMode)
	assert.Equal(t, batchv1.IndexedCompletion, *j.Spec.CompletionMode)
	pod := j.Spec.Template.Spec
	assert.Equal(t, corev1.RestartPolicyNever, pod.RestartPolicy, "a limit for each index needs it")
	require.Len(t, pod.Containers, 1)
	c := pod.Containers[0]
	env := make(map[string]string)
	for _, e := range c.Env {
		env[e.Name] = e.Value
	}
	require.NotNil(t, j.Spec.Completions)
	assert.Equal(t, "auto/"+strconv.Itoa(int(*j.Spec.Completions)), env["LEARNTEST_SHARD"])
	// The index is added behind the other variables, so that $(...) of Kubernetes
	// cannot refer to it: the shell must.
	require.Len(t, c.Command, 3)
	assert.Contains(t, c.Command[2], "/$JOB_COMPLETION_INDEX.txt",
		"each shard needs a file of its own")
	for _, m := range c.VolumeMounts {
		found := false
		for _, v := range pod.Volumes {
			found = found || v.Name == m.Name
		}
		assert.True(t, found, "volume %s", m.Name)
		assert.Contains(t, c.Command[2], m.MountPath+"/")
	}
	for name, limit := range c.Resources.Limits {
		request := c.Resources.Requests[name]
		assert.LessOrEqual(t, request.Cmp(limit), 0, "%s", name)
	}
}

func TestStrictReadingSeesMistakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to string }{
		{"completionMode:", "completionsMode:"},
		{"completions: 8", "completions: eight"},
		{"mountPath:", "path:"},
		{"backoffLimitPerIndex", "backOffLimitPerIndex"},
		{`LEARNTEST_RESUME, value: "1"`, "LEARNTEST_RESUME, value: 1"},
		{"cpu: \"4\"", "cpu: four cores"},
		{"  parallelism: 8\n", "  parallelism: 8\n  parallelism: 8\n"},
	} {
		text := manifest(t)
		require.Contains(t, text, c.from)
		_, problems := read(strings.Replace(text, c.from, c.to, 1))
		assert.NotEmpty(t, problems, c.to)
	}
}
