package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop"
)

type versionCmd struct{}

// build is what is known of this program.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	// Modified reports that the source differed from the commit.
	Modified bool   `json:"modified,omitempty"`
	Time     string `json:"commit_time,omitempty"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func thisBuild() build {
	b := build{Version: spyhop.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.fill(info.Settings)
	}
	return b
}

// fill takes what the go command recorded of the checkout.
func (b *build) fill(settings []debug.BuildSetting) {
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
}

func (b build) String() string {
	commit := ""
	if b.Commit != "" {
		commit = "commit " + b.Commit[:min(12, len(b.Commit))]
		if b.Modified {
			commit += " modified"
		}
		commit += ", "
	}
	return fmt.Sprintf("spyhop %s (%s%s, %s/%s)", b.Version, commit, b.Go, b.OS, b.Arch)
}

func (versionCmd) run(s *session) error {
	if s.printed(thisBuild()) {
		return nil
	}
	fmt.Fprintln(s.stdout, printable(thisBuild().String()))
	return nil
}

// versionFlag prints the version and ends the command.
type versionFlag bool

// BeforeReset is called by kong when the flag is given.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	fmt.Fprintln(app.Stdout, thisBuild())
	app.Exit(0)
	return nil
}
