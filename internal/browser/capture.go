package browser

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"image"
	_ "image/jpeg" // sizes of captures
	_ "image/png"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Shot selects what a picture shows. The zero value is the window, as PNG.
type Shot struct {
	// FullPage takes the whole page, down to maxShotPixels.
	FullPage bool
	// Ref takes one element.
	Ref string
	// Marks draws the refs of the last snapshot beside what they name.
	Marks bool
	// Format is "png" (the default), "jpeg" or "webp".
	Format string
	// Quality is that of a jpeg, 1 to 100; 0 means 80.
	Quality int
}

// Capture is a file that was made of a page.
type Capture struct {
	Page
	Path          string
	MIME          string
	Data          []byte
	Width, Height int
	// Pages is that of a PDF.
	Pages int
}

// Screenshot takes a picture and writes it into Options.CaptureDir.
func (b *Browser) Screenshot(ctx context.Context, at Place, q Shot) (*Capture, error) {
	if q.Format == "" {
		q.Format = "png"
	}
	if q.Format != "png" && q.Format != "jpeg" && q.Format != "webp" {
		return nil, tool.NewError(tool.InvalidInput, "format "+text.Quoted(q.Format)+" is unknown", "it is png, jpeg or webp")
	}
	var out *Capture
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.dismiss(ctx)
		data, width, height, err := t.shoot(ctx, q)
		if err == nil && len(data) > maxShotBytes && q.Format == "png" {
			q.Format = "jpeg"
			data, width, height, err = t.shoot(ctx, q)
		}
		if err != nil {
			return err
		}
		out = &Capture{MIME: "image/" + q.Format, Data: data, Width: width, Height: height}
		return b.keep(ctx, t, out, q.Format)
	})
	return out, err
}

func (t *tab) shoot(ctx context.Context, q Shot) (data []byte, width, height int, err error) {
	err = t.reading(ctx, func(ctx context.Context) (err error) {
		data, width, height, err = t.shootDocument(ctx, q)
		return err
	})
	return data, width, height, err
}

func (t *tab) shootDocument(ctx context.Context, q Shot) (data []byte, width, height int, err error) {
	if q.Marks {
		if err := t.mark(ctx); err != nil {
			return nil, 0, 0, err
		}
		defer t.unmark(context.WithoutCancel(ctx))
	}
	p := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormat(q.Format)}
	if q.Format == "jpeg" {
		p.Quality = new(int64(cmp.Or(q.Quality, 80)))
	}
	switch {
	case q.Ref != "":
		if p.Clip, err = t.clip(ctx, q.Ref); err != nil {
			return nil, 0, 0, err
		}
		p.CaptureBeyondViewport = new(true)
	case q.FullPage:
		m, err := call(ctx, t.main, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return nil, 0, 0, err
		}
		p.Clip = &page.Viewport{Width: min(max(m.CSSContentSize.Width, 1), maxShotPixels), Height: min(max(m.CSSContentSize.Height, 1), maxShotPixels), Scale: 1}
		p.CaptureBeyondViewport = new(true)
	}
	res, err := call(ctx, t.main, page.CaptureScreenshot, p)
	if err != nil {
		return nil, 0, 0, err
	}
	width, height = int(t.width), int(t.height)
	if p.Clip != nil {
		width, height = int(p.Clip.Width), int(p.Clip.Height)
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(res.Data)); err == nil {
		width, height = c.Width, c.Height
	}
	return res.Data, width, height, nil
}

// clip returns the box of an element on the page.
func (t *tab) clip(ctx context.Context, ref string) (*page.Viewport, error) {
	e, err := t.element(ctx, ref)
	if err != nil {
		return nil, err
	}
	box, err := call(ctx, e.session, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: e.node})
	if err != nil {
		return nil, e.stale(err)
	}
	m, err := call(ctx, t.main, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	q := box.Model.Border
	if len(q) != 8 {
		return nil, staleRef(ref)
	}
	x, y := min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7])
	w, h := max(q[0], q[2], q[4], q[6])-x, max(q[1], q[3], q[5], q[7])-y
	return &page.Viewport{X: x + float64(m.CSSVisualViewport.PageX), Y: y + float64(m.CSSVisualViewport.PageY),
		Width: min(max(w, 1), maxShotPixels), Height: min(max(h, 1), maxShotPixels), Scale: 1}, nil
}

// mark draws the refs of the last snapshot onto the page, in a closed shadow
// root that no script of the page can look into.
func (t *tab) mark(ctx context.Context) error {
	if _, err := t.lookOnce(ctx); err != nil {
		return err
	}
	type mark struct {
		Ref        string
		X, Y, W, H float64
	}
	marks := []mark{} // an empty list for the script, not null
	for i := range t.last.Lines {
		for _, ref := range t.last.Lines[i].Refs {
			e, err := t.named(ctx, ref)
			if err != nil || e.session != t.main || len(marks) >= maxMarks {
				continue
			}
			q, err := call(ctx, e.session, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: e.node})
			if err != nil || len(q.Quads) == 0 || len(q.Quads[0]) != 8 {
				if err != nil && !refused(err) {
					return err
				}
				continue
			}
			b := q.Quads[0]
			marks = append(marks, mark{ref, b[0], b[1], b[4] - b[0], b[5] - b[1]})
		}
	}
	list, err := json.Marshal(marks)
	if err != nil {
		return err
	}
	_, err = t.main.ask(ctx, cdp.FrameID(t.target), script("mark")+"("+string(list)+")")
	return err
}

