package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/bench/internal/corpus"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/publicsuffix"
)

// This file measures for which pages Spyhop wants to run the scripts.
//
// A page is a shell when the corpus flags it ("spa": the annotator found no
// content in the saved file, so its ground truth is empty), or when the file
// contains less than half of the words of its ground truth. A page is whole when
// half of these words are in its visible markup or in Spyhop's output. Pages
// whose words are only in the data of scripts, and pages without ground truth
// and flag, are neither.
//
// Two fifths of the pages were saved without their scripts. The benchmark adds
// one script to each of them, because without scripts a browser could not complete
// the page.

const mostly = .5 // share of the words of the ground truth

// shellClass is the correct class of a page.
type shellClass int

const (
	wholePage shellClass = iota
	shellPage
	neither
)

// shellCase is a page with Spyhop's decision.
type shellCase struct {
	id, address, why string
	class            shellClass
	flagged          bool
	asked            page.Shell
	fromData         bool // Spyhop has read the data in its scripts instead
	half             int  // of the corpus, by domain
}

func measureShells(dir, oof string, pages []sample, w io.Writer) error {
	var cases []shellCase
	var u map[string]corpus.Unseen
	if oof != "" {
		var err error
		if u, err = corpus.OutOfFold(oof, false); err != nil {
			return err
		}
	}
	for _, p := range pages {
		body, err := readPage(p.file)
		if err != nil {
			return err
		}
		flagged, err := isFlagged(dir, p.id)
		if err != nil {
			return err
		}
		cases = append(cases, shellCaseOf(p, body, flagged, u))
	}
	printShells(w, cases)
	return nil
}

// isFlagged reads the corpus' flag for pages that are built by scripts.
func isFlagged(dir, id string) (bool, error) {
	b, err := os.ReadFile(dir + "/ground-truth/" + id + ".json")
	if err != nil {
		return false, err
	}
	var t struct {
		Internal struct{ SPA bool } `json:"_internal"`
	}
	err = json.Unmarshal(b, &t)
	return t.Internal.SPA, err
}

func shellCaseOf(p sample, body []byte, flagged bool, u map[string]corpus.Unseen) shellCase {
	c := shellCase{id: p.id, address: p.address, flagged: flagged, half: halfOf(p.address)}
	if !bytes.Contains(bytes.ToLower(body), []byte("<script")) {
		body = append(body, `<script src="/app.js"></script>`...)
	}
	out, err := read(u, p.id, p.address, body)
	text := ""
	if err == nil {
		text = markdown.PlainText(out)
	}
	c.asked, c.fromData = out.Shell, out.FromData
	truth := words(p.content)
	given, shown, inFile := shareOf(truth, text), shareOf(truth, visibleText(body)), shareOf(truth, string(body))
	switch {
	case flagged, len(truth) > 0 && inFile < mostly:
		c.class = shellPage
	case len(truth) == 0, given < mostly && shown < mostly:
		c.class = neither
	}
	c.why = fmt.Sprintf("verdict %s, %d words given; of %d words of truth %.2f are given, %.2f in the markup, %.2f in the file",
		out.Verdict, len(words(text)), len(truth), given, shown, inFile)
	return c
}

// shareOf is the share of the ground truth's words that a text contains, as
// multisets.
func shareOf(truth []string, text string) float64 {
	count := map[string]int{}
	for _, w := range words(text) {
		count[w]++
	}
	found := 0
	for _, w := range truth {
		if count[w] > 0 {
			count[w]--
			found++
		}
	}
	return float64(found) / float64(max(len(truth), 1))
}

// visibleText is all text of a page outside scripts and styles.
func visibleText(body []byte) string {
	doc, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return ""
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		switch n.Parent.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template:
			continue
		}
		b.WriteString(n.Data + " ")
	}
	return b.String()
}

// halfOf divides the corpus by registrable domain.
func halfOf(address string) int {
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		host = d
	}
	h := fnv.New32a()
	h.Write([]byte(host))
	return int(h.Sum32() % 2)
}

// shellCounts are the figures over some of the cases.
type shellCounts struct{ whole, needless, shells, missed, fromData int }

func (n *shellCounts) add(c shellCase) {
	switch {
	case c.class == wholePage:
		n.whole++
		if c.asked != "" {
			n.needless++
		}
	case c.class == shellPage:
		n.shells++
		switch {
		case c.asked != "":
		case c.fromData:
			n.fromData++
		default:
			n.missed++
		}
	}
}

func printShells(w io.Writer, cases []shellCase) {
	var all, verdict shellCounts
	var halves [2]shellCounts
	lists := map[string][]shellCase{}
	for _, c := range cases {
		all.add(c)
		halves[c.half].add(c)
		alone := c
		if alone.asked != page.ShellEmpty {
			alone.asked = ""
		}
		verdict.add(alone)
		switch {
		case c.class == wholePage && c.asked != "":
			lists["needless"] = append(lists["needless"], c)
		case c.class == shellPage && c.asked != "":
			lists["found"] = append(lists["found"], c)
		case c.class == shellPage && c.fromData:
			lists["read from its data"] = append(lists["read from its data"], c)
		case c.class == shellPage:
			lists["missed"] = append(lists["missed"], c)
		case c.asked != "":
			lists["asked, not counted"] = append(lists["asked, not counted"], c)
		}
	}
	for _, kind := range slices.SortedFunc(maps.Keys(lists), func(a, b string) int { return cmp.Compare(len(lists[a]), len(lists[b])) }) {
		for _, c := range lists[kind] {
			flag := ""
			if c.flagged {
				flag = " flagged"
			}
			fmt.Fprintf(w, "%-19s %s%s %-9s %s\n    %s\n", kind, c.id, flag, c.asked, c.address, c.why)
		}
	}
	fmt.Fprintf(w, "\n%-13s %6s %9s %7s %7s %10s\n", "", "whole", "needless", "shells", "missed", "from data")
	for _, r := range []struct {
		name string
		n    shellCounts
	}{{"all", all}, {"half 1", halves[0]}, {"half 2", halves[1]}, {"verdict alone", verdict}} {
		fmt.Fprintf(w, "%-13s %6d %9d %7d %7d %10d\n", r.name, r.n.whole, r.n.needless, r.n.shells, r.n.missed, r.n.fromData)
	}
}
