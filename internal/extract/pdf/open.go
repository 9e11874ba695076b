package pdf

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// maxRead is how much the library may read of a file of so many bytes. It reads at least
// 4 KB for each object that stands in no object stream, and then holds 1.5 KB of it: the
// bound is one on some 50,000 such objects, and half as many where they have no table.
func maxRead(size int) int64 { return 200<<20 + 2*int64(size) }

// maxOutside bounds the objects that stand in no object stream. The library makes an entry
// for each before it reads one, so that maxRead comes too late. Where all entries of a table
// name one object, the entries count.
const maxOutside = 60_000

// outside counts the objects that stand in no object stream: where they begin, or the
// entries of tables in the old form that are in use, whichever are more.
func outside(body []byte) int {
	begin, entries := bytes.Count(body, []byte("obj"))-bytes.Count(body, []byte("endobj")), 0
	for _, end := range []string{" n \n", " n\r\n", " n \r", " n\n"} {
		entries += bytes.Count(body, []byte(end))
	}
	return max(begin, entries)
}

// maxJoined bounds what the library copies and searches while it repairs a table: it joins
// a line that ends in "obj" to the next one, and begins again with both. Ten thousand such
// lines of 500 bytes are 25 GB of copies, without a question whether to go on.
//
// It is for each byte, beside a MiB: of 495 files of other programs none needs 4.
const maxJoined = 64

// joined is that of a file of these bytes, if the library has to repair it.
func joined(body []byte) (all int64) {
	run, begin := 0, 0 // run is the size of the lines that are joined; 0: none is
	for i, c := range body {
		if c != '\n' && c != '\r' {
			continue
		}
		line := body[begin:i]
		begin = i + 1
		ends := bytes.HasSuffix(line, []byte("obj"))
		if run == 0 && !ends {
			continue
		}
		run += len(line)
		all += int64(run)
		// The library takes a comment for an empty line, and a short line can go on with
		// what a longer one began: "o", "bj".
		if !ends && len(line) >= len("obj") && !bytes.HasPrefix(bytes.TrimLeft(line, " \t\f"), []byte("%")) {
			run = 0
		}
	}
	return all
}

// maxPacked is what all object streams together may unpack to: they are held at once.
const maxPacked = 64 << 20

// document is an open PDF with what is left of its bounds.
type document struct {
	ctx     *model.Context
	steps   int
	decoded int64
	cut     bool    // something was left out
	spare   []glyph // room for the glyphs of the next page
	fonts   map[int]*font
	links   []page.Link
	seen    map[string]int // links by address: their place in links
	hidden  map[page.OmissionKind]int
	off     map[int]bool // layers that are switched off, by the numbers of their objects
	labels  int          // glyphs that may be looked at for the texts of links
}

// meter is a reader that runs dry: the library reads some places of a broken
// file again and again.
type meter struct {
	*bytes.Reader
	left int64
}

var errMeter = errors.New("the library reads too much")

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return 0, errMeter
	}
	return n, err
}

// patience is a context that ends after so many questions.
type patience struct {
	context.Context
	left int
	stop func() error // may be nil
}

var errPatience = errors.New("the document takes too many steps")

// tooDeep reports whether the library calls itself without end: it follows a
// stream whose filter is the stream itself until the stack is full.
func tooDeep() bool {
	var frame [1]uintptr
	return runtime.Callers(maxFrames, frame[:]) > 0
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 || p.left%64 == 0 && tooDeep() {
		return errPatience
	}
	if p.stop != nil && p.left%64 == 0 {
		if err := p.stop(); err != nil {
			return &stopped{err}
		}
	}
	return nil
}

// stopped is an error of Options.Stop on its way through the library.
type stopped struct{ error }

// open has the library read the structure. The configuration is made by hand:
// the library's default one is kept in a file in the user's home.
func open(body []byte, stop func() error) (d *document, err error) {
	defer func() {
		if r := recover(); r != nil {
			d, err = nil, &Error{Code: Malformed, Cause: fmt.Errorf("%v", r)}
		}
	}()
	if outside(body) > maxOutside || joined(body) > 1<<20+maxJoined*int64(len(body)) {
		return nil, &Error{Code: TooLarge, Cause: errMeter}
	}
	conf := &model.Configuration{
		Reader15: true, ValidationMode: model.ValidationRelaxed, Offline: true, Eol: types.EolLF,
		UnsupportedResourcePolicy: model.UnsupportedResourceSkip,
		Limits: model.ResourceLimits{
			MaxStreamBytes: int64(len(body)) + 1, MaxDecodeBytes: objectStreamLimit(body), MaxImagePixels: 1, MaxImageBytes: 1,
			MaxObjectCount: maxObjects, MaxXRefEntries: maxObjects, MaxObjectStreamCount: maxObjects / 4,
			MaxObjectStreamFirst: 4 << 20, MaxRecursionDepth: maxTreeDepth,
		},
	}
	in := &meter{bytes.NewReader(body), maxRead(len(body))}
	ctx, err := pdfcpu.ReadWithContext(&patience{context.Background(), maxLibraryUse, stop}, in, conf)
	var s *stopped
	switch {
	case errors.As(err, &s):
		return nil, s.error
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, &Error{Code: locked, Cause: err}
	case errors.Is(err, filter.ErrDecodeLimitExceeded), errors.Is(err, errMeter), errors.Is(err, errPatience):
		return nil, &Error{Code: TooLarge, Cause: err}
	case err != nil:
		return nil, &Error{Code: Malformed, Cause: err}
	}
	d = &document{ctx: ctx, labels: maxLabels, steps: maxSteps, decoded: maxDecoded, fonts: map[int]*font{}, seen: map[string]int{}, hidden: map[page.OmissionKind]int{}}
	share(ctx, body)
	d.readLayers()
	return d, nil
}

