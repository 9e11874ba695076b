package extract

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/extract/pdf"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Document extracts the content of a document of any supported media type.
// The media type is in lower case and without parameters; unknown types give
// an [Error] with Code Unsupported. To add a type, add a reader in a file of
// its own to package document, or a case here where it needs HTML.
func Document(body []byte, mediaType string, o Options) (*page.Page, error) {
	if isHTML(mediaType) {
		return HTML(body, o)
	}
	switch mediaType {
	case "text/markdown", "text/x-markdown":
		return fromMarkdown(body, o)
	}
	if why := unsupported(mediaType); why != nil {
		return nil, &Error{Code: Unsupported, MediaType: mediaType, Cause: why}
	}
	if o.Selector != nil {
		return nil, &Error{Code: NoMatch, MediaType: mediaType}
	}
	if o.Recognize != nil && (mediaType == "application/pdf" || isPicture(mediaType)) {
		return withOCR(body, mediaType, o)
	}
	if o.Elsewhere != nil && Isolated(mediaType) {
		return elsewhere(body, mediaType, o)
	}
	switch mediaType {
	case "application/json", "application/ld+json", "application/manifest+json", "application/geo+json":
		return fromJSON(body, o)
	case "text/plain":
		return verbatim(body, sourceLanguage(o.URL), page.Other, o)
	case "application/pdf":
		return fromPDF(body, o)
	}
	if document.Reads(mediaType) {
		p, err := fromDocument(body, mediaType, o)
		if !isXML(mediaType) || err == nil {
			return p, err
		}
		// Named a feed, yet none: shown as what it is.
	}
	switch {
	case strings.HasSuffix(mediaType, "+json"):
		return fromJSON(body, o)
	case isXML(mediaType):
		return verbatim(body, "xml", page.Data, o)
	case strings.Contains(mediaType, "json") && isText(body): // e.g. application/x-ndjson
		return verbatim(body, "json", page.Data, o)
	case strings.HasPrefix(mediaType, "text/"), strings.HasPrefix(mediaType, "application/") && isText(body):
		return verbatim(body, sourceLanguage(o.URL), page.Source, o)
	}
	return nil, &Error{Code: Unsupported, MediaType: mediaType}
}

// unsupported says why documents of a known media type are not converted; nil
// for others.
func unsupported(mediaType string) error {
	switch mediaType {
	case "application/rtf", "text/rtf":
		return errors.New("rich text is not converted; it may also be there as docx, PDF or HTML")
	case "application/ms-tnef", "application/vnd.ms-tnef":
		return errors.New("winmail.dat is a format of Outlook that is not converted")
	case "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/vnd.ms-outlook":
		return errors.New("the binary formats of old office programs are not converted; it may also be there as docx, xlsx, pptx or PDF")
	}
	return nil
}

