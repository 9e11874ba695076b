package serve

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/result"
)

// Answers with whole pages are written without a copy of these: encoding/json takes several
// times the size of a text before it writes the first byte of it.

// lengthy is an answer with texts that may be long. They are its own: encoding it changes them.
type lengthy interface{ texts() []*string }

const (
	// longText is the size in bytes from which a text is written in pieces of that size.
	longText = 32 << 10
	// keptWhole is what the texts of an answer have together at most that is encoded at once.
	keptWhole = 256 << 10
)

// pagesOfJob is the answer with pages of a job.
type pagesOfJob struct{ *result.CrawlPages }

func (p pagesOfJob) texts() (all []*string) {
	for i := range p.Pages {
		all = append(all, &p.Pages[i].Markdown)
	}
	return all
}

func (s jobStatus) texts() (all []*string) {
	for i := range s.Data {
		all = append(all, textsOf(&s.Data[i])...)
	}
	return all
}

func (s scraped) texts() []*string { return textsOf(s.Data) }

func (s searched) texts() (all []*string) {
	for i := range s.Data.Web {
		all = append(all, textsOf(s.Data.Web[i].Document)...)
	}
	return all
}

func textsOf(d *firecrawl.Document) []*string {
	if d == nil {
		return nil
	}
	return []*string{&d.Markdown, &d.HTML, &d.RawHTML, &d.Answer, &d.Highlights}
}

// sizeOf is how many bytes texts have.
func sizeOf(texts []*string) (n int) {
	for _, t := range texts {
		n += len(*t)
	}
	return n
}

// piecewise is an encoded object in which marks stand for long texts.
type piecewise struct {
	body  []byte
	mark  string // a string of JSON up to the number of the text; no page knows it
	texts []string
}

// inPieces encodes an answer; ok is false for one that is better encoded at once.
func inPieces(v any) (p piecewise, ok bool, err error) {
	l, is := v.(lengthy)
	if !is {
		return p, false, nil
	}
	if sizeOf(l.texts()) <= keptWhole {
		return p, false, nil
	}
	mark := rand.Text()
	p.mark = `"` + mark
	for _, t := range l.texts() {
		if len(*t) > longText {
			p.texts = append(p.texts, *t)
			*t = mark + strconv.Itoa(len(p.texts)-1)
		}
	}
	p.body, err = encode(v)
	return p, true, err
}

// write writes the object.
func (p piecewise) write(w io.Writer) error {
	for rest := p.body; ; {
		before, after, found := bytes.Cut(rest, []byte(p.mark))
		if _, err := w.Write(before); err != nil || !found {
			return err
		}
		number, after, _ := bytes.Cut(after, []byte(`"`))
		n, err := strconv.Atoi(string(number))
		if err == nil {
			err = writeText(w, p.texts[n])
		}
		if err != nil {
			return err
		}
		rest = after
	}
}

// writeText writes a text as a string of JSON.
func writeText(w io.Writer, s string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for b.WriteByte('"'); s != ""; b.Reset() {
		n := min(longText, len(s))
		for k := n; n < len(s) && k > n-utf8.UTFMax; k-- {
			if utf8.RuneStart(s[k]) {
				n = k
				break
			}
		}
		start := b.Len()
		if err := e.Encode(s[:n]); err != nil {
			return err
		}
		piece := b.Bytes()
		copy(piece[start:], piece[start+1:]) // without the quotation marks and the end of the line
		if _, err := w.Write(piece[:len(piece)-len("\"\"\n")]); err != nil {
			return err
		}
		s = s[n:]
	}
	_, err := w.Write([]byte{'"'})
	return err
}

// answerInPieces answers with an object to a client that may read slowly, though not for ever.
func answerInPieces(w http.ResponseWriter, p piecewise) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	w.Header().Set("Content-Type", formJSON)
	_ = p.write(w)
}
