package browser

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// names are the programs of the builds, the preferred one first. headless-shell
// starts in half the time of Chromium and takes a quarter of its memory for a
// context, measured on Debian 12 with Chromium 156.
var names = [...]string{
	"chromium-headless-shell", "headless-shell", "headless_shell", "chrome-headless-shell",
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "microsoft-edge-stable", "msedge",
}

// installed are the places of builds that are not on the path.
func installed() []string {
	if runtime.GOOS != "darwin" {
		return nil
	}
	return []string{
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	}
}

// Find returns the path of the browser to start: the given one, else the first
// that is installed. headed leaves out builds that cannot show a window. The
// error is BrowserMissing, with the line that installs one here.
func Find(given string, headed bool) (string, error) {
	if runtime.GOOS == "windows" { // which has no pipes for the protocol
		return "", tool.NewError(tool.BrowserMissing, "no browser can be started on Windows", "all tools but those of the browser work without")
	}
	if given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			e := missing("there is no browser at " + given)
			e.Hint = "set WEB_BROWSER to the path of a Chromium, or leave it empty to have one found"
			return "", e
		}
		return path, nil
	}
	for _, n := range names {
		if headed && strings.Contains(n, "headless") {
			continue
		}
		if path, err := exec.LookPath(n); err == nil {
			return path, nil
		}
	}
	for _, p := range installed() {
		if info, err := os.Stat(p); err == nil && !info.IsDir() {
			return p, nil
		}
	}
	return "", missing("no browser is installed on this machine")
}

// unwrapped returns the program that a script starts, if the script does nothing
// else (Debian's for its headless shell); else the path itself. This saves a process,
// and the kernel's signal at the death of this process reaches the browser itself.
func unwrapped(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return path
	}
	defer f.Close()
	text := make([]byte, 512)
	n, err := io.ReadFull(f, text)
	if err != io.ErrUnexpectedEOF || !strings.HasPrefix(string(text), "#!/bin/sh") {
		return path
	}
	var command string
	for line := range strings.Lines(string(text[:n])) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		program, ok := strings.CutSuffix(strings.TrimPrefix(line, "exec "), ` "$@"`)
		if !ok || command != "" || !filepath.IsAbs(program) || strings.ContainsAny(program, " \t\"'\\$`;&|<>*?[~") {
			return path
		}
		command = program
	}
	if command == "" {
		return path
	}
	return command
}

func missing(what string) *tool.Error {
	return tool.NewError(tool.BrowserMissing, what, "install one: "+installLine(runtime.GOOS, os.ReadFile)+
		"; or name one with WEB_BROWSER. All tools but those of the browser work without")
}

// installLine is the command that installs a browser on this system.
func installLine(goos string, read func(string) ([]byte, error)) string {
	switch goos {
	case "darwin":
		return "brew install --cask chromium"
	case "linux":
	default:
		return "pkg install chromium"
	}
	release, _ := read("/etc/os-release")
	ids := " "
	for line := range strings.Lines(string(release)) {
		if v, ok := strings.CutPrefix(line, "ID="); ok {
			ids += strings.Trim(strings.TrimSpace(v), `"`) + " "
		}
		if v, ok := strings.CutPrefix(line, "ID_LIKE="); ok {
			ids += strings.Trim(strings.TrimSpace(v), `"`) + " "
		}
	}
	for _, row := range [...]struct{ id, line string }{
		{" ubuntu ", "sudo snap install chromium"}, // its deb is a stub
		{" debian ", "sudo apt-get install chromium-headless-shell"},
		{" fedora ", "sudo dnf install chromium-headless"},
		{" rhel ", "sudo dnf install chromium-headless"},
		{" alpine ", "apk add chromium"},
		{" arch ", "sudo pacman -S chromium"},
		{" suse ", "sudo zypper install chromium"},
		{" opensuse ", "sudo zypper install chromium"},
	} {
		if strings.Contains(ids, row.id) {
			return row.line
		}
	}
	return "the package chromium of your system"
}
