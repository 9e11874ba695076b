// Command chart draws an SVG of word F1 by page type: Spyhop's cross-validated
// scores and the scores of other libraries on the same pages.
//
//	go run ./chart --own scores.json --peers quality.json --out FILE.svg
//
// scores.json maps page types to scores; "train score" writes it. quality.json
// is the output of "quality --json".
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"log"
	"os"
	"slices"
	"strings"
)

// kinds are the rows of the chart, from the top.
var kinds = []string{"all", "article", "documentation", "service", "forum", "collection", "listing", "product"}

// series is one tool: a dot in each row.
type series struct {
	name, color string
	radius      float64
	score       map[string]float64
}

func main() {
	log.SetFlags(0)
	own := flag.String("own", "", "file with Spyhop's scores by page type")
	peers := flag.String("peers", "", "scores of the other libraries")
	out := flag.String("out", "", "file to write")
	flag.Parse()
	all, err := read(*own, *peers)
	if err == nil {
		err = os.WriteFile(*out, []byte(draw(all)), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// colors of the peers, best first.
var colors = []string{"#b45309", "#6d28d9", "#64748b", "#94a3b8"}

func read(own, peers string) ([]series, error) {
	s := series{name: "Spyhop, unseen sites", color: "#0369a1", radius: 7}
	if err := decode(own, &s.score); err != nil {
		return nil, err
	}
	var results []struct {
		Tool   string                          `json:"tool"`
		Scores map[string]struct{ F1 float64 } `json:"scores"`
	}
	if err := decode(peers, &results); err != nil {
		return nil, err
	}
	var others []series
	for _, r := range results {
		if len(r.Scores) == 0 || r.Scores["all"].F1 == 0 || strings.HasPrefix(strings.ToLower(r.Tool), "spyhop") {
			continue
		}
		name, _, _ := strings.Cut(r.Tool, ",") // what follows says how it was called
		p := series{name: name, radius: 5, score: map[string]float64{}}
		for kind, f := range r.Scores {
			p.score[kind] = f.F1
		}
		others = append(others, p)
	}
	slices.SortStableFunc(others, func(a, b series) int { return cmp.Compare(b.score["all"], a.score["all"]) })
	for i := range others {
		others[i].color = colors[min(i, len(colors)-1)]
	}
	return append([]series{s}, others...), nil
}

func decode(file string, to any) error {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return fmt.Errorf("%q: %w", file, err)
	}
	return nil
}

// The measures of the picture, in pixels; the scale begins at low.
const (
	width, left, right = 760, 130, 30
	top, row           = 92, 34
	low                = .3
)

func x(score float64) float64 {
	return left + (max(score, low)-low)/(1-low)*(width-left-right)
}

func draw(all []series) string {
	var b strings.Builder
	height := top + row*len(kinds) + 34
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Word F1 by page type">`+"\n", width, height, width)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#ffffff" stroke="#e2e8f0"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="20" y="28" font-size="15" font-weight="600" fill="#0f172a">Word F1 of the main content, by page type</text>`+"\n")
	legend(&b, all)
	for tick := low; tick < 1.001; tick += .1 {
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#e2e8f0"/>`, x(tick), x(tick), top-8, top+row*len(kinds)-4)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#64748b">%.1f</text>`+"\n", x(tick), top+row*len(kinds)+16, tick)
	}
	for i, kind := range kinds {
		y := float64(top + row*i + row/2 - 6)
		weight := "400"
		if kind == "all" {
			weight = "600"
		}
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end" font-weight="%s" fill="#0f172a">%s</text>`, left-14, y+4, weight, kind)
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#f1f5f9"/>`+"\n", left, width-right, y, y)
		for _, s := range slices.Backward(all) {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"><title>%s, %s: %.3f</title></circle>`, x(s.score[kind]), y, s.radius, s.color, html.EscapeString(s.name), kind, s.score[kind])
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" font-size="11" fill="#0369a1">%s</text>`+"\n", x(all[0].score[kind])+11, y+4, strings.TrimPrefix(fmt.Sprintf("%.3f", all[0].score[kind]), "0"))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// legend writes the names in one line.
func legend(b *strings.Builder, all []series) {
	at := 20.0
	for _, s := range all {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="54" r="%g" fill="%s"/><text x="%.1f" y="58" fill="#334155">%s</text>`+"\n", at+6, s.radius, s.color, at+17, html.EscapeString(s.name))
		at += 44 + 6.6*float64(len(s.name))
	}
}