// share has the streams of a document use the bytes of its file where these are the
// same. The library keeps a copy of each stream, which together are as large as the file.
func share(ctx *model.Context, body []byte) {
	search := 16 * len(body)
	for _, entry := range ctx.Table {
		s, ok := entry.Object.(types.StreamDict)
		if !ok || s.StreamOffset <= 0 || s.StreamOffset > int64(len(body)) || len(s.Raw) == 0 && ctx.Encrypt != nil {
			continue
		}
		if same := body[s.StreamOffset:]; bytes.HasPrefix(same, s.Raw) {
			n := streamEnd(same, len(s.Raw), &search)
			s.Raw = same[:n:n]
			entry.Object = s
		}
	}
}

// streamEnd is how long a stream at the beginning of b is that states a length of n, which the
// library trusts. Where no endstream follows, it ends before the next one. search bounds the bytes
// that are looked at for that.
func streamEnd(b []byte, n int, search *int) int {
	const end = "endstream"
	if bytes.HasPrefix(bytes.TrimLeft(b[n:min(n+2*len(end), len(b))], "\x00\t\n\f\r "), []byte(end)) {
		return n
	}
	i := bytes.Index(b[:max(min(len(b), *search), 0)], []byte(end))
	if i < 0 {
		*search -= len(b)
		return n
	}
	*search -= i
	return len(bytes.TrimSuffix(bytes.TrimSuffix(b[:i], []byte("\n")), []byte("\r")))
}

// objectStreamLimit is what one object stream may unpack to. The library
// unpacks all of them at once and bounds each by itself, so that the bound is
// shared out by their number; a # in a name is an escape that could hide one.
func objectStreamLimit(body []byte) int64 {
	n := int64(1)
	for _, s := range []string{"/ObjStm", "/#", "/O#", "/Ob#", "/Obj#", "/ObjS#", "/ObjSt#"} {
		n += int64(bytes.Count(body, []byte(s)))
	}
	return min(max(maxPacked/n, 64<<10), maxStream)
}

// get resolves a reference; nil where there is nothing or too long a chain.
func (d *document) get(o types.Object) types.Object {
	for range 8 {
		if _, ok := o.(types.IndirectRef); !ok {
			return o
		}
		o = d.dereference(o)
	}
	return nil
}

func (d *document) dereference(o types.Object) (out types.Object) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	out, err := d.ctx.Dereference(o)
	if err != nil {
		return nil
	}
	return out
}

// dict returns a dictionary, that of a stream too, or nil.
func (d *document) dict(o types.Object) types.Dict {
	switch o := d.get(o).(type) {
	case types.Dict:
		return o
	case types.StreamDict:
		return o.Dict
	}
	return nil
}

func (d *document) array(o types.Object) types.Array {
	a, _ := d.get(o).(types.Array)
	return a
}

func (d *document) name(o types.Object) string {
	n, _ := d.get(o).(types.Name)
	return string(n)
}

func (d *document) number(o types.Object) (float64, bool) {
	switch o := d.get(o).(type) {
	case types.Integer:
		return float64(o), true
	case types.Float:
		return float64(o), true
	}
	return 0, false
}

// numbers reads an array of n numbers.
func (d *document) numbers(o types.Object, n int) []float64 {
	a := d.array(o)
	if len(a) < n {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		v, ok := d.number(a[i])
		if !ok {
			return nil
		}
		out[i] = v
	}
	return out
}

// text is a string of the document, such as its title.
func (d *document) text(o types.Object) (s string) {
	defer func() {
		if recover() != nil {
			s = ""
		}
	}()
	switch o := d.get(o).(type) {
	case types.StringLiteral:
		s, _ = types.StringLiteralToString(o)
	case types.HexLiteral:
		s, _ = types.HexLiteralToString(o)
	}
	return clean(s)
}

