// Package ocr provides the text of pictures, as the program tesseract recognizes it.
//
//	r := ocr.New(pool.Run)
//	text, err := r.Text(ctx, picture, "de")
//	if errors.Is(err, ocr.ErrNotInstalled) {
//		// the user can install it
//	}
//
// # Guarantees
//
// The program runs as package worker confines it: without network, without writing files,
// and until the context or a time limit ends it. What it prints is bounded and treated as
// bytes from outside. Nothing is started before the first picture.
//
// # Limits
//
// The text has errors. Where the language of the picture is not known, at most three of the
// installed languages are tried, and text in others is not recognized.
package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the sizes of these formats
	_ "image/jpeg"
	_ "image/png"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/worker"
)

// The limits of this package.
const (
	timeout       = 20 * time.Second // for a picture
	listTimeout   = 10 * time.Second // for the list of languages
	maxPixels     = 40_000_000       // A4 at 600 dots per inch has 35 million
	minSide       = 16               // pixels: smaller pictures hold no line of text
	maxLanguages  = 3                // that are tried where none is known
	minConfidence = 45               // percent, of a paragraph: photographs give less
)

const program = "tesseract"

// ErrNotInstalled says that the program is missing.
var ErrNotInstalled = errors.New("tesseract is not installed (on Debian: apt install tesseract-ocr)")

// Reader recognizes text. It is safe for concurrent use.
type Reader struct {
	run func(context.Context, worker.Command) ([]byte, error)

	mu        sync.Mutex
	languages []string // that are installed; nil: not known yet
}

// New returns a Reader that runs programs with run: [worker.Pool.Run].
func New(run func(context.Context, worker.Command) ([]byte, error)) *Reader { return &Reader{run: run} }

// Text returns the paragraphs of a picture. tag is the BCP 47 tag of its language; "" is
// unknown. The error is ErrNotInstalled, that of the context, or says why the picture is
// not read.
func (r *Reader) Text(ctx context.Context, picture []byte, tag string) ([]string, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(picture))
	switch {
	case err != nil: // of another format
	case min(c.Width, c.Height) < minSide:
		return nil, nil
	case c.Width > maxPixels/c.Height:
		return nil, fmt.Errorf("a picture has more than %d million pixels", maxPixels/1_000_000)
	}
	installed, err := r.installed(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"stdin", "stdout", "-l", strings.Join(choose(tag, installed), "+"), "-c", "tessedit_create_tsv=1"}
	if slices.Contains(installed, "osd") {
		args = append(args, "--psm", "1") // it turns pictures that lie on a side
	}
	out, err := r.tesseract(ctx, timeout, picture, args...)
	if err != nil {
		return nil, err
	}
	return paragraphs(out), nil
}

func (r *Reader) tesseract(ctx context.Context, timeout time.Duration, input []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := worker.Command{Name: program, Args: args, Input: input, Env: []string{"OMP_THREAD_LIMIT=1"}}
	if dir, ok := os.LookupEnv("TESSDATA_PREFIX"); ok {
		c.Env = append(c.Env, "TESSDATA_PREFIX="+dir)
	}
	out, err := r.run(ctx, c)
	if errors.Is(err, worker.ErrNotInstalled) {
		return nil, ErrNotInstalled
	}
	return out, err
}

// installed lists the languages of the program, once.
func (r *Reader) installed(ctx context.Context) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.languages != nil {
		return r.languages, nil
	}
	out, err := r.tesseract(ctx, listTimeout, nil, "--list-langs")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); isLanguage(line) {
			r.languages = append(r.languages, line)
		}
	}
	if len(choose("", r.languages)) == 0 {
		r.languages = nil
		return nil, fmt.Errorf("%s has no language installed (Debian: tesseract-ocr-eng)", program)
	}
	return r.languages, nil
}

// isLanguage reports whether a line is the name of a language, e.g. "chi_sim", and not a
// heading or a script.
func isLanguage(s string) bool {
	return len(s) >= len("eng") && len(s) <= 20 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// choose returns the languages for a picture: its own with English, or those that are
// installed.
func choose(tag string, installed []string) []string {
	out := []string{nameOf(tag), "eng"}
	if !slices.Contains(installed, out[0]) {
		out = append(out[1:], installed...)
	}
	seen := map[string]bool{"osd": true, "equ": true} // no languages
	out = slices.DeleteFunc(out, func(l string) bool {
		drop := seen[l] || !slices.Contains(installed, l)
		seen[l] = true
		return drop
	})
	return out[:min(len(out), maxLanguages)]
}

// nameOf is tesseract's name of a language: ISO 639-2, and the script of Chinese.
func nameOf(tag string) string {
	t, err := language.Parse(tag)
	if err != nil || tag == "" {
		return ""
	}
	base, _ := t.Base()
	switch name := base.ISO3(); name {
	case "zho":
		if script, _ := t.Script(); script.String() == "Hant" {
			return "chi_tra"
		}
		return "chi_sim"
	default:
		return name
	}
}

// paragraphs reads a table of words as tesseract prints it: level, page, block, paragraph,
// line, word, four numbers of a box, confidence, text. Other lines are skipped.
func paragraphs(table []byte) (out []string) {
	var b strings.Builder
	place, line, words, sum := "", "", 0, 0.0
	end := func() {
		if s := text.Line(b.String()); words > 0 && sum/float64(words) >= minConfidence && strings.ContainsFunc(s, isWordRune) {
			out = append(out, s)
		}
		b.Reset()
		words, sum = 0, 0
	}
	for row := range strings.Lines(strings.ToValidUTF8(string(table), "")) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", 12)
		if len(f) < 12 || f[0] != "5" {
			continue
		}
		confidence, err := strconv.ParseFloat(f[10], 64)
		word := strings.TrimSpace(f[11])
		if err != nil || word == "" {
			continue
		}
		if at := strings.Join(f[1:4], " "); at != place {
			end()
			place, line = at, f[4]
		}
		join(&b, word, f[4] != line)
		line = f[4]
		words++
		sum += confidence
	}
	end()
	return out
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// join appends a word: without a space in writing that has none, and without the hyphen of
// a word that goes on in a new line.
func join(b *strings.Builder, word string, newLine bool) {
	before := b.String()
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(word)
	hyphenated, ok := strings.CutSuffix(before, "-")
	switch {
	case before == "", unspaced(last) && unspaced(first):
	case newLine && ok && unicode.IsLower(first):
		b.Reset()
		b.WriteString(hyphenated)
	default:
		b.WriteByte(' ')
	}
	b.WriteString(word)
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}
