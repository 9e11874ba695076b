package sitemap

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Decompress returns a body without its gzip compression, which files named
// *.xml.gz have besides that of the transfer; any other body comes back as it is.
// It reads at most limit bytes. incomplete says why the result is not the whole
// file, in words that fit after "incomplete: "; it is empty when it is. A file
// that breaks off gives what came before the break; the error says that nothing
// came at all.
func Decompress(body []byte, limit int) (plain []byte, incomplete string, err error) {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		return body, "", nil
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, "", &Error{What: "a broken gzip file"}
	}
	plain, err = io.ReadAll(io.LimitReader(z, int64(limit)+1))
	switch {
	case len(plain) > limit:
		return plain[:limit], fmt.Sprintf("the first %d MiB were read", limit>>20), nil
	case err != nil && len(plain) == 0:
		return nil, "", &Error{What: "a broken gzip file"}
	case err != nil:
		return plain, "the compressed file breaks off", nil
	}
	return plain, "", nil
}
