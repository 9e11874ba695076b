package reader

import (
	"context"
	"errors"
	"testing"
)

// TestOfFileElsewhere: documents of which the readers are large are read where the caller
// says, others in this process.
func TestOfFileElsewhere(t *testing.T) {
	killed := errors.New("the worker was ended")
	for mediaType, elsewhere := range map[string]bool{"application/pdf": true, "message/rfc822": true, "text/html": false, "application/json": false} {
		asked := false
		f := File{Body: []byte("{}"), MediaType: mediaType, Charset: "utf-8", Documents: func(context.Context, ...[]byte) ([]byte, error) {
			asked = true
			return nil, killed
		}}
		_, err := OfFile(t.Context(), f, Request{})
		if asked != elsewhere || errors.Is(err, killed) != elsewhere {
			t.Errorf("%s: asked %v, %v", mediaType, asked, err)
		}
	}
}
