package branch

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/internal/procgroup"
)

// grace is how long an interrupted command may take to end before it is killed.
const grace = 5 * time.Second

// repositoryVariables are those with which git tells its hooks where they are. In
// another worktree they are wrong.
var repositoryVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// A command is one that runs with all the processes that it starts, which are interrupted when its
// context ends.
type command struct {
	*exec.Cmd
	group *procgroup.Group
}

// newCommand returns a command that runs in the directory, with more variables.
func newCommand(ctx context.Context, dir string, settings []string, name string,
	args ...string,
) command {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(repositoryVariables, name)
	})
	cmd.Env = append(cmd.Env, settings...)
	cmd.WaitDelay = grace
	group := procgroup.New(cmd, false)
	cmd.Cancel = group.Interrupt
	return command{cmd, group}
}

// run runs the command, and kills processes that the command has started and left running.
func (c command) run() error {
	if err := c.group.Start(); err != nil {
		return err
	}
	err := c.Wait()
	c.group.End()
	return err
}
