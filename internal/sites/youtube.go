package sites

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// track is one of the captions of a video.
type track struct {
	URL      string `json:"baseUrl"`
	Kind     string // "asr" for those made by a machine
	Language string `json:"languageCode"`
}

// youTube reads the captions that the page of a video names in its player's data: those of
// a person before those made by a machine. A page without captions has no variant.
func youTube(u weburl.URL, body []byte) *Variant {
	if host := strings.TrimPrefix(u.Host(), "www."); host != "youtube.com" && host != "m.youtube.com" || u.Path() != "/watch" && !strings.HasPrefix(u.Path(), "/shorts/") {
		return nil
	}
	var tracks []track
	var video struct{ Title, Author, LengthSeconds, ShortDescription string }
	if !member(body, "captionTracks", &tracks) || !member(body, "videoDetails", &video) || len(tracks) == 0 {
		return nil
	}
	best := tracks[max(slices.IndexFunc(tracks, func(t track) bool { return t.Kind != "asr" }), 0)]
	t, err := u.Resolve(best.URL)
	if err != nil || t.Host() != "www.youtube.com" || t.Scheme() != "https" || t.Path() != "/api/timedtext" {
		return nil
	}
	spoken := best.Language
	if best.Kind == "asr" {
		spoken += ", made by a machine"
	}
	vars := map[string]string{"title": video.Title, "author": video.Author, "seconds": video.LengthSeconds, "about": video.ShortDescription, "spoken": spoken}
	return variant("captions that the page names", ask{address: t.WithoutFragment().String() + "&fmt=json3"}, program("forums.jq", "captions", vars))
}

// member decodes the first value of a name in the data of scripts; ok is false where there
// is none.
func member(body []byte, name string, v any) (ok bool) {
	_, rest, found := bytes.Cut(body, []byte(`"`+name+`":`))
	return found && json.NewDecoder(bytes.NewReader(rest)).Decode(v) == nil
}
