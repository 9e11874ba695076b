package sites

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// youTube reads the captions that the page of a video names in its player's data: those of
// a person before those made by a machine. A page without captions has no variant.
func youTube(u weburl.URL, body []byte) *Variant {
	if host := strings.TrimPrefix(u.Host(), "www."); host != "youtube.com" && host != "m.youtube.com" || u.Path() != "/watch" && !strings.HasPrefix(u.Path(), "/shorts/") {
		return nil
	}
	var tracks []struct {
		URL      string `json:"baseUrl"`
		Kind     string // "asr" for those made by a machine
		Language string `json:"languageCode"`
	}
	var video youTubeVideo
	if !member(body, "captionTracks", &tracks) || !member(body, "videoDetails", &video) || len(tracks) == 0 {
		return nil
	}
	best := tracks[0]
	for _, t := range tracks {
		if best.Kind == "asr" && t.Kind != "asr" {
			best = t
		}
	}
	t, err := u.Resolve(best.URL)
	if err != nil || t.Host() != "www.youtube.com" || t.Scheme() != "https" || t.Path() != "/api/timedtext" {
		return nil
	}
	video.spoken = best.Language
	if best.Kind == "asr" {
		video.spoken += ", made by a machine"
	}
	return variant("captions that the page names", ask{address: t.WithoutFragment().String() + "&fmt=json3"}, video.transcript)
}

// member decodes the first value of a name in the data of scripts; ok is false where there
// is none.
func member(body []byte, name string, v any) (ok bool) {
	_, rest, found := bytes.Cut(body, []byte(`"`+name+`":`))
	return found && json.NewDecoder(bytes.NewReader(rest)).Decode(v) == nil
}

type youTubeVideo struct {
	Title, Author string
	Seconds       string `json:"lengthSeconds"`
	About         string `json:"shortDescription"`
	spoken        string // the language of the captions
}

// captionSeconds is about how long a paragraph of the transcript lasts.
const captionSeconds = 45

func (v youTubeVideo) transcript(b *builder, have []Response) error {
	var x struct {
		Events []struct {
			Start int64 `json:"tStartMs"`
			Segs  []struct{ UTF8 string }
		}
	}
	if err := decode(have[0], &x); err != nil {
		return errShape
	}
	b.Type, b.Meta.SiteName, b.Meta.Byline = page.Other, "YouTube", clean(v.Author)
	b.title(v.Title)
	length := ""
	if isNumber(v.Seconds) {
		var n int64
		fmt.Sscan(v.Seconds, &n)
		length = clock(n)
	}
	b.facts(v.Author, length, fact("captions", v.spoken))
	b.add(b.body(v.About, "text/plain", 1)...)
	b.heading(2, "Transcript", "")
	var said strings.Builder
	begin, words := int64(0), 0
	flush := func() {
		if s := text.Line(said.String()); s != "" {
			b.paragraph(plain("[" + clock(begin) + "] " + s))
			words++
		}
		said.Reset()
	}
	for _, e := range x.Events {
		if at := e.Start / 1000; said.Len() == 0 || at-begin >= captionSeconds {
			flush()
			begin = at
		}
		for _, s := range e.Segs {
			said.WriteString(s.UTF8)
		}
		said.WriteByte(' ')
	}
	flush()
	if words == 0 {
		return errShape
	}
	return nil
}

// clock writes seconds as 1:05 or 1:02:05.
func clock(s int64) string {
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
