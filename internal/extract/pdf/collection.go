package pdf

import (
	_ "embed" // collections.txt
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// This file knows what the identifiers of Adobe's four character collections
// mean, for fonts that give nothing else. The collections were laid out along
// national standards, so that a few hundred runs say most of it (collections.txt):
// the first identifier, how many follow, and then c with the place in the
// standard's rows, or u with the code point that the run begins at. What the runs
// omit are variants and rare characters.
//
// Measured against Adobe's cid2code tables: all but a few of the characters of
// JIS X 0208, GB 2312, Big5 and KS X 1001.

//go:embed collections.txt
var collectionRuns string

const big5Columns = 157

// collection is one of Adobe's character collections.
type collection struct {
	runs     []cidRun // sorted
	standard encoding.Encoding
	columns  int // of a row of the standard
}

type cidRun struct {
	first, count, at uint32
	standard         bool // at is a place in the standard, else a code point
}

// collections are made when the first font asks for one.
var collections = sync.OnceValue(func() map[string]*collection {
	all := map[string]*collection{
		"Japan1": {standard: japanese.EUCJP, columns: 94},
		"GB1":    {standard: simplifiedchinese.GBK, columns: 94},
		"CNS1":   {standard: traditionalchinese.Big5, columns: big5Columns},
		"Korea1": {standard: korean.EUCKR, columns: 94},
	}
	var c *collection
	for _, f := range strings.Fields(collectionRuns) {
		plus, kind := strings.IndexByte(f, '+'), strings.IndexAny(f, "cu")
		if plus < 0 {
			c = all[f]
			continue
		}
		first, _ := strconv.ParseUint(f[:plus], 10, 32)
		count, _ := strconv.ParseUint(f[plus+1:kind], 10, 32)
		at, _ := strconv.ParseUint(f[kind+1:], 16, 32)
		c.runs = append(c.runs, cidRun{uint32(first), uint32(count), uint32(at), f[kind] == 'c'})
	}
	return all
})

// text is the text of an identifier, or "".
func (c *collection) text(cid uint32) string {
	i, found := slices.BinarySearchFunc(c.runs, cid, func(r cidRun, cid uint32) int { return int(int64(r.first) - int64(cid)) })
	if !found {
		i--
	}
	if i < 0 || cid >= c.runs[i].first+c.runs[i].count {
		return ""
	}
	at := int(c.runs[i].at + cid - c.runs[i].first)
	if !c.runs[i].standard {
		return string(rune(at))
	}
	code := []byte{byte(0xa1 + at/c.columns), byte(0xa1 + at%c.columns)}
	if c.columns == big5Columns { // 0x40 to 0x7E, then 0xA1 to 0xFE
		if code[1] = byte(0x40 + at%big5Columns); at%big5Columns >= 63 {
			code[1] = byte(0xa1 + at%big5Columns - 63)
		}
	}
	text, err := c.standard.NewDecoder().Bytes(code)
	if err != nil {
		return ""
	}
	return string(text)
}
