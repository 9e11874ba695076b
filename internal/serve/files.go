package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file serves the files that tools have written, for example screenshots and
// PDFs, to their owner for one day. A caller needs the name of a file: names are random,
// only the answer of the call has them, and nothing lists them.

const (
	filesPath = "/v1/files/"
	// fileAge is how long a file is served unless Options say otherwise; the browser removes it after that time.
	fileAge = 24 * time.Hour
	// maxFileName bounds a name.
	maxFileName = 100
)

// withFile adds file_url, the path of the result's file, to an answer, which is a JSON
// object.
func (s *Server) withFile(body []byte, file string) []byte {
	if file == "" || s.o.Files == "" || filepath.Dir(file) != filepath.Clean(s.o.Files) {
		return body
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil || object == nil {
		return body
	}
	object["file_url"] = json.RawMessage(strconv.Quote(filesPath + filepath.Base(file)))
	with, err := encode(object)
	if err != nil {
		return body
	}
	return bytes.TrimSuffix(with, []byte("\n"))
}

// file answers with a file.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	f, info, err := s.openFile(id, principal.Of(r.Context()))
	if err != nil {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "there is no file "+quoted(id), "files are kept for "+span(s.o.FilesKeep)+"; make it again"))
		return
	}
	defer f.Close()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(fileTimeout))
	h := w.Header()
	h.Set("Content-Type", mediaTypeOf(id))
	h.Set("Content-Disposition", `attachment; filename=`+quoted(id))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if r.Method != http.MethodHead {
		_, _ = io.CopyN(w, f, info.Size()) // an error means that the client has closed the connection
	}
}

// fileTimeout is how long a client may take to read a file.
const fileTimeout = 2 * time.Minute

// openFile opens a file of a caller in the folder. Its names have one form, without
// separators, and end in the mark of their owner.
// It does not open a link, nor a file that becomes a link in the meantime.
func (s *Server) openFile(id string, caller principal.Caller) (*os.File, fs.FileInfo, error) {
	if s.o.Files == "" || len(id) > maxFileName || mediaTypeOf(id) == "" ||
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || strings.HasPrefix(id, ".") ||
		!strings.HasSuffix(strings.TrimSuffix(id, path.Ext(id)), "-"+caller.Mark()) {
		return nil, nil, fs.ErrNotExist
	}
	file := filepath.Join(s.o.Files, id)
	info, err := os.Lstat(file)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || time.Since(info.ModTime()) > s.o.FilesKeep {
		return nil, nil, fs.ErrNotExist
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(opened, info) {
		return nil, nil, errors.Join(fs.ErrNotExist, f.Close())
	}
	return f, info, nil
}

// mediaTypeOf returns the media type of a file that a tool writes, by its extension;
// "" for every other file, which is not served.
func mediaTypeOf(id string) string {
	switch path.Ext(id) {
	case ".png":
		return "image/png"
	case ".jpg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".pdf":
		return "application/pdf"
	}
	return ""
}

// span writes how long files are kept.
func span(d time.Duration) string {
	if d == fileAge {
		return "a day"
	}
	return d.String()
}
