package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// answer is a hostile answer of a server: what is hard is not in its document but in how
// it is sent. Only the calls over HTTP meet it.
type answer struct {
	name string
	make func(size int) http.HandlerFunc
}

// answers are built from their size, as the documents of package shapes.
func answers() []answer {
	return []answer{
		packed("zeros in gzip", "gzip", func(size int) []byte { return gzipOf(bytes.Repeat([]byte("a"), 400*size)) }),
		packed("zeros in deflate", "deflate", func(size int) []byte { return packedBy(400*size, zlibWriter) }),
		packed("zeros in brotli", "br", func(size int) []byte { return packedBy(400*size, brotliWriter) }),
		packed("zeros in zstd", "zstd", func(size int) []byte { return packedBy(400*size, zstdWriter) }),
		packed("gzip in gzip in gzip", "gzip, gzip, gzip", func(size int) []byte { return gzipOf(gzipOf(gzipOf(bytes.Repeat([]byte("a"), 400*size)))) }),
		packed("members of gzip", "gzip", func(size int) []byte {
			one := gzipOf([]byte("a"))
			return bytes.Repeat(one, size/len(one))
		}),
		packed("empty members of gzip", "gzip", func(size int) []byte {
			one := gzipOf(nil)
			return bytes.Repeat(one, size/len(one))
		}),
		packed("empty blocks of gzip", "gzip", func(size int) []byte {
			head := gzipOf(nil)[:10]
			return append(head, bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, size/5)...)
		}),
		packed("empty frames of zstd", "zstd", func(size int) []byte {
			return bytes.Repeat([]byte{0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0}, size/8)
		}),
		headers("cookies", func(h http.Header, size int) {
			for i := range size / 40 {
				h.Add("Set-Cookie", fmt.Sprintf("a%d=b; Path=/; Max-Age=99; Secure", i))
			}
		}),
		headers("links", func(h http.Header, size int) {
			h.Set("Link", strings.Repeat("</a>; rel=\"next canonical\"; title*=UTF-8''a, ", size/50))
		}),
		headers("parameters of a type", func(h http.Header, size int) {
			h.Set("Content-Type", "text/html"+strings.Repeat("; a*0*=b%20", size/12))
		}),
		headers("open quotation of a type", func(h http.Header, size int) {
			h.Set("Content-Type", "text/html; charset=\""+strings.Repeat("\\\"", size/2))
		}),
		headers("cache control", func(h http.Header, size int) { h.Set("Cache-Control", strings.Repeat("no-cache=\"a,b\", ", size/17)) }),
		headers("many fields", func(h http.Header, size int) {
			for i := range size / 20 {
				h.Add(fmt.Sprint("X-A", i), "b")
			}
		}),
		{"hints before the answer", func(size int) http.HandlerFunc {
			return func(out http.ResponseWriter, _ *http.Request) {
				out.Header().Set("Link", "</a>; rel=preload")
				for range min(size/100, 5000) {
					out.WriteHeader(http.StatusEarlyHints)
				}
				_, _ = io.WriteString(out, "<p>a")
			}
		}},
		{"chunks of a byte", func(size int) http.HandlerFunc {
			return func(out http.ResponseWriter, _ *http.Request) {
				out.Header().Set("Content-Type", "text/html")
				for range size / 40 {
					_, _ = io.WriteString(out, "a")
					_ = http.NewResponseController(out).Flush()
				}
			}
		}},
		{"redirects", func(int) http.HandlerFunc {
			return func(out http.ResponseWriter, r *http.Request) {
				http.Redirect(out, r, r.URL.Path+"?"+r.URL.RawQuery+"a", http.StatusFound)
			}
		}},
		body("escapes of iso-2022-jp", "text/html; charset=iso-2022-jp", func(size int) string { return strings.Repeat("\x1b$B$\"\x1b(B", size/8) }),
		body("wrong escapes of iso-2022-jp", "text/html; charset=iso-2022-jp", func(size int) string { return strings.Repeat("\x1b$\x1b(", size/4) }),
		body("four bytes of gb18030", "text/html; charset=gb18030", func(size int) string { return strings.Repeat("\x810\x810", size/4) }),
		body("halves of utf-16", "text/html; charset=utf-16", func(size int) string { return strings.Repeat("\xd8\x00", size/2) }),
		body("letters of windows-1252", "text/html; charset=windows-1252", func(size int) string { return "<p>" + strings.Repeat("\x80\x99", size/2) }),
		body("no character set", "text/html", func(size int) string { return "<p>" + strings.Repeat("\xe4\xf6 \xa4\xa2 ", size/6) }),
		body("character sets in metas", "text/html", func(size int) string {
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				fmt.Fprintf(&b, "<meta charset=%s>", []string{"big5", "euc-kr", "koi8-r", "utf-8"}[i%4])
			}
			return b.String()
		}),
		body("a media type that is wrong", "text/html", func(size int) string { return "%PDF-1.4\n" + strings.Repeat("1 0 obj\n", size/8) }),
		body("no media type", "", func(size int) string { return strings.Repeat("{\"a\": <b>, %PDF-", size/16) }),
		robots("rules of stars", func(size int) string {
			return "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("*a", 60)+"b$\n", size/133)
		}),
		robots("groups", func(size int) string {
			return strings.Repeat("User-agent: a\nUser-agent: *\nDisallow: /b\n\n", size/44)
		}),
		wire("HTTP/0.9", "<p>The ferry leaves at six.", ""),
		wire("another protocol", "ICY 200 OK\r\n\r\n<p>", "a"),
		wire("ends of lines without returns", "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>", "a "),
		wire("a status of 999", "HTTP/1.1 999\r\nContent-Type: text/html\r\n\r\n<p>", "a "),
		wire("a status of four digits", "HTTP/1.1 1000 OK\r\nContent-Type: text/html\r\n\r\n<p>", "a "),
		wire("a body that is too short", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999999999\r\n\r\n<p>", "a "),
		wire("a body that is too long", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>", "a "),
		wire("a negative length", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: -1\r\n\r\n<p>", "a "),
		wire("two lengths", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n<p>", "a "),
		wire("a length and chunks", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>a\r\n0\r\n\r\n", ""),
		wire("a chunk of 2^63 bytes", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", "a "),
		wire("a chunk that is none", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "a "),
		wire("extensions of a chunk", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4;", "a=b;"),
		wire("trailers", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>a\r\n0\r\n", "A: b\r\n"),
		wire("an end within the headers", "HTTP/1.1 200 OK\r\nContent-Ty", ""),
		wire("nothing", "", ""),
		{"a body without an end", func(size int) http.HandlerFunc {
			part := []byte("<p>" + strings.Repeat("The ferry leaves at six. ", size/25))
			return func(out http.ResponseWriter, _ *http.Request) {
				for err := error(nil); err == nil; {
					_, err = out.Write(part)
				}
			}
		}},
		robots("sitemaps", func(size int) string {
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				fmt.Fprintf(&b, "Sitemap: /sitemap%d.xml\n", i)
			}
			return b.String()
		}),
	}
}

// slowAnswers take until the deadline. Only the crowd meets them.
func slowAnswers() []answer {
	return []answer{
		{"no answer", func(int) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		}},
		{"a byte at a time", func(int) http.HandlerFunc {
			return func(out http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(out, "<p>The ferry leaves at six. ")
				for r.Context().Err() == nil {
					_, _ = io.WriteString(out, "a")
					_ = http.NewResponseController(out).Flush()
					time.Sleep(50 * time.Millisecond)
				}
			}
		}},
	}
}

// wire writes bytes in place of an answer, then so many more, and closes the connection.
func wire(name, head, repeated string) answer {
	return answer{"on the wire: " + name, func(size int) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			c, _, err := http.NewResponseController(out).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			_, _ = io.WriteString(c, head+strings.Repeat(repeated, size/max(len(repeated), 1)))
		}
	}}
}

func body(name, mediaType string, text func(size int) string) answer {
	return answer{name, func(size int) http.HandlerFunc {
		all := text(size)
		return func(out http.ResponseWriter, _ *http.Request) {
			out.Header()["Content-Type"] = nil
			if mediaType != "" {
				out.Header().Set("Content-Type", mediaType)
			}
			_, _ = io.WriteString(out, all)
		}
	}}
}

func packed(name, encoding string, bytes func(size int) []byte) answer {
	return answer{name, func(size int) http.HandlerFunc {
		all := bytes(size)
		return func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "text/html; charset=utf-8")
			out.Header().Set("Content-Encoding", encoding)
			_, _ = out.Write(all)
		}
	}}
}

