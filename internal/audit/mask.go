package audit

import (
	"encoding/hex"
	"regexp"
	"strings"
)

// This file masks secrets. The rules work on text, so that they also apply to
// addresses that do not parse and to messages that quote one.

const (
	masked = "***"
	// minSecretBytes is the length from which a configured secret is looked
	// for everywhere.
	minSecretBytes = 6
	maxURLBytes    = 2 << 10
	maxWordBytes   = 128
	maxDetailBytes = 1 << 10
	// maxMaskedBytes bounds what is looked at; it is far beyond what is kept.
	maxMaskedBytes = 64 << 10
)

// isSecretName reports whether a parameter of this name, in lower case, holds
// a secret. Names of the form x-amz-* belong to signed addresses of AWS,
// x-goog-* to those of Google; se, sp, sr, sv and the like of Azure say what a
// signature (sig) allows and are harmless without it.
func isSecretName(name string) bool {
	switch name {
	case "key", "sig", "code", "auth", "pwd", "pass", "otp", "jwt", "sid", "ticket", "bearer", "cookie", "set-cookie":
		return true
	}
	if strings.HasPrefix(name, "x-amz-") || strings.HasPrefix(name, "x-goog-") {
		return true
	}
	// Names are compared without "-" and "_": api_key, api-key, apikey.
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return r
	}, name)
	for _, part := range [...]string{
		"token", "apikey", "accesskey", "secret", "signature", "password", "passwd", "passphrase",
		"session", "credential", "authorization", "privatekey", "authkey", "authcode", "subscriptionkey", "licensekey", "saml",
	} {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// Mask returns text with its secrets replaced: user information in addresses, the
// values in "name=value" and "name: value" when the name is that of a secret, and
// what follows Bearer and Basic. All other bytes are unchanged. It takes linear
// time.
func Mask(text string) string {
	if strings.Contains(text, "@") {
		text = userinfo.ReplaceAllString(text, "${1}"+masked+"@")
	}
	return maskParameters(text)
}

// userinfo is the text between "//" and the last "@" of the same authority. Browsers read a
// backslash as a slash, and accept more than two slashes.
var userinfo = regexp.MustCompile(`([/\\]{2,})[^/\\?# \t\r\n"'<>]*@`)

// maskParameters replaces values of secret names.
func maskParameters(text string) string {
	var b strings.Builder
	name := "" // the word before the current separator
	for text != "" {
		n := cutAt(text, wordEnds)
		word := text[:n]
		b.WriteString(word)
		text = text[n:]
		if word != "" {
			name = parameterName(word)
		}
		switch {
		case (name == "bearer" || name == "basic") && strings.HasPrefix(text, " "):
			text = maskValue(&b, text, 1)
			name = ""
			continue
		case text == "":
			continue
		}
		switch c := text[0]; {
		case c == '=' && word != "" && isSecretName(name):
			text = maskValue(&b, text, 1)
		case (c == ':' || c == '"') && word != "" && isSecretName(name):
			text = maskMember(&b, text)
		default:
			b.WriteByte(c)
			text = text[1:]
		}
		if text != "" && word == "" {
			name = ""
		}
	}
	return b.String()
}

// maskMember masks the value of a header or of a JSON member, which can contain
// spaces. text begins behind the name. It returns the rest.
func maskMember(b *strings.Builder, text string) string {
	k := 0
	for k < len(text) && strings.IndexByte(`:" `, text[k]) >= 0 {
		k++
	}
	if !strings.Contains(text[:k], ":") {
		b.WriteString(text[:1])
		return text[1:]
	}
	return maskLine(b, text, k)
}

const (
	wordEnds  = "=:&;?#/\\ \t\r\n\"'<>,(){}"
	valueEnds = "&;# \t\r\n\"'<>,"
)

var percentEncoded = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// parameterName returns the name of a parameter in lower case, percent-decoded.
func parameterName(word string) string {
	if word = word[max(0, len(word)-maxWordBytes):]; !strings.Contains(word, "%") {
		return strings.ToLower(word)
	}
	return strings.ToLower(percentEncoded.ReplaceAllStringFunc(word, func(s string) string {
		b, _ := hex.DecodeString(s[1:]) // two digits
		return string(b)
	}))
}

// maskValue writes the text before a value and a mask for the value, and returns
// the rest.
func maskValue(b *strings.Builder, text string, from int) string {
	return maskUntil(b, text, from, valueEnds)
}

// maskLine is maskValue for a value that ends with its line or its quotes.
func maskLine(b *strings.Builder, text string, from int) string {
	return maskUntil(b, text, from, "\r\n\"")
}

func maskUntil(b *strings.Builder, text string, from int, ends string) string {
	b.WriteString(text[:from])
	text = text[from:]
	n := cutAt(text, ends)
	if n > 0 {
		b.WriteString(masked)
	}
	return text[n:]
}

func cutAt(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

// clean masks and then cuts the strings of an event, in this order: the beginning
// of a cut secret would not be recognized.
func (l *Log) clean(e *Event) {
	for _, f := range [...]struct {
		s    *string
		most int
	}{
		{&e.Tool, maxWordBytes}, {&e.Caller, maxWordBytes}, {&e.URL, maxURLBytes}, {&e.FinalURL, maxURLBytes},
		{&e.Rule, maxWordBytes}, {&e.Query, maxDetailBytes}, {&e.Provider, maxWordBytes}, {&e.Host, maxWordBytes}, {&e.Address, maxWordBytes}, {&e.Cache, maxWordBytes}, {&e.Error, maxWordBytes}, {&e.Detail, maxDetailBytes},
	} {
		s := *f.s
		if s == "" {
			continue
		}
		s = s[:min(len(s), maxMaskedBytes)]
		for _, secret := range l.secrets {
			s = strings.ReplaceAll(s, secret, masked)
		}
		s = strings.ToValidUTF8(Mask(s), "\uFFFD")
		if len(s) > f.most {
			s = strings.ToValidUTF8(s[:f.most], "") + "…"
		}
		*f.s = s
	}
}
