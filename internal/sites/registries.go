package sites

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Package registries: facts about a package, and its readme. pkg.go.dev and
// rubygems.org have no variant, because their pages say as much as their APIs.

// parcel is a package in a registry.
type parcel struct {
	site, name, version, summary, licence, author, published string
	facts                                                    []string
	links                                                    [][2]string // name and address
	needs                                                    []string    // dependencies
	readme, format                                           string
}

// parcel appends a package.
func (b *builder) parcel(p parcel) {
	b.Type, b.Meta.SiteName, b.Meta.Byline = page.Documentation, p.site, clean(p.author)
	b.Meta.Excerpt, b.Meta.Licence, b.Meta.Published = clean(p.summary), clean(p.licence), moment(p.published)
	b.title(p.name + " " + p.version)
	b.facts(p.summary)
	b.facts(append([]string{fact("published", day(p.published)), fact("licence", p.licence), fact("by", p.author)}, p.facts...)...)
	for _, l := range p.links {
		if l[1] != "" {
			b.link(l[0]+":", l[1], l[1])
		}
	}
	if len(p.needs) > 0 {
		b.facts(fact("needs", strings.Join(p.needs, ", ")))
	}
	b.add(b.body(p.readme, p.format, 1)...)
}

// npm uses the manifest of a version, and the document of the package, which is
// the only place of the readme (github.com/npm/registry, docs/REGISTRY-API.md).
// The document of a package with many versions can exceed the size limit; then
// the readme is left out.
func npm(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || s[0] != "package" {
		return nil
	}
	name, rest := s[1], s[2:]
	if strings.HasPrefix(name, "@") && len(rest) > 0 {
		name, rest = name+"%2F"+rest[0], rest[1:]
	}
	version := "latest"
	if len(rest) == 2 && rest[0] == "v" {
		version = rest[1]
	} else if len(rest) > 0 {
		return nil
	}
	document := "https://registry.npmjs.org/" + name
	return variant("npm registry", ask{address: document + "/" + version}, func(b *builder, have []Response) error {
		var m value
		if err := decode(have[0], &m.v); err != nil || m.text("name") == "" || m.text("version") == "" {
			return errShape
		}
		p := parcel{
			site: "npm", name: m.text("name"), version: m.text("version"), summary: m.text("description"),
			licence: first(m.text("license"), m.text("license.type")),
			author:  first(m.text("author"), m.text("author.name")),
			links: [][2]string{{"Homepage", m.text("homepage")}, {"Repository", strings.TrimSuffix(strings.TrimPrefix(
				first(m.text("repository"), m.text("repository.url")), "git+"), ".git")}},
			facts: []string{fact("deprecated", m.text("deprecated"))},
			needs: ranges(m.at("dependencies")), readme: m.text("readme"), format: "text/markdown",
		}
		complete := false
		if len(have) > 1 {
			var d struct {
				Readme string
				Time   map[string]any
			}
			if complete = decode(have[1], &d) == nil; complete {
				p.readme = first(p.readme, d.Readme)
				p.published, _ = d.Time[p.version].(string)
			}
		}
		b.parcel(p)
		if !complete {
			b.cut()
			b.facts("The readme is left out: the registry's document of the package could not be read.")
		}
		return nil
	}).then(func(have []Response) ask {
		if len(have) > 1 {
			return ask{}
		}
		return ask{address: document}
	})
}

// ranges lists the dependencies in a manifest, sorted.
func ranges(v value) []string {
	m, _ := v.v.(map[string]any)
	var out []string
	for name, r := range m {
		s, _ := r.(string)
		out = append(out, strings.TrimSpace(clean(name)+" "+clean(s)))
	}
	slices.Sort(out)
	return out
}

// pypi uses the JSON of a project or of one of its versions
// (docs.pypi.org/api/json). Descriptions in reStructuredText are not converted.
func pypi(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || len(s) > 3 || s[0] != "project" {
		return nil
	}
	return variant("PyPI JSON API", ask{address: "https://pypi.org/pypi/" + strings.Join(s[1:], "/") + "/json"}, func(b *builder, have []Response) error {
		var v struct {
			Info *struct {
				Name, Version, Summary, Description, License, Author string
				Expression                                           *string           `json:"license_expression"`
				Format                                               *string           `json:"description_content_type"`
				Python                                               *string           `json:"requires_python"`
				Needs                                                []string          `json:"requires_dist"`
				URLs                                                 map[string]string `json:"project_urls"`
				Yanked                                               bool
			}
			URLs []struct {
				Uploaded string `json:"upload_time_iso_8601"`
			}
		}
		if err := decode(have[0], &v); err != nil || v.Info == nil || v.Info.Name == "" {
			return errShape
		}
		i := v.Info
		licence := first(deref(i.Expression), i.License)
		if line, _, more := strings.Cut(licence, "\n"); more {
			licence = line // some projects put the whole text there
		}
		p := parcel{site: "PyPI", name: i.Name, version: i.Version, summary: i.Summary, licence: licence, author: i.Author,
			facts: []string{fact("Python", deref(i.Python))}, needs: i.Needs, readme: i.Description, format: "text/x-rst"}
		if i.Yanked {
			p.facts = append(p.facts, "yanked")
		}
		switch format := deref(i.Format); {
		case strings.HasPrefix(format, "text/markdown"):
			p.format = "text/markdown"
		case strings.HasPrefix(format, "text/plain"):
			p.format = "text/plain"
		}
		if len(v.URLs) > 0 {
			p.published = v.URLs[0].Uploaded
		}
		for _, name := range slices.Sorted(maps.Keys(i.URLs)) {
			p.links = append(p.links, [2]string{name, i.URLs[name]})
		}
		b.parcel(p)
		return nil
	})
}

