// Command release builds everything that a release of Spyhop consists of, into one
// folder, from one commit:
//
//	cd packaging && go run ./release --out ../dist
//
// It writes archives for Linux, macOS and Windows, deb and rpm packages, folders for
// npm pack, MCP bundles, server.json, a bill of materials for each program, and
// SHA256SUMS of all files. It publishes nothing.
//
// Two runs on the same commit with the same Go write the same bytes: all times are
// the commit's, all lists are sorted, and nothing of the machine is recorded. `make
// reproducible` compares two runs in two folders.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// release is what is built, and from what.
type release struct {
	ctx     context.Context
	root    string // of the source
	out     string
	version string // without v
	time    time.Time
	targets []target
	shared  []file // files that stand beside each program
}

// target is a platform, in Go's words.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "_" + t.arch }

// program is the name of the program on a platform.
func (t target) program() string {
	if t.os == "windows" {
		return "spyhop.exe"
	}
	return "spyhop"
}

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	out := flags.String("out", "../dist", "`folder` to write; it is emptied first")
	root := flags.String("source", "..", "`folder` of the source")
	tag := flags.String("tag", "", "the `tag` that is released; it must be v and the version in spyhop.go")
	only := flags.String("only", "", "platforms, separated by commas, for example linux_amd64")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r := &release{ctx: ctx, targets: targets}
	var err error
	if r.root, err = filepath.Abs(*root); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(*out); err != nil {
		return err
	}
	if *only != "" {
		r.targets = nil
		for name := range strings.SplitSeq(*only, ",") {
			i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
			if i < 0 {
				return fmt.Errorf("platform %q is unknown; the platforms are %v", name, targets)
			}
			r.targets = append(r.targets, targets[i])
		}
	}
	if r.version, err = sourceVersion(r.root); err != nil {
		return err
	}
	if *tag != "" && *tag != "v"+r.version {
		return fmt.Errorf("the tag is %s, and spyhop.go has version %s; they must be equal", *tag, r.version)
	}
	if r.time, err = r.sourceTime(); err != nil {
		return err
	}
	return r.all()
}

// all builds each kind of file in turn.
func (r *release) all() error {
	if err := emptied(r.out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "spyhop-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := r.sharedFiles(work); err != nil {
		return err
	}
	var bundles []bundle
	for _, t := range r.targets {
		program, err := r.build(t, filepath.Join(work, t.String()))
		if err != nil {
			return err
		}
		steps := []func(target, string) error{r.archive, r.bill, r.npmPlatform}
		if t.os == "linux" {
			steps = append(steps, r.linuxPackages)
		}
		for _, step := range steps {
			if err := step(t, program); err != nil {
				return fmt.Errorf("%s: %w", t, err)
			}
		}
		b, err := r.mcpBundle(t, program)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		bundles = append(bundles, b)
		fmt.Println("built", t)
	}
	return errors.Join(r.npmMain(), r.serverJSON(bundles), r.checksums())
}

// emptied makes dir an empty folder. It removes only a folder that an earlier run has
// written, or an empty one.
func emptied(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, sumsName)); err != nil {
			return fmt.Errorf("%s is not empty and has no %s: name another folder with --out, or remove it", dir, sumsName)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// An interrupted run leaves a folder that the next one may remove.
	return os.WriteFile(filepath.Join(dir, sumsName), nil, 0o644)
}

// sourceVersion reads the constant of the library: go install and a release must
// have the same version.
func sourceVersion(root string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, "spyhop.go"))
	if err != nil {
		return "", err
	}
	m := regexp.MustCompile(`(?m)^const Version = "([0-9A-Za-z.+-]+)"$`).FindSubmatch(source)
	if m == nil {
		return "", errors.New(`spyhop.go has no line const Version = "…"`)
	}
	return string(m[1]), nil
}

// sourceTime is SOURCE_DATE_EPOCH, else the time of the commit.
func (r *release) sourceTime() (time.Time, error) {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		out, err := r.command("git", "log", "-1", "--format=%ct")
		if err != nil {
			return time.Time{}, fmt.Errorf("%w; set SOURCE_DATE_EPOCH if the source is not a git checkout", err)
		}
		seconds = strings.TrimSpace(string(out))
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(n, 0).UTC(), nil
}

// command runs a program in the source folder and returns its stdout.
func (r *release) command(name string, args ...string) ([]byte, error) {
	return r.commandWith(nil, name, args...)
}

func (r *release) commandWith(env []string, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(r.ctx, name, args...)
	c.Dir, c.Env = r.root, append(os.Environ(), env...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, cmp.Or(strings.Join(args[:min(2, len(args))], " ")), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
