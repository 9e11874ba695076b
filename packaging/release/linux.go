package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
)

// linuxPackages writes a deb and an rpm. Neither has scripts: installing puts files in
// place and starts nothing.
func (r *release) linuxPackages(t target, program string) error {
	work, err := os.MkdirTemp("", "spyhop-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, p := range []struct {
		nfpm.Packager
		name string
	}{{deb.Default, "deb"}, {rpm.DefaultRPM, "rpm"}} {
		info, err := r.packageInfo(t, program, p.name, work)
		if err != nil {
			return err
		}
		nfpm.WithDefaults(info) // 0.1.0-dev becomes 0.1.0~dev, which sorts before 0.1.0
		if err := nfpm.PrepareForPackager(info, p.name); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := p.Package(info, &b); err != nil {
			return err
		}
		if err := r.write(p.ConventionalFileName(info), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// packageInfo describes a package: what stands where follows the policy of the
// distributions.
func (r *release) packageInfo(t target, program, kind, work string) (*nfpm.Info, error) {
	info := &nfpm.Info{
		Name: "spyhop", Arch: t.arch, Platform: "linux", Version: r.version,
		Section: "web", Priority: "optional", Maintainer: "The Spyhop Authors <maintainers@spyhop.dev>",
		Description: "Web access for language-model agents\nSpyhop searches, reads pages as clean Markdown and drives a browser, on the command\nline, as an MCP server and as an HTTP API. It blocks private and internal addresses.",
		Homepage:    homepage, License: "Apache-2.0", MTime: r.time,
		Overridables: nfpm.Overridables{
			// Without root certificates every https page fails. A browser is not needed to read.
			Depends:  []string{"ca-certificates"},
			Suggests: []string{"chromium"},
			RPM:      nfpm.RPM{BuildHost: "spyhop", Group: "Applications/Internet", Summary: "Web access for language-model agents"},
			Deb:      nfpm.Deb{Compression: "gzip"},
		},
	}
	add := func(source, destination string, mode os.FileMode) {
		info.Contents = append(info.Contents, &files.Content{Source: source, Destination: destination,
			FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.time, Owner: "root", Group: "root"}})
	}
	add(program, "/usr/bin/spyhop", 0o755)
	zsh := "/usr/share/zsh/vendor-completions/_spyhop"
	if kind == "rpm" {
		zsh = "/usr/share/zsh/site-functions/_spyhop"
	}
	// dpkg removes a folder with its last file, rpm only the folders of the package.
	info.Contents = append(info.Contents, &files.Content{Destination: "/usr/share/doc/spyhop", Type: files.TypeDir, Packager: "rpm",
		FileInfo: &files.ContentFileInfo{Mode: 0o755, MTime: r.time, Owner: "root", Group: "root"}})
	for _, f := range []struct {
		part, destination string
		packed            bool
	}{
		{manPage, "/usr/share/man/man1/spyhop.1.gz", true},
		{"completions/spyhop.bash", "/usr/share/bash-completion/completions/spyhop", false},
		{"completions/_spyhop", zsh, false},
		{"completions/spyhop.fish", "/usr/share/fish/vendor_completions.d/spyhop.fish", false},
		{"CHANGELOG.md", "/usr/share/doc/spyhop/changelog.gz", true},
		{"NOTICE", "/usr/share/doc/spyhop/NOTICE", false},
		{"README.md", "/usr/share/doc/spyhop/README.md", false},
		{"LICENSE", "/usr/share/doc/spyhop/copyright", false},
		{"skill/SKILL.md", "/usr/share/doc/spyhop/SKILL.md", false},
	} {
		data, err := r.part(f.part)
		if err == nil && f.packed {
			data, err = gzipped(data)
		}
		if err != nil {
			return nil, err
		}
		source := filepath.Join(work, filepath.Base(f.destination))
		if err := os.WriteFile(source, data, 0o644); err != nil {
			return nil, err
		}
		add(source, f.destination, 0o644)
	}
	units, err := filepath.Glob(filepath.Join(r.root, "packaging", "systemd", "spyhop*"))
	if err != nil {
		return nil, err
	}
	for _, unit := range units {
		add(unit, "/usr/lib/systemd/system/"+filepath.Base(unit), 0o644)
	}
	return info, nil
}

const homepage = "https://github.com/spyhop-dev/spyhop"
