package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/testweb"
)

// tally counts what a snapshot has of what the browser knows of a page.
type tally struct {
	words, missing     int // painted words, and those that the snapshot does not have
	said, strange      int // words of the snapshot, and those that the page does not have
	named, seen        int // named elements to act on, and those that a person sees
	without, unreached int // of named and of seen, those without a ref
	alone              int // of unreached, those whose role and name no ref has either
	misnamed           int // of named with a ref, those whose line lacks a word of the name
}

func (t *tally) add(o tally) {
	t.words += o.words
	t.missing += o.missing
	t.said += o.said
	t.strange += o.strange
	t.named += o.named
	t.seen += o.seen
	t.without += o.without
	t.unreached += o.unreached
	t.alone += o.alone
	t.misnamed += o.misnamed
}

func (t tally) String() string {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	return fmt.Sprintf("words missing %d of %d (%.2f %%), invented %d of %d (%.2f %%); named elements without a ref: %d of %d (%.2f %%), of those that a person sees %d of %d (%.2f %%), of which %d (%.2f %%) have a name that no ref has; %d with a ref lack a word of their name",
		t.missing, t.words, share(t.missing, t.words), t.strange, t.said, share(t.strange, t.said),
		t.without, t.named, share(t.without, t.named), t.unreached, t.seen, share(t.unreached, t.seen), t.alone, share(t.alone, t.seen), t.misnamed)
}

// compare compares snapshots of pages with what the browser's accessibility tree and
// its painted text have: pages of the corpus, and those of internal/testweb.
func compare(data string, ids []string, verbose bool) error {
	o, err := newOurs()
	if err != nil {
		return err
	}
	defer o.close()
	sum := tally{}
	if data != "" {
		site := httptest.NewServer(corpus(data))
		defer site.Close()
		if err := o.comparePages(site.URL, ids, verbose, &sum); err != nil {
			return err
		}
		fmt.Printf("corpus, %d pages: %s\n", len(ids), sum)
	}
	site := httptest.NewServer(http.Handler(testweb.Handler("")))
	defer site.Close()
	own := tally{}
	if err := o.comparePages(site.URL, testweb.Names(), verbose, &own); err != nil {
		return err
	}
	fmt.Printf("testweb, %d pages: %s\n", len(testweb.Names()), own)
	return nil
}

func (o *ours) comparePages(site string, ids []string, verbose bool, sum *tally) error {
	for _, id := range ids {
		if err := o.navigate(site + "/" + id); err != nil {
			fmt.Printf("%s: %v\n", id, err)
			continue
		}
		t, report, err := o.compareOne()
		if err != nil {
			fmt.Printf("%s: %v\n", id, err)
			continue
		}
		sum.add(t)
		fmt.Printf("%s: %s\n", id, t)
		if verbose {
			fmt.Print(report)
		}
	}
	return nil
}

func (o *ours) compareOne() (tally, string, error) {
	var t tally
	var report strings.Builder
	whole, err := o.snapshot()
	if err != nil {
		return t, "", err
	}
	painted, err := o.words()
	if err != nil {
		return t, "", err
	}
	elements, err := o.b.Accessible(context.Background(), browser.Place{})
	if err != nil {
		return t, "", err
	}
	t.words = len(painted)
	missing := without(painted, split(whole))
	t.missing = len(missing)
	names := slices.Clone(painted)
	for _, e := range elements {
		names = append(names, split(e.Name)...)
	}
	said := split(withoutNotation(whole))
	t.said = len(said)
	strange, err := o.unknown(without(said, names))
	if err != nil {
		return t, "", err
	}
	t.strange = len(strange)
	if len(missing) > 0 {
		fmt.Fprintf(&report, "\tmissing: %.600q\n", strings.Join(missing, " "))
	}
	if len(strange) > 0 {
		fmt.Fprintf(&report, "\tinvented: %.600q\n", strings.Join(strange, " "))
	}
	reached := make(map[string]bool)
	for _, e := range elements {
		if e.Ref != "" {
			reached[e.Role+" "+strings.ToLower(strings.TrimSpace(e.Name))] = true
		}
	}
	for _, e := range elements {
		t.named++
		if e.Hidden == "" {
			t.seen++
		}
		if e.Ref != "" {
			if lost := without(split(e.Name), split(e.Line)); e.Own && len(lost) > 0 {
				t.misnamed++
				fmt.Fprintf(&report, "\tname: %s %.100q in %.200q: %.100q\n", e.Role, e.Name, e.Line, strings.Join(lost, " "))
			}
			continue
		}
		if strings.Contains(e.Markup, "<option") || strings.Contains(e.Markup, ` pseudo="-`) {
			t.named--
			if e.Hidden == "" {
				t.seen-- // an option, which its list shows, or a part of a field of the browser's own
			}
			continue
		}
		t.without++
		if e.Hidden == "" {
			t.unreached++
			if !reached[e.Role+" "+strings.ToLower(strings.TrimSpace(e.Name))] {
				t.alone++
			}
		}
		fmt.Fprintf(&report, "\tno ref: %s %.80q hidden=%q %.200s\n", e.Role, e.Name, e.Hidden, e.Markup)
	}
	if os.Getenv("WHERE") != "" && len(missing) > 0 {
		report.WriteString(o.where(missing) + "\n")
	}
	return t, report.String(), nil
}

// without are the words that a multiset of others does not have.
func without(words, others []string) (out []string) {
	have := make(map[string]int)
	for _, w := range others {
		have[w]++
	}
	for _, w := range words {
		if have[w] > 0 {
			have[w]--
		} else {
			out = append(out, w)
		}
	}
	return out
}

// withoutNotation removes refs, states and the kinds of regions from a snapshot.
func withoutNotation(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		if kind, rest, ok := strings.Cut(l, " "); strings.HasPrefix(l, "<") && (ok || strings.HasSuffix(kind, ">\n")) {
			l = rest
		}
		for {
			before, after, ok := strings.Cut(l, "](")
			if !ok {
				b.WriteString(l)
				break
			}
			ref, rest, _ := strings.Cut(after, ")")
			if !snapshot.IsRef(ref) {
				b.WriteString(before + " ")
				l = after
				continue
			}
			if open := strings.LastIndexByte(before, '['); open >= 0 {
				if name, _, ok := strings.Cut(before[open:], "; "); ok {
					before = before[:open] + name
				}
			}
			b.WriteString(before + " ")
			l = rest
		}
	}
	return b.String()
}

// sample are every so many of the ids of the corpus, so that there are count of them.
func sample(data string, count int) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(data, "html", "*.html.gz"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no corpus in %q: name its folder with --data (%w)", data, os.ErrNotExist)
	}
	slices.Sort(files)
	var out []string
	for i := range count {
		out = append(out, strings.TrimSuffix(filepath.Base(files[(2*i+1)*len(files)/(2*count)]), ".html.gz"))
	}
	return out, nil
}
