package css

import "golang.org/x/net/html"

// ancestors is a Bloom filter of the identifiers, classes and types of the elements around an
// element, as browsers use it: most selectors with an ancestor fail here, in one comparison.
type ancestors [filterBits / wordBits]uint64

const (
	filterBits = 512 // 15 elements around another one have some 75 keys: 1 of 7 is there by chance
	wordBits   = 64
)

// bitOf returns the place of a key, such as ".class", in the filter. The hash is FNV-1a.
func bitOf(kind byte, name string) uint16 {
	const offset, prime = 2166136261, 16777619
	h := (uint32(offset) ^ uint32(kind)) * prime
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * prime
	}
	return uint16((h ^ h>>16) % filterBits)
}

// keyBit is bitOf of a key; false for one that is not in the filter.
func keyBit(key string) (uint16, bool) {
	switch {
	case key == "" || key[0] == '[':
		return 0, false
	case key[0] == '.' || key[0] == '#':
		return bitOf(key[0], key[1:]), true
	}
	return bitOf(0, key), true
}

func (a *ancestors) set(bit uint16) { a[bit/wordBits] |= 1 << (bit % wordBits) }

func (a *ancestors) add(n *html.Node, classes *classList) {
	a.set(bitOf(0, n.Data))
	if id := attribute(n, "id"); id != "" {
		a.set(bitOf('#', id))
	}
	for _, place := range classes.places {
		a.set(place)
	}
}

// mayHave reports whether all places can be set; false is certain.
func (a *ancestors) mayHave(places []uint16) bool {
	for _, bit := range places {
		if a[bit/wordBits]>>(bit%wordBits)&1 == 0 {
			return false
		}
	}
	return true
}

// around returns the places of what a selector asks of the elements around the one it matches.
func (s *complexSelector) around() (places []uint16) {
	for i := range s.parts[1:] {
		if c := s.parts[i].comb; c != ' ' && c != '>' {
			continue
		}
		if bit, ok := keyBit(s.parts[i+1].key); ok {
			places = append(places, bit)
		}
	}
	return places
}
