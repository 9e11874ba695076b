package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// The npm package spyhop has a small script, which starts the program of one of the
// platform packages. npm installs only the platform package that fits the machine. No
// package has an install script, so npm's --ignore-scripts changes nothing.

// npmPackage is a package.json. The order of the members is npm's.
type npmPackage struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	MCPName     string            `json:"mcpName,omitempty"`
	Keywords    []string          `json:"keywords,omitempty"`
	Homepage    string            `json:"homepage"`
	License     string            `json:"license"`
	Repository  map[string]string `json:"repository"`
	Bin         map[string]string `json:"bin,omitempty"`
	Files       []string          `json:"files"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Unplugged   bool              `json:"preferUnplugged,omitempty"`
}

// npmOS and npmCPU are what Node.js calls platforms.
var (
	npmOS  = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	npmCPU = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

func npmName(t target) string { return "@spyhop/" + npmOS[t.os] + "-" + npmCPU[t.arch] }

// serverName is the name of the server in the MCP registry; the registry looks for it
// in the npm package.
const serverName = "io.github.spyhop-dev/spyhop"

func (r *release) npmBase(name, description string) npmPackage {
	return npmPackage{Name: name, Version: r.version, Description: description, Homepage: homepage, License: "Apache-2.0",
		Repository: map[string]string{"type": "git", "url": "git+" + homepage + ".git"}}
}

// npmPlatform writes the folder of a platform's package.
func (r *release) npmPlatform(t target, program string) error {
	p := r.npmBase(npmName(t), "The program of the package spyhop for "+npmOS[t.os]+" "+npmCPU[t.arch]+".")
	p.Files, p.OS, p.CPU, p.Unplugged = []string{"bin"}, []string{npmOS[t.os]}, []string{npmCPU[t.arch]}, true
	dir := "npm/" + npmOS[t.os] + "-" + npmCPU[t.arch]
	if err := r.npmFolder(dir, p); err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	name := dir + "/bin/" + t.program()
	if err := r.write(name, data); err != nil {
		return err
	}
	return os.Chmod(filepath.Join(r.out, filepath.FromSlash(name)), 0o755)
}

// npmMain writes the folder of the package spyhop. It names all platforms, also when
// only some were built.
func (r *release) npmMain() error {
	p := r.npmBase("spyhop", "Web access for language-model agents: search, read and browse. Private and internal addresses are blocked.")
	p.MCPName = serverName
	p.Keywords = []string{"mcp", "mcp-server", "agents", "browser", "search", "markdown", "fetch"}
	p.Bin, p.Files, p.Engines = map[string]string{"spyhop": "bin/spyhop.js"}, []string{"bin", "skill"}, map[string]string{"node": ">=18"}
	p.Optional = map[string]string{}
	for _, t := range targets {
		p.Optional[npmName(t)] = r.version
	}
	if err := r.npmFolder("npm/spyhop", p); err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(r.root, "packaging", "npm", "spyhop.js"))
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(r.root, "packaging", "npm", "README.md"))
	if err != nil {
		return err
	}
	skill, err := r.part("skill/SKILL.md")
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"bin/spyhop.js": script, "README.md": readme, "skill/SKILL.md": skill} {
		if err := r.write("npm/spyhop/"+name, data); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(r.out, "npm", "spyhop", "bin", "spyhop.js"), 0o755)
}

// npmFolder writes what every package has.
func (r *release) npmFolder(dir string, p npmPackage) error {
	for _, name := range []string{"LICENSE", "NOTICE"} {
		data, err := r.part(name)
		if err != nil {
			return err
		}
		if err := r.write(dir+"/"+name, data); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return r.write(dir+"/package.json", append(data, '\n'))
}
