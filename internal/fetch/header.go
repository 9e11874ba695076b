package fetch

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// accept prefers Markdown, which some sites write for programs, and takes
// anything.
const accept = "text/markdown;q=1.0, text/html;q=0.9, application/xhtml+xml;q=0.9, application/xml;q=0.8, text/plain;q=0.8, */*;q=0.7"

const (
	defaultAcceptLanguage = "en-US,en;q=0.5"
	acceptEncoding        = "gzip, br, zstd, deflate"
)

// DefaultUserAgent returns a user agent that sites take for a Firefox and that
// names Spyhop and its version, such as "1.2.0". What cannot stand in a product
// token (RFC 9110 section 10.1.5) is removed from the version; an empty version
// is left out.
func DefaultUserAgent(version string) string {
	version = strings.Map(func(r rune) rune {
		if r < 0x80 && httpguts.IsTokenRune(r) {
			return r
		}
		return -1
	}, version)
	if version != "" {
		version = "/" + version
	}
	return "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Spyhop" + version
}

func baseHeader(userAgent string) http.Header {
	return http.Header{
		"User-Agent":      {userAgent},
		"Accept":          {accept},
		"Accept-Language": {defaultAcceptLanguage},
		"Accept-Encoding": {acceptEncoding},
	}
}

// callerHeader returns a copy of h without the headers of the connection and
// those that this package sets. It fails on names and values that a header cannot
// contain.
func callerHeader(h http.Header) (http.Header, error) {
	out := make(http.Header, len(h))
	for name, values := range h {
		if !httpguts.ValidHeaderFieldName(name) {
			return nil, fmt.Errorf("%.64q is not a header name", name)
		}
		name = http.CanonicalHeaderKey(name)
		switch name {
		case "Host", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Te", "Trailer",
			"Transfer-Encoding", "Upgrade", "Content-Length", "Expect", "Accept-Encoding", "Range", "If-Range":
			continue
		}
		for _, v := range values {
			if !httpguts.ValidHeaderFieldValue(v) {
				return nil, fmt.Errorf("the value of header %s holds a control character", name)
			}
			out[name] = append(out[name], v)
		}
	}
	return out, nil
}

// Auth holds credentials. Each field that is set is used; Bearer wins over
// Basic. They are sent to one origin: that of the request's URL after the
// policy has upgraded it. Login has its own rule.
type Auth struct {
	Username, Password string // Basic (RFC 7617), when one of them is set
	Bearer             string // RFC 6750
	Cookies            []*http.Cookie
	// Login holds the cookies of a site that a person has signed in to. They are
	// sent to the whole site; URL has to belong to it. May be nil.
	Login *Login
}

// String hides the secrets.
func (a *Auth) String() string { return "credentials" }

// GoString hides the secrets.
func (a *Auth) GoString() string { return "fetch.Auth{…}" }

func (a *Auth) check() error {
	if a == nil {
		return nil
	}
	if !httpguts.ValidHeaderFieldValue(a.Bearer) {
		return errors.New("the bearer token holds a control character")
	}
	if strings.Contains(a.Username, ":") {
		return errors.New("the user name holds a colon")
	}
	for _, c := range a.Cookies {
		if c == nil || c.Name == "" {
			return errors.New("a cookie has no name")
		}
	}
	return nil
}

// apply adds the credentials. Cookies that name a domain other than host, or a
// domain above it, are left out.
func (a *Auth) apply(h http.Header, host string) {
	if a == nil {
		return
	}
	switch {
	case a.Bearer != "":
		h.Set("Authorization", "Bearer "+a.Bearer)
	case a.Username != "" || a.Password != "":
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(a.Username+":"+a.Password)))
	}
	carrier := http.Request{Header: http.Header{"Cookie": h["Cookie"]}}
	for _, c := range a.Cookies {
		domain := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
		if domain == "" || host == domain || strings.HasSuffix(host, "."+domain) {
			carrier.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value, Quoted: c.Quoted})
		}
	}
	if line := carrier.Header.Get("Cookie"); line != "" {
		h["Cookie"] = []string{line}
	}
}

// declaredType returns the type of a Content-Type header in lower case, without
// parameters; empty when it is malformed. Unlike mime.ParseMediaType it accepts
// malformed parameters.
func declaredType(value string) string {
	value, _, _ = strings.Cut(value, ";")
	// Some servers join two headers.
	value, _, _ = strings.Cut(value, ",")
	value = strings.ToLower(strings.Trim(value, " \t"))
	major, minor, ok := strings.Cut(value, "/")
	if !ok || len(value) > 127 || !httpguts.ValidHeaderFieldName(major) || !httpguts.ValidHeaderFieldName(minor) {
		return ""
	}
	return value
}

// charsetParam returns the charset parameter of a Content-Type header, or "".
func charsetParam(value string) string {
	_, params, _ := strings.Cut(value, ";")
	for params != "" {
		var p string
		p, params, _ = strings.Cut(params, ";")
		name, v, ok := strings.Cut(p, "=")
		if ok && strings.EqualFold(strings.Trim(name, " \t"), "charset") {
			return strings.Trim(v, " \t\"'")
		}
	}
	return ""
}

// contentEncodings returns the encodings of a Content-Encoding header in the
// order in which they were applied, in lower case, without those that say
// nothing.
func contentEncodings(values []string) []string {
	var out []string
	for _, line := range values {
		for line != "" && len(out) < 32 {
			var e string
			e, line, _ = strings.Cut(line, ",")
			switch e = strings.ToLower(strings.Trim(e, " \t\"")); e {
			case "", "identity", "none", "aws-chunked", "utf-8", "utf8", "binary", "8bit":
			case "x-gzip":
				out = append(out, "gzip")
			default:
				out = append(out, e)
			}
		}
	}
	return out
}
