package document

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// archive is a zip file whose parts are read by name.
type archive struct {
	b     *builder
	files map[string]*zip.File
	left  int64
	trees map[string]*node // of parts that may be referred to often
}

// shared reads an entry as XML, once.
func (a *archive) shared(name string) *node {
	t, ok := a.trees[name]
	if !ok {
		t = a.tree(name)
		a.trees[name] = t
	}
	return t
}

func openArchive(b *builder, body []byte) (*archive, *zip.Reader, error) {
	// Only reading the directory shows whether it is bad; the library limits
	// what it allocates by the size of the file.
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, nil, err
	}
	if len(r.File) > maxEntries {
		return nil, nil, &Error{Code: TooLarge, Cause: fmt.Errorf("it has %d entries", len(r.File))}
	}
	a := &archive{b: b, files: make(map[string]*zip.File, len(r.File)), left: maxUnpacked, trees: map[string]*node{}}
	for _, f := range r.File {
		a.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	return a, r, nil
}

// has reports whether there is an entry.
func (a *archive) has(name string) bool {
	return a.files[strings.TrimPrefix(path.Clean(name), "/")] != nil
}

// unpack reads one entry, or nil, and reports whether it is larger than the bounds. An
// entry that breaks off gives what is before that.
func (a *archive) unpack(name string) (b []byte, larger bool, err error) {
	f := a.files[strings.TrimPrefix(path.Clean(name), "/")]
	if f == nil {
		return nil, false, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	limit := min(a.left, maxPart)
	// The size that the file states, as far as it can be true, saves copies.
	var out bytes.Buffer
	out.Grow(int(min(int64(f.UncompressedSize64), limit, int64(f.CompressedSize64)*maxCompression)) + bytes.MinRead)
	_, err = io.Copy(&out, io.LimitReader(r, limit+1))
	b = out.Bytes()
	if larger = int64(len(b)) > limit; larger {
		b = b[:limit]
	}
	if larger || err != nil && len(b) > 0 {
		b, a.b.cut, err = bytes.ToValidUTF8(b, nil), true, nil // a character may be cut
	}
	a.left -= int64(len(b))
	return b, larger, err
}

// tree reads one entry as XML, or nil. One that is damaged is left out; its error is that
// of a document without content.
func (a *archive) tree(name string) *node {
	b, larger, err := a.unpack(name)
	if err == nil && (b == nil || larger && len(b) == 0) {
		return nil
	}
	var t *node
	more := false
	if err == nil {
		t, more, err = parseXML(b)
	}
	if err != nil && larger {
		err = &Error{Code: TooLarge, Cause: fmt.Errorf("%s unpacks to more than %d bytes", text.Line(name), len(b))}
	}
	a.b.cut = a.b.cut || more || err != nil
	a.b.damage = cmp.Or(a.b.damage, err)
	return t
}

// readListing lists what a zip file holds.
func readListing(b *builder, body []byte) error {
	_, r, err := openArchive(b, body)
	if err != nil {
		return err
	}
	rows := [][]string{{"Name", "Bytes", "Modified"}}
	total := uint64(0)
	for i, f := range r.File {
		total += f.UncompressedSize64
		if i >= maxListed {
			b.cut = true
			continue
		}
		size := fmt.Sprint(f.UncompressedSize64)
		if strings.HasSuffix(f.Name, "/") {
			size = ""
		}
		day := ""
		if y := f.Modified.Year(); y > firstZipYear && y < lastZipYear {
			day = f.Modified.Format(time.DateOnly)
		}
		rows = append(rows, []string{f.Name, size, day})
	}
	b.Type = "other"
	b.paragraph(fmt.Sprintf("Zip file with %s, %s unpacked.", text.Count(len(r.File), "entry"), text.Count(int(total), "byte")))
	if len(rows) > 1 {
		b.table(rows)
	}
	return nil
}
