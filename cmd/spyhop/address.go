package main

import (
	"errors"
	"net/url"
	"os"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// notFiles refuses paths of files where an address is expected. The hint names
// the command that reads files.
func notFiles(addresses ...string) error {
	for _, a := range addresses {
		if file, ok := fileOf(a); ok {
			return tool.NewError(tool.InvalidInput, a+" is a file, not a URL", "run: spyhop extract "+shellWord(file))
		}
	}
	return nil
}

// fileOf returns the path of a file that was given as an address: it looks like
// a path, or a file of this name exists and its extension is that of a page.
func fileOf(address string) (path string, ok bool) {
	_, err := weburl.ParseLenient(address)
	var e *weburl.Error
	if errors.As(err, &e) && e.Code == weburl.FilePath {
		return strings.TrimSpace(address), true
	}
	const scheme = "file:"
	if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
		path := strings.TrimPrefix(address[len(scheme):], "//")
		if plain, err := url.PathUnescape(path); err == nil {
			path = plain
		}
		return path, true
	}
	if typeOfName(address) == "" {
		return "", false
	}
	info, err := os.Stat(address)
	return address, err == nil && info.Mode().IsRegular()
}

// shellWord quotes s so that a shell reads it as one word.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+=:@%,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
