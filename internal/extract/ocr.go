package extract

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file adds the text of pictures: those of PDF pages without text, and pictures that
// are documents of their own.

// scan is a picture of a page without text.
type scan struct {
	Page    int
	Picture []byte
}

// The limits of one document.
const (
	maxScans     = 20       // pictures
	maxScanBytes = 48 << 20 // of all pictures, which may come from another process
)

var errNoPicture = errors.New("the document has more pictures than are read, or pictures of an unsupported format")

// take adds pictures. Beyond the limits, their pages are noted without them.
func take(scans *[]scan) func(page int, picture []byte) {
	count, size := 0, 0
	return func(page int, picture []byte) {
		count, size = count+1, size+len(picture)
		if count > maxScans || size > maxScanBytes {
			picture = nil
		}
		*scans = append(*scans, scan{page, picture})
	}
}

func isPicture(mediaType string) bool {
	return strings.HasPrefix(mediaType, "image/") && document.Reads(mediaType)
}

// withOCR is Document with the text of pictures.
func withOCR(body []byte, mediaType string, o Options) (*page.Page, error) {
	recognize, scans := o.Recognize, []scan{}
	o.Recognize, o.scans = nil, &scans
	p, err := Document(body, mediaType, o)
	switch {
	case p == nil, isPicture(mediaType) && err != nil:
		return p, err
	case isPicture(mediaType):
		scans = []scan{{Picture: body}}
	}
	reason := recognized(p, scans, recognize)
	if reason != nil && p.Type != page.Image {
		p.Unrecognized = reason.Error()
	}
	var e *Error
	if errors.As(err, &e) && e.Code == NoContent && len(scans) > 0 {
		switch {
		case p.Recognized > 0:
			return p, nil
		case reason != nil:
			e.Cause = fmt.Errorf("%w: %w", errPictures, reason)
		}
	}
	return p, err
}

// recognized adds the text of scans. The first error ends it, and is why some have none.
func recognized(p *page.Page, scans []scan, recognize func(picture []byte, language string) ([]string, error)) (reason error) {
	for len(scans) > 0 {
		n := 1
		for n < len(scans) && scans[n].Page == scans[0].Page {
			n++
		}
		var blocks []page.Block
		for _, s := range scans[:n] {
			var paragraphs []string
			if err := errNoPicture; reason == nil {
				if s.Picture != nil {
					paragraphs, err = recognize(s.Picture, p.Meta.Language)
				}
				reason = err
			}
			for _, s := range paragraphs {
				blocks = append(blocks, page.Block{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: s}}})
			}
		}
		if len(blocks) > 0 {
			insertPage(p, scans[0].Page, blocks)
			p.Recognized++
		}
		scans = scans[n:]
	}
	if p.Omitted(page.OmittedPages) > 0 {
		p.Omit(page.OmittedPages, -p.Recognized)
	}
	if reason == nil {
		p.Missing = slices.DeleteFunc(p.Missing, func(s page.Sign) bool { return s.Kind == page.MissingText })
		if len(p.Missing) == 0 && p.Verdict == page.Partial {
			p.Verdict = page.Complete
		}
	}
	return reason
}

// insertPage inserts the blocks of a page of a PDF before those of the next ones.
func insertPage(p *page.Page, number int, blocks []page.Block) {
	at := len(p.Blocks)
	if number > 0 {
		blocks[0].ID = fmt.Sprintf("page=%d", number)
		for i, b := range p.Blocks {
			var n int
			if _, err := fmt.Sscanf(b.ID, "page=%d", &n); err == nil && n > number {
				at = i
				break
			}
		}
	}
	p.Blocks = slices.Insert(p.Blocks, at, blocks...)
}