func headers(name string, set func(h http.Header, size int)) answer {
	return answer{name, func(size int) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "text/html")
			set(out.Header(), size)
			_, _ = io.WriteString(out, "<p>"+strings.Repeat("The ferry leaves at six. ", 20)+"<a href=/"+strings.Repeat("a", 1000)+">b</a>")
		}
	}}
}

// robots answers with rules for robots, and with links that are long.
func robots(name string, rules func(size int) string) answer {
	return answer{"robots: " + name, func(size int) http.HandlerFunc {
		all := rules(size)
		return func(out http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				_, _ = io.WriteString(out, all)
				return
			}
			out.Header().Set("Content-Type", "text/html")
			for i := range 50 {
				fmt.Fprintf(out, "<p>The ferry leaves at six. <a href=/%s%d>b</a>", strings.Repeat("a", 2000), i)
			}
		}
	}}
}

func gzipOf(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// packedBy packs so many equal letters.
func packedBy(n int, writer func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := writer(&out)
	_, _ = w.Write(bytes.Repeat([]byte("a"), n))
	_ = w.Close()
	return out.Bytes()
}

func zlibWriter(w io.Writer) io.WriteCloser   { return zlib.NewWriter(w) }
func brotliWriter(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 1) }

func zstdWriter(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w)
	if err != nil {
		panic(err)
	}
	return z
}
