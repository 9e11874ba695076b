package document

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/text/encoding/htmlindex"
)

const (
	maxMailParts = 200
	maxMailDepth = 10
	maxMailText  = 16 << 20
)

// message is a mail in reading: the best text so far and what is attached.
type message struct {
	plain, html string
	attached    []string
	parts       int
}

// readMail reads a message by RFC 5322 and its parts by RFC 2045 to 2047.
func readMail(b *builder, body []byte) error {
	m, err := mail.ReadMessage(bytes.NewReader(body))
	if err != nil {
		return err
	}
	words := mime.WordDecoder{CharsetReader: charset}
	header := func(key string) string {
		s := m.Header.Get(key)
		if d, err := words.DecodeHeader(s); err == nil {
			s = d
		}
		return text.Line(s)
	}
	b.Meta.Title, b.Meta.Byline = header("Subject"), header("From")
	if t, err := m.Header.Date(); err == nil {
		b.Meta.Published = t.Format("2006-01-02T15:04:05Z07:00")
	}
	b.heading(1, b.Meta.Title)
	var facts []page.Inline
	for _, key := range []string{"From", "To", "Cc", "Date"} {
		if s := header(key); s != "" {
			if len(facts) > 0 {
				facts = append(facts, page.Inline{Kind: page.Break})
			}
			facts = append(facts, page.Inline{Kind: page.Text, Text: key + ": " + s})
		}
	}
	if len(facts) > 0 {
		b.add(page.Block{Kind: page.Paragraph, Inlines: facts})
	}
	var msg message
	msg.read(m.Body, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), "", 0)
	switch {
	case strings.TrimSpace(msg.plain) != "":
		b.lines(msg.plain)
	case msg.html != "":
		b.part([]byte(msg.html), "text/html")
	}
	if len(msg.attached) > 0 {
		var items []page.Block
		for _, name := range msg.attached {
			items = append(items, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(name)}}})
		}
		b.paragraph("Attachments:")
		b.add(page.Block{Kind: page.List, Children: items})
	}
	b.cut = b.cut || msg.parts >= maxMailParts
	return nil
}

// read takes one part, and the parts within it.
func (m *message) read(r io.Reader, contentType, encoding, disposition string, depth int) {
	if m.parts++; m.parts >= maxMailParts || depth > maxMailDepth {
		return
	}
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		mediaType = "text/plain"
	}
	if strings.HasPrefix(mediaType, "multipart/") && params["boundary"] != "" {
		parts := multipart.NewReader(r, params["boundary"])
		for m.parts < maxMailParts {
			p, err := parts.NextRawPart()
			if err != nil {
				return
			}
			m.read(p, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p.Header.Get("Content-Disposition"), depth+1)
		}
		return
	}
	kind, file, _ := mime.ParseMediaType(disposition)
	name := file["filename"]
	if name == "" {
		name = params["name"]
	}
	if kind == "attachment" || name != "" || !strings.HasPrefix(mediaType, "text/") {
		n, _ := io.Copy(io.Discard, decoded(r, encoding))
		if name = text.Line(name); name == "" {
			name = "without a name"
		}
		m.attached = append(m.attached, fmt.Sprintf("%s (%s, %d bytes)", name, text.Line(mediaType), n))
		return
	}
	in := decoded(r, encoding)
	if c, err := charset(params["charset"], in); err == nil {
		in = c
	}
	b, _ := io.ReadAll(io.LimitReader(in, maxMailText))
	switch {
	case mediaType == "text/html" && m.html == "":
		m.html = string(b)
	case mediaType != "text/html":
		m.plain += string(b) + "\n\n"
	}
}

func decoded(r io.Reader, encoding string) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	}
	return r
}

// charset decodes a text in an encoding that has a name.
func charset(name string, r io.Reader) (io.Reader, error) {
	if name == "" || strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "us-ascii") {
		return r, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, err
	}
	return e.NewDecoder().Reader(r), nil
}
