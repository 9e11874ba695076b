package snapshot

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Rules of advertisements. Most of them stand in frames, and the document of such a frame is
// not content. A frame is one if it says so itself, or a box that is made for it, or if it is
// of another site and has one of the sizes in which advertisements are sold.

// adWords are words of ids, names and classes, adPrefixes beginnings of such words.
var adWords = map[string]bool{"ad": true, "ads": true, "adv": true, "gpt": true, "dfp": true, "mpu": true, "taboola": true, "outbrain": true, "criteo": true, "prebid": true}
var adPrefixes = []string{"advert", "adslot", "adunit", "adbox", "adframe", "adcontainer", "adwrapper", "adsby", "adsense", "googlead", "sponsor", "doubleclick"}

// adTitles are beginnings of what a frame is called for those who do not see it.
var adTitles = []string{"advert", "3rd party ad", "ad content", "anzeige", "werbung", "publicit", "publicid", "pubblicit", "anúncio", "reklam", "advertentie", "annons", "реклама", "広告", "广告"}

// adSizes are common fixed sizes of advertisements, in CSS pixels: width and height. Most are
// guidelines of the Interactive Advertising Bureau.
var adSizes = [][2]float64{{300, 250}, {336, 280}, {728, 90}, {970, 90}, {970, 250}, {160, 600}, {120, 600}, {300, 600}, {320, 50}, {300, 50}, {320, 100}, {468, 60}, {250, 250}, {300, 1050}, {970, 66}}

// isAdvert reports whether a frame of a page shows an advertisement.
func (d *doc) isAdvert(frame int, page, inner weburl.URL) bool {
	for _, name := range []string{"title", "aria-label"} {
		s := strings.ToLower(strings.TrimSpace(d.attr(frame, name)))
		for _, t := range adTitles {
			if strings.HasPrefix(s, t) {
				return true
			}
		}
	}
	_, _, width, height, _ := d.box(frame)
	const border = 4 // of both sides
	if !weburl.SameSite(page, inner) {
		for _, s := range adSizes {
			if w, h := width-s[0], height-s[1]; w == h && (w == 0 || w == border) {
				return true
			}
		}
	}
	const levels, more, beside = 4, 1.5, 60 // a box that is made for a frame is about as high
	for i, n := frame, 0; i > 0 && n <= levels; i, n = d.up(i), n+1 {
		if _, _, _, h, ok := d.box(i); ok && h > more*height+beside {
			return false
		}
		for _, name := range []string{"id", "name", "class"} {
			if hasAdWord(d.attr(i, name)) {
				return true
			}
		}
	}
	return false
}

// hasAdWord reports whether a name has a word for advertisements.
func hasAdWord(name string) bool {
	const most = 400 // bytes
	name = name[:min(len(name), most)]
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if adWords[word] {
			return true
		}
		for _, p := range adPrefixes {
			if strings.HasPrefix(word, p) {
				return true
			}
		}
	}
	return false
}
