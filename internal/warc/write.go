// Package warc provides archives of HTTP exchanges in the format WARC 1.1 (ISO
// 28500:2017): a writer, and an index over an archive from which exchanges are
// answered again.
//
//	w, err := warc.Create("site.warc.gz", "spyhop/1.0")
//	transport := w.Transport(next) // records what passes
//	…
//	a, err := warc.Open("site.warc.gz")
//	transport := a.Transport()     // answers from the archive, and asks nobody
//
// # Guarantees
//
// An archive never holds Authorization, Cookie and Set-Cookie headers or their proxy
// kin. An exchange whose request has credentials is not written at all. A record is
// written whole, or cut off when the archive is opened again.
//
// An archive that is read is hostile: every length is bounded, what it unpacks to is
// bounded by its size, and its addresses are parsed as all others are.
//
// # Limits
//
// A body above [maxBody] is written up to there, and marked as truncated.
package warc

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxBody bounds the body of an exchange, in bytes as they were sent.
const maxBody = 64 << 20

const fileMode = 0o600

// Writer appends records to an archive. It is safe for concurrent use.
type Writer struct {
	// OnError is called with the first error of a write; nil: nobody hears of it before Close.
	// It must be set before the first request.
	OnError func(error)

	mu   sync.Mutex
	f    *os.File
	gzip bool
	info string // id of the warcinfo record
	end  int64  // of the last whole record
	err  error  // the first one of all writes
	lost int    // records that could not be written
	// made has the conversions that the file had before: address and date.
	made map[string]bool
}

// Create opens an archive to write to; one that exists is continued behind its last
// whole record. A name that ends in .gz is compressed, record by record.
func Create(name, software string) (*Writer, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, fileMode)
	if err != nil {
		return nil, err
	}
	w := &Writer{f: f, gzip: strings.HasSuffix(strings.ToLower(name), ".gz")}
	if err := w.begin(software); err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

func (w *Writer) begin(software string) error {
	w.made = map[string]bool{}
	end, err := scan(w.f, func(e entry) error {
		if e.kind == conversion {
			w.made[e.uri+" "+e.date] = true
		}
		return nil
	})
	if err != nil && !errors.Is(err, errTorn) {
		return err
	}
	if err := w.f.Truncate(end); err != nil {
		return err
	}
	w.end = end
	w.info = newID()
	return w.write(record{kind: "warcinfo", id: w.info, media: "application/warc-fields",
		block: []byte("software: " + software + "\r\nformat: WARC File Format 1.1\r\nconformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n")})
}

// Close ends the archive. An error says how many records are missing, and why.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.f.Close()
	if w.err != nil {
		return fmt.Errorf("the archive lacks %d records: %w", w.lost, w.err)
	}
	return err
}

// record is one record of an archive.
type record struct {
	kind, id, uri, media string
	date                 time.Time
	concurrent, refers   string
	truncated            string
	payload              []byte // of block, for its digest; nil: none
	block                []byte
}

func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // RFC 9562, version 4
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func dateOf(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])
}

func (r *record) head(info string) []byte {
	var b bytes.Buffer
	line := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	b.WriteString("WARC/1.1\r\n")
	line("WARC-Type", r.kind)
	line("WARC-Record-ID", r.id)
	date := r.date
	if date.IsZero() {
		date = time.Now()
	}
	line("WARC-Date", dateOf(date))
	line("WARC-Target-URI", r.uri)
	line("WARC-Concurrent-To", r.concurrent)
	line("WARC-Refers-To", r.refers)
	line("WARC-Truncated", r.truncated)
	if r.kind != "warcinfo" {
		line("WARC-Warcinfo-ID", info)
	}
	line("WARC-Block-Digest", digest(r.block))
	if r.payload != nil {
		line("WARC-Payload-Digest", digest(r.payload))
	}
	line("Content-Type", r.media)
	line("Content-Length", fmt.Sprint(len(r.block)))
	b.WriteString("\r\n")
	return b.Bytes()
}

