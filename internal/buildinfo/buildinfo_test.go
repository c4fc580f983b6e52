package buildinfo

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionOfABuild(t *testing.T) {
	t.Parallel()
	own := func(version string) *debug.Module { return &debug.Module{Path: path, Version: version} }
	replaced := own("v0.1.0")
	replaced.Replace = own("v0.2.0")
	directory := own("v0.0.0")
	directory.Replace = &debug.Module{Path: "../learnbench"}
	other := &debug.Module{Path: "example.com/other", Version: "v9.0.0"}
	for _, c := range []struct {
		name string
		main *debug.Module
		deps []*debug.Module
		want string
	}{
		{"a command that was installed", own("v0.1.0"), []*debug.Module{other}, "v0.1.0"},
		{"a command of a checkout", own("(devel)"), nil, ""},
		{"a test of a user's module", other, []*debug.Module{other, own("v0.1.0")}, "v0.1.0"},
		{"another version in its place", other, []*debug.Module{replaced}, "v0.2.0"},
		{"a directory in its place", other, []*debug.Module{directory}, ""},
		{"a program without it", other, []*debug.Module{other}, ""},
	} {
		require.Equal(t, c.want, of(&debug.BuildInfo{Main: *c.main, Deps: c.deps}), c.name)
	}
}

func TestToolchain(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^`+runtime.Version()+` `+runtime.GOOS+`/`+runtime.GOARCH+`( learnbench v\S+)?$`,
		Toolchain())
	require.Regexp(t, `^learnstat (\(devel\)|v\S+) `+runtime.Version()+` `+runtime.GOOS+`/`+runtime.GOARCH+"\n$", Line("learnstat"))
}
