package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/testweb"
)

// tally counts what a snapshot has of what the browser knows of a page.
type tally struct {
	words, missing     int // painted words, and those that the snapshot does not have
	joined             int // words that the snapshot joins, and the count does not, or that it writes apart
	said, strange      int // words of the snapshot, and those that the page does not have
	named, seen        int // named elements to act on, and those that a person sees
	without, unreached int // of named and of seen, those without a ref
	alone              int // of unreached, those whose role and name no ref has either
	misnamed           int // of named with a ref, those whose line lacks a word of the name
}

func (t *tally) add(o tally) {
	t.words += o.words
	t.missing += o.missing
	t.joined += o.joined
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
	return fmt.Sprintf("words missing %d of %d (%.2f %%), in others %d, invented %d of %d (%.2f %%); named elements without a ref: %d of %d (%.2f %%), of those that a person sees %d of %d (%.2f %%), of which %d (%.2f %%) have a name that no ref has; %d with a ref lack a word of their name",
		t.missing, t.words, share(t.missing, t.words), t.joined, t.strange, t.said, share(t.strange, t.said),
		t.without, t.named, share(t.without, t.named), t.unreached, t.seen, share(t.unreached, t.seen), t.alone, share(t.alone, t.seen), t.misnamed)
}

// compare compares snapshots of pages with what the browser's accessibility tree and
// its painted text have: pages of the corpus, and those of internal/testweb.
func compare(data string, ids []string, verbose int) error {
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

func (o *ours) comparePages(site string, ids []string, verbose int, sum *tally) error {
	for _, id := range ids {
		if err := o.navigate(site + "/" + id); err != nil {
			fmt.Printf("%s: %v\n", id, err)
			continue
		}
		t, report, err := o.compareOne(verbose > 1)
		if err != nil {
			fmt.Printf("%s: %v\n", id, err)
			continue
		}
		sum.add(t)
		fmt.Printf("%s: %s\n", id, t)
		if verbose > 0 {
			fmt.Print(report)
		}
	}
	return nil
}

// compareOne compares the page that is open. The report names each difference.
func (o *ours) compareOne(where bool) (tally, string, error) {
	var t tally
	whole, err := o.snapshot()
	if err != nil {
		return t, "", err
	}
	painted, err := o.words()
	if err != nil {
		return t, "", err
	}
	elements, err := o.accessible()
	if err != nil {
		return t, "", err
	}
	t.words = len(painted)
	missing, joined := withoutJoined(painted, split(whole))
	t.missing, t.joined = len(missing), len(joined)
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
	var report strings.Builder
	if len(missing) > 0 {
		fmt.Fprintf(&report, "\tmissing: %.600q\n", strings.Join(missing, " "))
	}
	if len(joined) > 0 {
		fmt.Fprintf(&report, "\tin others: %.300q\n", strings.Join(joined, " "))
	}
	if len(strange) > 0 {
		fmt.Fprintf(&report, "\tinvented: %.600q\n", strings.Join(strange, " "))
	}
	t.elements(elements, &report)
	if where && len(missing) > 0 {
		report.WriteString(o.where(missing) + "\n")
	}
	return t, report.String(), nil
}

// elements counts what the accessibility tree names.
func (t *tally) elements(all []accessible, report io.Writer) {
	key := func(e accessible) string { return e.Role + " " + strings.ToLower(strings.TrimSpace(e.Name)) }
	reached := make(map[string]bool)
	for _, e := range all {
		if e.Ref != "" {
			reached[key(e)] = true
		}
	}
	for _, e := range all {
		if e.Ref == "" && (strings.Contains(e.Markup, "<option") || strings.Contains(e.Markup, ` pseudo="-`)) {
			continue // an option, which its list shows, or a part of a field of the browser's own
		}
		t.named++
		if e.Ref != "" {
			t.seen++
			if lost := without(split(e.Name), split(e.Line)); e.Own && len(lost) > 0 {
				t.misnamed++
				fmt.Fprintf(report, "\tname: %s %.100q in %.200q: %.100q\n", e.Role, e.Name, e.Line, strings.Join(lost, " "))
			}
			continue
		}
		t.without++
		fmt.Fprintf(report, "\tno ref: %s %.80q hidden=%q %.200s\n", e.Role, e.Name, e.Hidden, e.Markup)
		if e.Hidden != "" {
			continue
		}
		t.seen++
		t.unreached++
		if !reached[key(e)] {
			t.alone++
		}
	}
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

// mostJoined is how many words a word is looked for as.
const mostJoined = 4

// withoutJoined is without, but for words that stand in the others all the same: several
// painted words as one, such as a capital of its own and the rest of its word, or one as
// several.
func withoutJoined(words, others []string) (missing, joined []string) {
	lost, left := without(words, others), make(map[string]int)
	for _, w := range without(others, words) {
		left[w]++
	}
	wanted := make(map[string]int)
	for _, w := range lost {
		wanted[w]++
	}
	for i := range words {
		for n := 2; n <= mostJoined && i+n <= len(words); n++ {
			parts := words[i : i+n]
			whole := strings.Join(parts, "")
			if left[whole] == 0 || !slices.ContainsFunc(parts, func(w string) bool { return wanted[w] > 0 }) {
				continue
			}
			left[whole]--
			for _, w := range parts {
				if wanted[w] > 0 {
					wanted[w]--
					joined = append(joined, w)
				}
			}
			break
		}
	}
	for i := range others {
		for n := 2; n <= mostJoined && i+n <= len(others); n++ {
			if whole := strings.Join(others[i:i+n], ""); wanted[whole] > 0 {
				wanted[whole]--
				joined = append(joined, whole)
				break
			}
		}
	}
	for _, w := range lost {
		if wanted[w] > 0 {
			wanted[w]--
			missing = append(missing, w)
		}
	}
	return missing, joined
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
