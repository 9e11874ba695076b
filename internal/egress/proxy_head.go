package egress

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// The head of a request is read in two steps: this file checks its lines by strict
// rules, and package net/http then parses it. RFC 9112 allows a recipient to be
// lenient with line ends, folded lines, spaces and repeated headers. Request
// smuggling uses two programs that are lenient in different ways. Browsers need no
// leniency.

// errHead is the reason why a head was rejected. Its text is for the audit log.
type errHead string

func (e errHead) Error() string { return "malformed request: " + string(e) }

// readProxyRequest reads one request. It returns io.EOF when the client left
// without a byte, and an errHead for an ambiguous head.
func readProxyRequest(in *bufio.Reader) (*http.Request, error) {
	head, err := readHead(in)
	if err != nil {
		return nil, err
	}
	if err := checkHead(head); err != nil {
		return nil, err
	}
	// The body, if any, is what follows in the same reader.
	req, err := http.ReadRequest(bufio.NewReader(io.MultiReader(bytes.NewReader(head), in)))
	if err != nil {
		return nil, errHead(err.Error())
	}
	return req, nil
}

// readHead reads the head, including the empty line.
func readHead(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for {
		line, err := in.ReadSlice('\n')
		if len(head)+len(line) > maxHeaderBytes {
			return nil, errHead("longer than 64 KiB")
		}
		head = append(head, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(head) == 0:
			return nil, io.EOF
		case err != nil:
			return nil, errHead("it breaks off")
		case bytes.HasSuffix(head, []byte("\r\n\r\n")):
			return head, nil
		case !bytes.HasSuffix(head, []byte("\r\n")):
			return nil, errHead("a line ends without CR")
		}
	}
}

// checkHead checks the lines of a head against the grammar of RFC 9112 and the
// rules about framing of its section 6.3.
func checkHead(head []byte) error {
	lines := strings.Split(strings.TrimSuffix(string(head), "\r\n\r\n"), "\r\n")
	method, version, err := checkRequestLine(lines[0])
	if err != nil {
		return err
	}
	var host, length, coding int
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		// A folded line begins with a space, which no name does.
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || strings.ContainsRune(value, '\r') {
			return errHead("a header line")
		}
		value = strings.Trim(value, " \t")
		switch strings.ToLower(name) {
		case "host":
			host++
		case "content-length":
			length++
			if !isDigits(value) {
				return errHead("Content-Length is not a number")
			}
		case "transfer-encoding":
			coding++
			if !strings.EqualFold(value, "chunked") {
				return errHead("a Transfer-Encoding other than chunked")
			}
		}
	}
	switch {
	case host > 1:
		return errHead("more than one Host")
	case length+coding > 1:
		return errHead("two ways to tell the length of the body")
	case coding > 0 && version == "HTTP/1.0":
		return errHead("Transfer-Encoding with HTTP/1.0")
	case method == http.MethodConnect && length+coding > 0:
		return errHead("CONNECT with a body")
	}
	return nil
}

// checkRequestLine checks the first line of a head.
func checkRequestLine(line string) (method, version string, err error) {
	parts := strings.Split(line, " ")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] != "HTTP/1.1" && parts[2] != "HTTP/1.0" {
		return "", "", errHead("the first line is none of HTTP/1.1")
	}
	for _, r := range parts[1] {
		if r <= ' ' || r >= 0x7f {
			return "", "", errHead("a character in the target")
		}
	}
	return parts[0], parts[2], nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// endToEnd returns a copy of h without the headers of the connection (RFC 9110
// section 7.6.1) and those for proxies.
func endToEnd(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		if !isHopByHop(name) && !httpguts.HeaderValuesContainsToken(h["Connection"], name) {
			out[name] = values
		}
	}
	return out
}

func isHopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Expect", "Http2-Settings":
		return true
	}
	return strings.HasPrefix(name, "Proxy-")
}

// wantsWebSocket reports whether a request asks for a web socket (RFC 6455
// section 4.1), the only protocol that is switched to.
func wantsWebSocket(r *http.Request) bool {
	return r.Method == http.MethodGet && r.ContentLength == 0 &&
		httpguts.HeaderValuesContainsToken(r.Header["Connection"], "upgrade") &&
		len(r.Header["Upgrade"]) == 1 && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}