func (t *tab) unmark(ctx context.Context) {
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	_ = t.is(ctx, `globalThis.marks?.remove()`)
}

// papers are sizes of paper, in inches.
var papers = map[string][2]float64{"Letter": {8.5, 11}, "Legal": {8.5, 14}, "Tabloid": {11, 17}, "Ledger": {17, 11},
	"A0": {33.11, 46.81}, "A1": {23.39, 33.11}, "A2": {16.54, 23.39}, "A3": {11.69, 16.54}, "A4": {8.27, 11.69}, "A5": {5.83, 8.27}, "A6": {4.13, 5.83}}

// PDF prints the page and writes it into Options.CaptureDir. format is a size of paper; with
// "" it is that of the page, or else Letter. scale is 0.1 to 2; 0 means 1.
func (b *Browser) PDF(ctx context.Context, at Place, format string, landscape bool, scale float64) (*Capture, error) {
	size := papers[format]
	q := page.PrintToPDFParams{PrintBackground: new(true), PreferCSSPageSize: new(format == ""), Landscape: &landscape, Scale: scale, PaperWidth: size[0], PaperHeight: size[1]}
	var out *Capture
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.dismiss(ctx)
		var res page.PrintToPDFResult
		err := t.reading(ctx, func(ctx context.Context) (err error) {
			res, err = call(ctx, t.main, page.PrintToPDF, q)
			return err
		})
		if err != nil {
			return err
		}
		out = &Capture{MIME: "application/pdf", Data: res.Data, Pages: countPages(res.Data)}
		return b.keep(ctx, t, out, "pdf")
	})
	return out, err
}

// countPages counts the page objects of a PDF as Skia writes it: each stands
// outside of any compressed stream.
func countPages(pdf []byte) int {
	n := 0
	for rest := pdf; ; {
		i := bytes.Index(rest, []byte("/Type /Page"))
		if i < 0 {
			return n
		}
		rest = rest[i+len("/Type /Page"):]
		if len(rest) == 0 || rest[0] != 's' {
			n++
		}
	}
}

// keep writes a capture, and removes those that are too old.
func (b *Browser) keep(ctx context.Context, t *tab, c *Capture, ending string) error {
	where, err := t.describe(ctx)
	if err != nil {
		return err
	}
	c.Page = *where
	dir := b.options.CaptureDir
	if dir == "" {
		return tool.NewError(tool.BrowserError, "there is no folder to write captures to", "set WEB_DATA_DIR")
	}
	err = os.MkdirAll(dir, 0o700)
	if err == nil {
		sweepCaptures(dir, cmp.Or(b.options.CaptureKeep, captureAge))
		c.Path = filepath.Join(dir, captureName(principal.Of(ctx).Mark(), strings.Replace(ending, "jpeg", "jpg", 1)))
		err = os.WriteFile(c.Path, c.Data, 0o600)
	}
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return &tool.Error{Type: tool.BrowserError, Message: "the capture cannot be written to " + text.Path(dir) + ": " + text.Cause(err), Hint: "make room, or set WEB_DATA_DIR", Cause: err}
	}
	return nil
}

// Sight is what a person sees of a tab that an agent uses.
type Sight struct {
	JPEG          []byte
	Width, Height int
	// X, Y, W and H are the place of an element in the picture; W is 0 where it is not
	// in the window.
	X, Y, W, H float64
}

// Watch takes a picture of the window of a tab for a person who watches, and finds the
// element of a ref in it. It writes no file, draws nothing into the page and leaves
// dialogs as they are. ref may be empty; one that is stale has no place.
func (b *Browser) Watch(ctx context.Context, at Place, ref string) (*Sight, error) {
	ctx, cancel := within(ctx, watchLimit)
	defer cancel()
	out := new(Sight)
	err := b.on(ctx, at, watchLimit, func(ctx context.Context, _ *browserContext, t *tab) error {
		var err error
		if out.JPEG, out.Width, out.Height, err = t.shoot(ctx, Shot{Format: "jpeg"}); err != nil || ref == "" {
			return err
		}
		clip, err := t.clip(ctx, ref)
		if err != nil {
			return nil // the action has changed the page
		}
		m, err := call(ctx, t.main, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return nil
		}
		x, y := clip.X-float64(m.CSSVisualViewport.PageX), clip.Y-float64(m.CSSVisualViewport.PageY)
		if x < float64(out.Width) && y < float64(out.Height) && x+clip.Width > 0 && y+clip.Height > 0 {
			out.X, out.Y, out.W, out.H = x, y, clip.Width, clip.Height
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
