package sites

import (
	"bytes"
	"strings"
)

// This file is for pages that are about one file, which is the content.

// rawFile returns the variant of a file's page that is the file itself. The
// extension of name decides about the media type.
func rawFile(address, name string) *Variant {
	return variant("raw file", ask{address: address}, func(b *builder, have []Response) error {
		r := have[0]
		if bytes.HasPrefix(r.Body, []byte("version https://git-lfs.github.com/spec/")) {
			return errShape // a Git LFS pointer, not the file
		}
		err := b.whole(b.o.Read(r.Body, fileType(r.MediaType, name), b.o.URL, ""))
		if err == nil {
			b.Meta.Title = first(b.Meta.Title, clean(name))
			if r.Truncated {
				b.cut()
			}
		}
		return err
	})
}

// patch returns the variant of a change's page that is the patch as text.
func patch(q ask) *Variant {
	return variant("patch", q, func(b *builder, have []Response) error {
		r := have[0]
		if r.MediaType != "text/plain" && !strings.HasSuffix(r.MediaType, "diff") && !strings.HasSuffix(r.MediaType, "patch") {
			return errShape
		}
		err := b.whole(b.o.Read(r.Body, "text/plain", strings.TrimSuffix(b.o.URL, "/")+".patch", ""))
		if err == nil && r.Truncated {
			b.cut()
		}
		return err
	})
}

func first(s ...string) string {
	for _, x := range s {
		if strings.TrimSpace(x) != "" {
			return x
		}
	}
	return ""
}
