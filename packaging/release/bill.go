package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
)

// bill writes the bill of materials of a program (CycloneDX 1.6): the modules that the
// linker has recorded in it, with their checksums of go.sum, and the Go that built it.
// It is read from the program and not from go.mod, which lists more.
func (r *release) bill(t target, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	own := component{
		Type: "application", Ref: "spyhop", Name: "spyhop", Version: r.version,
		PackageURL: "pkg:golang/" + info.Main.Path + "@v" + r.version,
		Hashes:     []checksum{{"SHA-256", hash(data)}},
		Licenses:   []license{{licenseID{"Apache-2.0"}}},
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" || s.Key == "GOOS" || s.Key == "GOARCH" {
			own.Properties = append(own.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	b := bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		// The same program has the same serial number.
		Serial:   "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, data).String(),
		Metadata: metadata{Time: r.time.Format(time.RFC3339), Component: own},
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	b.Components = append(b.Components, component{Type: "library", Ref: "stdlib", Name: "stdlib", Version: goVersion, PackageURL: "pkg:golang/stdlib@" + goVersion})
	for _, m := range info.Deps {
		if m.Replace != nil {
			return fmt.Errorf("%s is replaced: a release is built from published modules", m.Path)
		}
		b.Components = append(b.Components, component{
			Type: "library", Ref: m.Path + "@" + m.Version, Name: m.Path, Version: m.Version,
			PackageURL: "pkg:golang/" + strings.ReplaceAll(url.PathEscape(m.Path), "%2F", "/") + "@" + url.PathEscape(m.Version),
			Properties: []property{{"go:sum", m.Sum}},
		})
	}
	d := dependency{Ref: own.Ref}
	for _, c := range b.Components {
		d.On = append(d.On, c.Ref)
	}
	b.Dependencies = []dependency{d}
	out, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return r.write("spyhop_"+r.version+"_"+t.String()+".cdx.json", append(out, '\n'))
}

// The members of CycloneDX that a bill has.
type bill struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Time      string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []checksum `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	PackageURL string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type checksum struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License licenseID `json:"license"`
}

type licenseID struct {
	ID string `json:"id"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}