// write appends records in one go. After an error, the next write is tried in the same
// place: a disk that was full may have room again.
func (w *Writer) write(records ...record) error {
	var out bytes.Buffer
	for _, r := range records {
		if w.gzip {
			z := gzip.NewWriter(&out)
			z.Write(r.head(w.info)) // to memory
			z.Write(r.block)
			io.WriteString(z, "\r\n\r\n")
			if err := z.Close(); err != nil {
				return err
			}
			continue
		}
		out.Write(r.head(w.info))
		out.Write(r.block)
		out.WriteString("\r\n\r\n")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.f.WriteAt(out.Bytes(), w.end)
	if err != nil {
		_ = w.f.Truncate(w.end) // a torn record is cut off when the archive is opened, too
		w.lost += len(records)
		if w.err == nil {
			w.err = err
			if w.OnError != nil {
				w.OnError(fmt.Errorf("the archive cannot be written: %w", err))
			}
		}
		return err
	}
	w.end += int64(n)
	return nil
}

const conversion = "conversion"

// Conversion writes a text that was made of the page at an address. One of the same
// date that an earlier Writer has written to the file is not written again: a crawl that
// goes on gives all of its pages.
func (w *Writer) Conversion(uri, media string, text []byte, at time.Time) error {
	if !plainURI(uri) {
		return nil
	}
	if !at.IsZero() && w.made[uri+" "+dateOf(at)] {
		return nil
	}
	return w.write(record{kind: conversion, id: newID(), uri: uri, media: media, date: at, payload: text, block: text})
}

// plainURI reports whether an address can stand in a header line.
func plainURI(uri string) bool {
	return uri != "" && strings.IndexFunc(uri, func(r rune) bool { return r <= ' ' || r == 0x7f }) < 0
}

// secretHeaders are never written.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "Set-Cookie", "Set-Cookie2", "Authentication-Info", "Proxy-Authentication-Info"}

type serverCookiesKey struct{}

// WithServerCookies marks requests whose cookies are those that servers have set within the
// same call: they are no credentials of a caller.
func WithServerCookies(ctx context.Context) context.Context {
	return context.WithValue(ctx, serverCookiesKey{}, true)
}

// Transport records the exchanges that pass through next: those of GET whose request
// has no credentials. OnError and Close say where an exchange could not be written.
func (w *Writer) Transport(next http.RoundTripper) http.RoundTripper { return &recorder{w, next} }

type recorder struct {
	w    *Writer
	next http.RoundTripper
}

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	at := time.Now()
	secret := q.Method != "" && q.Method != http.MethodGet || q.URL.User != nil
	own := q.Context().Value(serverCookiesKey{}) != nil
	for _, name := range secretHeaders {
		if name == "Cookie" && own {
			continue
		}
		secret = secret || len(q.Header.Values(name)) > 0
	}
	a, err := r.next.RoundTrip(q)
	if err != nil || secret {
		return a, err
	}
	sent := q
	if a.Request != nil {
		sent = a.Request // with the judged address
	}
	a.Body = &recordedBody{ReadCloser: a.Body, done: func(body []byte, whole bool) {
		_ = r.w.exchange(sent, a, body, whole, at) // the Writer tells
	}}
	return a, nil
}

// recordedBody keeps what is read, and writes the exchange at its end.
type recordedBody struct {
	io.ReadCloser
	kept bytes.Buffer
	cut  bool
	done func(body []byte, whole bool)
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	room := maxBody - b.kept.Len()
	b.kept.Write(p[:min(n, room)])
	b.cut = b.cut || n > room
	if err == io.EOF {
		b.finish(!b.cut)
	}
	return n, err
}

func (b *recordedBody) Close() error {
	b.finish(false)
	return b.ReadCloser.Close()
}

func (b *recordedBody) finish(whole bool) {
	if b.done != nil {
		b.done(b.kept.Bytes(), whole)
		b.done = nil
	}
}

// exchange writes a request and its response.
func (w *Writer) exchange(q *http.Request, a *http.Response, body []byte, whole bool, at time.Time) error {
	uri := q.URL.String()
	if !plainURI(uri) {
		return nil
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "GET %s HTTP/1.1\r\nHost: %s\r\n", q.URL.RequestURI(), q.URL.Host)
	writeHeader(&head, q.Header)
	request := record{kind: "request", id: newID(), uri: uri, media: "application/http; msgtype=request", date: at, block: slices.Concat(head.Bytes(), []byte("\r\n"))}

	head.Reset()
	fmt.Fprintf(&head, "HTTP/1.1 %03d %s\r\n", a.StatusCode, http.StatusText(a.StatusCode))
	answer := a.Header.Clone()
	for _, name := range []string{"Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Content-Length"} {
		answer.Del(name) // of the connection, or of another length than what is written
	}
	answer.Set("Content-Length", fmt.Sprint(len(body)))
	writeHeader(&head, answer)
	head.WriteString("\r\n")
	response := record{kind: "response", id: newID(), uri: uri, media: "application/http; msgtype=response", date: at, concurrent: request.id,
		payload: slices.Concat([]byte{}, body), block: slices.Concat(head.Bytes(), body)}
	if !whole {
		response.truncated = "length"
	}
	return w.write(request, response)
}

// writeHeader writes a header without secrets, and without what would be several
// lines.
func writeHeader(b *bytes.Buffer, h http.Header) {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(secretHeaders, http.CanonicalHeaderKey(name)) || strings.ContainsAny(name, "\r\n: ") || name == "" {
			continue
		}
		for _, v := range h[name] {
			if !strings.ContainsAny(v, "\r\n\x00") {
				b.WriteString(name + ": " + v + "\r\n")
			}
		}
	}
}