// crates uses the record of a crate (crates.io/data-access), and its readme, which
// is stored as HTML.
func crates(u weburl.URL) *Variant {
	s := segments(u)
	if len(s) < 2 || len(s) > 3 || s[0] != "crates" {
		return nil
	}
	shown := "" // the version in the address
	if len(s) == 3 {
		shown = s[2]
	}
	return variant("crates.io API", ask{"https://crates.io/api/v1/crates/" + s[1], "application/json"}, func(b *builder, have []Response) error {
		return b.crate(shown, have)
	}).then(func(have []Response) ask {
		var r crateRecord
		if shown == "" && decode(have[0], &r) != nil {
			return ask{}
		}
		v := r.version(shown)
		if v == "" || strings.ContainsAny(v, "/?#") || len(have) > 1 {
			return ask{}
		}
		return ask{"https://static.crates.io/readmes/" + s[1] + "/" + s[1] + "-" + v + ".html", "text/html"}
	})
}

// crate appends a crate. shown is the version in the address, or "".
func (b *builder) crate(shown string, have []Response) error {
	var v crateRecord
	if err := decode(have[0], &v); err != nil || v.Crate.Name == "" {
		return errShape
	}
	p := parcel{site: "crates.io", name: v.Crate.Name, version: v.version(shown), summary: v.Crate.Description, format: "text/html",
		facts: []string{count(v.Crate.Downloads, "download"), fact("keywords", strings.Join(v.Crate.Keywords, ", "))},
		links: [][2]string{{"Homepage", v.Crate.Homepage}, {"Documentation", v.Crate.Documentation}, {"Repository", v.Crate.Repository}}}
	for _, x := range v.Versions {
		if x.Num == p.version {
			p.published, p.licence = x.Created, x.License
			if x.Rust != "" {
				p.facts = append(p.facts, fact("Rust", x.Rust))
			}
			if x.Yanked {
				p.facts = append(p.facts, "yanked")
			}
		}
	}
	if len(have) > 1 {
		p.readme = string(have[1].Body)
	}
	b.parcel(p)
	return nil
}

type crateRecord struct {
	Crate struct {
		Name, Description, Homepage, Documentation, Repository string
		Downloads                                              int
		Keywords                                               []string
		Stable                                                 string `json:"max_stable_version"`
		Newest                                                 string `json:"newest_version"`
	}
	Versions []struct {
		Num, License string
		Created      string `json:"created_at"`
		Rust         string `json:"rust_version"`
		Yanked       bool
	}
}

// version returns the version to show: that in the address, else the newest one.
func (r *crateRecord) version(shown string) string {
	return first(shown, r.Crate.Stable, r.Crate.Newest)
}

// dockerHub uses the record of an image repository
// (docs.docker.com/reference/api/hub).
func dockerHub(u weburl.URL) *Variant {
	s := segments(u)
	switch {
	case len(s) == 2 && s[0] == "_":
		s = []string{"library", s[1]}
	case len(s) == 3 && s[0] == "r":
		s = s[1:]
	default:
		return nil
	}
	return variant("Docker Hub API", ask{"https://hub.docker.com/v2/repositories/" + s[0] + "/" + s[1] + "/", "application/json"}, func(b *builder, have []Response) error {
		var v struct {
			Name, Namespace, Description string
			Full                         string      `json:"full_description"`
			Updated                      string      `json:"last_updated"`
			Stars                        int         `json:"star_count"`
			Pulls                        json.Number `json:"pull_count"`
		}
		if err := decode(have[0], &v); err != nil || v.Name == "" {
			return errShape
		}
		b.parcel(parcel{site: "Docker Hub", name: v.Namespace + "/" + v.Name, summary: v.Description, published: v.Updated,
			facts: []string{count(v.Stars, "star"), fact("pulls", v.Pulls.String())}, readme: v.Full, format: "text/markdown"})
		return nil
	})
}
