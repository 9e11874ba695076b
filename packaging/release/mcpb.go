package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// bundle is a written MCP bundle, as server.json names it.
type bundle struct{ name, sha256 string }

// mcpBundle writes an MCP bundle: a zip file with the program and a manifest, which
// desktop clients install by a double click.
func (r *release) mcpBundle(t target, program string) (bundle, error) {
	template, err := os.ReadFile(filepath.Join(r.root, "packaging", "mcpb", "manifest.json"))
	if err != nil {
		return bundle{}, err
	}
	var manifest map[string]any
	if err := json.Unmarshal(template, &manifest); err != nil {
		return bundle{}, fmt.Errorf("packaging/mcpb/manifest.json: %w", err)
	}
	server, ok := manifest["server"].(map[string]any)
	if !ok {
		return bundle{}, fmt.Errorf("packaging/mcpb/manifest.json has no server")
	}
	config, ok := server["mcp_config"].(map[string]any)
	if !ok {
		return bundle{}, fmt.Errorf("packaging/mcpb/manifest.json has no server.mcp_config")
	}
	entry := "server/" + t.program()
	manifest["version"] = r.version
	server["entry_point"], config["command"] = entry, "${__dirname}/"+entry
	manifest["compatibility"] = map[string]any{"platforms": []string{npmOS[t.os]}}
	written, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return bundle{}, err
	}
	icon, err := os.ReadFile(filepath.Join(r.root, "packaging", "icon.png"))
	if err != nil {
		return bundle{}, err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return bundle{}, err
	}
	files := []file{{"manifest.json", 0o644, append(written, '\n')}, {"icon.png", 0o644, icon}, {entry, 0o755, data}}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		text, err := r.part(name)
		if err != nil {
			return bundle{}, err
		}
		files = append(files, file{name, 0o644, text})
	}
	packed, err := zipped(files, r.time)
	if err != nil {
		return bundle{}, err
	}
	b := bundle{"spyhop_" + r.version + "_" + t.String() + ".mcpb", hash(packed)}
	return b, r.write(b.name, packed)
}

// serverJSON writes the entry for the MCP registry: the npm package, and the bundles
// with their checksums.
func (r *release) serverJSON(bundles []bundle) error {
	template, err := os.ReadFile(filepath.Join(r.root, "packaging", "server.json"))
	if err != nil {
		return err
	}
	var server map[string]any
	if err := json.Unmarshal(template, &server); err != nil {
		return fmt.Errorf("packaging/server.json: %w", err)
	}
	packages, ok := server["packages"].([]any)
	if !ok {
		return fmt.Errorf("packaging/server.json has no packages")
	}
	server["name"], server["version"] = serverName, r.version
	for _, p := range packages {
		if p, ok := p.(map[string]any); ok {
			p["version"] = r.version
		}
	}
	for _, b := range bundles {
		packages = append(packages, map[string]any{
			"registryType": "mcpb", "identifier": homepage + "/releases/download/v" + r.version + "/" + b.name, "version": r.version,
			"fileSha256": b.sha256, "transport": map[string]string{"type": "stdio"},
		})
	}
	server["packages"] = packages
	data, err := json.MarshalIndent(server, "", "  ")
	if err != nil {
		return err
	}
	return r.write("server.json", append(data, '\n'))
}