// isText reports whether a document of a type without a converter is text.
func isText(body []byte) bool {
	return len(body) > 0 && utf8.Valid(body) && bytes.IndexByte(body, 0) < 0
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

func isXML(mediaType string) bool {
	return strings.HasSuffix(mediaType, "/xml") || strings.HasSuffix(mediaType, "+xml")
}

// fromDocument reads what package document knows. What it carries in another
// format comes back here, once: a mail within a mail is an attachment.
func fromDocument(body []byte, mediaType string, o Options) (*page.Page, error) {
	outer, used := mediaType, new(spent)
	p, err := document.Read(body, mediaType, document.Options{URL: o.URL, Read: func(body []byte, mediaType string) (*page.Page, error) {
		inner := Options{URL: o.URL, Whole: true, Static: true, Stop: o.Stop, spent: used}
		if hasNoBase(outer) {
			inner.URL = ""
		}
		if mediaType == "text/markdown" {
			return fromMarkdown(body, inner)
		}
		return HTML(body, inner)
	}})
	var de *document.Error
	if !errors.As(err, &de) {
		return p, err
	}
	e := &Error{Code: malformed, MediaType: mediaType, Cause: de.Cause}
	switch de.Code {
	case document.TooLarge:
		e.Code = TooLarge
	case document.NoContent:
		e = noContent(p, mediaType)
	case document.Unsupported:
		e.Code = Unsupported
	}
	return p, e
}

// hasNoBase reports whether relative addresses within a document lead to its
// own parts, as in books and mail, and not to pages beside it.
func hasNoBase(mediaType string) bool {
	return mediaType == "application/epub+zip" || mediaType == "application/mbox" || strings.HasPrefix(mediaType, "message/")
}

// fromPDF reads a PDF.
func fromPDF(body []byte, o Options) (*page.Page, error) {
	po := pdf.Options{URL: o.URL, Whole: o.Whole, Stop: o.Stop}
	if o.scans != nil {
		po.Picture = take(o.scans)
	}
	p, err := pdf.Read(body, po)
	var pe *pdf.Error
	if !errors.As(err, &pe) {
		return p, err
	}
	e := &Error{Code: malformed, MediaType: "application/pdf", Cause: pe}
	switch pe.Code {
	case pdf.Malformed:
		e.Cause = pe.Cause
	case pdf.TooLarge:
		e.Code = TooLarge
	case pdf.NoContent:
		e = noContent(p, "application/pdf")
		if slices.ContainsFunc(p.Missing, func(s page.Sign) bool { return s.Kind == page.MissingText }) {
			e.Cause = errPictures
		}
	}
	return p, e
}

// errPictures is why a PDF has no text that shows some.
var errPictures = errors.New("its pages hold pictures only, as a scan does")

// fromMarkdown reads Markdown the way a page is read: through HTML, so that it
// comes out in our form and nothing in it can pass unseen.
func fromMarkdown(body []byte, o Options) (*page.Page, error) {
	var b bytes.Buffer
	literal, err := convertMarkdown(&b, body, true, o.spent.ofMarkdown(), o.Stop)
	if err != nil {
		return nil, err
	}
	o.Whole, o.Static = true, true
	p, err := HTML(b.Bytes(), o)
	if p != nil {
		p.Method, p.Type = page.MethodDocument, page.Documentation
		if p.Meta.Title == "" && len(p.Blocks) > 0 && p.Blocks[0].Kind == page.Heading {
			p.Meta.Title = page.InlineText(p.Blocks[0].Inlines)
		}
		if literal {
			p.Omit(page.OmittedNesting, 1)
		}
	}
	return p, err
}

// largeJSON is the size from which on JSON comes as an outline.
const largeJSON = 64 << 10

// fromJSON prints JSON in a readable layout, as an outline when it is large;
// what is not quite JSON comes as it is. Notebooks are sent as JSON too.
func fromJSON(body []byte, o Options) (*page.Page, error) {
	if document.IsNotebook(body) {
		if p, err := fromDocument(body, "application/x-ipynb+json", o); err == nil {
			return p, nil
		}
	}
	if len(body) > largeJSON && !o.Whole {
		if outline, err := document.OutlineJSON(body); err == nil {
			p, err := verbatim([]byte(outline), "json", page.Data, o)
			p.Miss(page.Sign{Kind: page.MissingValues}) // mode=raw has all of it
			p.Omit(page.OmittedRest, 1)
			return p, err
		}
	}
	return verbatim(document.IndentJSON(body), "json", page.Data, o)
}

// verbatim takes a text as one block of code.
func verbatim(body []byte, lang string, t page.Type, o Options) (*page.Page, error) {
	p := &page.Page{URL: o.URL, Type: t, Method: page.MethodDocument, Verdict: page.Complete}
	if lang != "" && t == page.Other {
		p.Type = page.Source
	}
	var removed text.Removed
	code := text.Clean(string(body), text.Verbatim, &removed)
	if n := removed.Total(); n > 0 {
		p.Omit(page.HiddenCharacters, n)
	}
	if strings.TrimSpace(code) == "" {
		return p, noContent(p, "text/plain")
	}
	p.Blocks = []page.Block{{Kind: page.Code, Lang: lang, Text: strings.TrimRight(code, "\n")}}
	return p, nil
}

// sourceLanguages are the names of languages whose files end otherwise.
var sourceLanguages = map[string]string{
	"py": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "ts": "typescript", "rs": "rust", "rb": "ruby",
	"sh": "bash", "bash": "bash", "zsh": "bash", "yml": "yaml", "yaml": "yaml", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp",
	"hpp": "cpp", "hh": "cpp", "cs": "csharp", "kt": "kotlin", "pl": "perl", "pm": "perl", "ex": "elixir", "exs": "elixir",
	"hs": "haskell", "patch": "diff",
}

// sourceLanguage names the language of a source file by the end of its path.
func sourceLanguage(u string) string {
	_, p := dom.HostAndPath(u)
	p, _, _ = strings.Cut(p, "?")
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(p), "."))
	switch ext {
	case "go", "c", "java", "json", "css", "sql", "lua", "php", "swift", "scala", "dart", "zig", "toml", "ini", "diff", "xml", "html", "csv", "tsx", "jsx", "r":
		return ext
	}
	return sourceLanguages[ext]
}

// ToHTML prints the blocks of a page as clean HTML, by way of their Markdown:
// what can stand in Markdown is all there is.
func ToHTML(md string) (string, error) {
	var b bytes.Buffer
	_, err := convertMarkdown(&b, []byte(md), false, new(int), nil)
	return b.String(), err
}
