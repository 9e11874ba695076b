package computed

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif" // pictures of one colour are GIF or PNG files
	_ "image/png"
	"strings"
)

// A picture that is in its address and has one colour is a background of that colour. Others
// are not read.
const (
	maxPicture = 2000 // bytes of the address
	maxSide    = 32   // pixels
)

// flatPicture returns the colour of the picture in a url() if all of it has one colour.
func flatPicture(layer string) (rgb, bool) {
	address, ok := call(layer, "url")
	address = strings.Trim(strings.TrimSpace(address), `"'`)
	head, data, found := strings.Cut(address, ",")
	if !ok || !found || len(address) > maxPicture || !strings.EqualFold(head, "data:image/gif;base64") && !strings.EqualFold(head, "data:image/png;base64") {
		return rgb{}, false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(data))
	if err != nil {
		return rgb{}, false
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil || size.Width > maxSide || size.Height > maxSide {
		return rgb{}, false
	}
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil || picture.Bounds().Empty() {
		return rgb{}, false
	}
	return oneColor(picture)
}

func oneColor(picture image.Image) (rgb, bool) {
	b := picture.Bounds()
	first := picture.At(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if picture.At(x, y) != first {
				return rgb{}, false
			}
		}
	}
	switch red, green, blue, alpha := first.RGBA(); alpha {
	case 0:
		return rgb{clear: true, known: true, thin: true}, true
	case 0xffff:
		return rgb{r: uint8(red >> 8), g: uint8(green >> 8), b: uint8(blue >> 8), known: true}, true
	}
	return rgb{}, false
}