// stream unpacks a stream, within what is left of the bounds.
func (d *document) stream(o types.Object) (content []byte) {
	s, ok := d.get(o).(types.StreamDict)
	if !ok {
		return nil
	}
	defer func() {
		if recover() != nil {
			content = nil
		}
	}()
	limit := min(d.decoded, maxStream)
	if limit <= 0 {
		d.cut = true
		return nil
	}
	if len(s.FilterPipeline) > 0 && s.FilterPipeline[0].Name == "ASCIIHexDecode" {
		// The library refuses short and odd streams of this filter.
		l := lexer{b: append([]byte("<"), s.Raw...)}
		s.Raw, s.FilterPipeline = l.hex(), s.FilterPipeline[1:]
		if len(s.FilterPipeline) == 0 {
			d.decoded -= int64(len(s.Raw))
			return s.Raw
		}
	}
	if err := s.DecodeWithLimit(limit); err != nil {
		if errors.Is(err, filter.ErrDecodeLimitExceeded) {
			d.cut = true
			d.decoded -= limit
			return nil
		}
		s.Content = d.beforeDamage(s, limit)
	}
	d.decoded -= int64(len(s.Content))
	return s.Content
}

// beforeDamage is what a stream unpacks to before the place where it is damaged.
func (d *document) beforeDamage(s types.StreamDict, limit int64) []byte {
	if len(s.FilterPipeline) != 1 || s.FilterPipeline[0].Name != "FlateDecode" || s.FilterPipeline[0].DecodeParms != nil || len(s.Raw) < 2 {
		return nil
	}
	b, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(s.Raw[2:])), limit)) // behind the header of zlib
	d.cut = d.cut || len(b) > 0
	return b
}

// pageDict is a page with what it inherits.
type pageDict struct {
	dict      types.Dict
	resources types.Dict
	box       []float64
	rotate    int
}

// pages walks the page tree, each node once.
func (d *document) pages() []pageDict {
	var out []pageDict
	visited := map[int]bool{}
	var walk func(o types.Object, from pageDict, depth int)
	walk = func(o types.Object, from pageDict, depth int) {
		if ref, ok := o.(types.IndirectRef); ok {
			n := int(ref.ObjectNumber)
			if visited[n] {
				return
			}
			visited[n] = true
		}
		node := d.dict(o)
		if node == nil || depth > maxTreeDepth {
			return
		}
		if len(out) >= maxPages {
			d.cut = true
			return
		}
		from = d.inherit(from, node)
		if kids := d.array(node["Kids"]); kids != nil && d.name(node["Type"]) != "Page" {
			for _, k := range kids {
				walk(k, from, depth+1)
			}
			return
		}
		out = append(out, from)
	}
	if root := d.catalog(); root != nil {
		walk(root["Pages"], pageDict{box: []float64{0, 0, 612, 792}}, 0)
	}
	return out
}

// inherit is a node of the page tree with what it has of those above it.
func (d *document) inherit(from pageDict, node types.Dict) pageDict {
	from.dict = node
	if r := d.dict(node["Resources"]); r != nil {
		from.resources = r
	}
	for _, key := range []string{"MediaBox", "CropBox"} {
		if b := d.numbers(node[key], 4); b != nil && b[0] != b[2] && b[1] != b[3] {
			from.box = b
		}
	}
	if v, ok := d.number(node["Rotate"]); ok && v > -1e6 && v < 1e6 {
		from.rotate = (int(v)/90%4 + 4) % 4
	}
	return from
}

func (d *document) catalog() types.Dict {
	if d.ctx.Root == nil {
		return nil
	}
	return d.dict(*d.ctx.Root)
}

// meta reads the document information, ISO 32000-1, section 14.3.3.
func (d *document) meta() page.Meta {
	var m page.Meta
	if root := d.catalog(); root != nil {
		if lang := d.text(root["Lang"]); len(lang) <= 35 && !strings.ContainsAny(lang, " <>") {
			m.Language = lang
		}
	}
	if d.ctx.Info == nil {
		return m
	}
	info := d.dict(*d.ctx.Info)
	m.Title, m.Byline, m.Excerpt = d.text(info["Title"]), d.text(info["Author"]), d.text(info["Subject"])
	m.Published, m.Modified = date(d.text(info["CreationDate"])), date(d.text(info["ModDate"]))
	// Titles that programs fill in by themselves are left out.
	if low := strings.ToLower(m.Title); low == "untitled" || strings.HasPrefix(low, "microsoft word - ") || strings.HasSuffix(low, ".dvi") {
		m.Title = ""
	}
	return m
}

// date makes ISO 8601 of D:YYYYMMDDHHmmSSOHH'mm', section 7.9.4; "" where the day is not
// all there.
func date(s string) string {
	t, ok := types.DateTime(s, true)
	s = strings.TrimPrefix(s, "D:")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch {
	case !ok || digits < len("20060102"):
		return ""
	case digits < len("20060102150405"):
		return t.Format(time.DateOnly)
	case digits == len(s):
		return t.Format("2006-01-02T15:04:05")
	}
	return t.Format(time.RFC3339)
}
