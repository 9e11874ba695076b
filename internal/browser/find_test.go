package browser

import "testing"

func TestInstallLine(t *testing.T) {
	for release, want := range map[string]string{
		"ID=debian\n":                          "sudo apt-get install chromium-headless-shell",
		"NAME=x\nID=ubuntu\nID_LIKE=debian\n":  "sudo snap install chromium",
		"ID=mint\nID_LIKE=\"ubuntu debian\"\n": "sudo snap install chromium",
		"ID=fedora\n":                          "sudo dnf install chromium-headless",
		"ID=plan9\n":                           "the package chromium of your system",
	} {
		got := installLine("linux", func(string) ([]byte, error) { return []byte(release), nil })
		if got != want {
			t.Errorf("%q: %q, want %q", release, got, want)
		}
	}
	if got := installLine("darwin", nil); got != "brew install --cask chromium" {
		t.Error(got)
	}
}
