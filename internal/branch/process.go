package branch

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// grace is how long an interrupted command may take to end before it is killed.
const grace = 5 * time.Second

// repositoryVariables are those with which git tells its hooks where they are. In
// another worktree they are wrong.
var repositoryVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// command returns a command that runs in the directory, with more variables, in a
// process group of its own. It is interrupted when the context ends.
func command(ctx context.Context, dir string, settings []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(repositoryVariables, name)
	})
	cmd.Env = append(cmd.Env, settings...)
	cmd.WaitDelay = grace
	cmd.Cancel = func() error { return interruptGroup(cmd) }
	ownGroup(cmd)
	return cmd
}

// run runs the command, and kills processes that the command has started and left running.
func run(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	err := cmd.Wait()
	killGroup(cmd)
	return err
}
