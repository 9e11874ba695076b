package document

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// readTable reads CSV (RFC 4180) and tab-separated values. The
// separator of a CSV file is the most frequent one of its first line: comma,
// semicolon, tab or bar.
func readTable(b *builder, body []byte) error {
	b.Type = page.Data
	body = bytes.TrimPrefix(body, []byte(text.ByteOrderMark))
	r := csv.NewReader(bytes.NewReader(body))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator(b.mediaType, body), true, -1
	var rows [][]string
	cells := 0
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			continue // the other lines are read
		}
		if err != nil {
			return err
		}
		if len(row) > maxColumns {
			row = row[:maxColumns]
			b.cut = true
		}
		rows = append(rows, row)
		if cells += len(row); cells > maxCells {
			b.cut = true
			break
		}
	}
	b.table(rows)
	return nil
}

func separator(mediaType string, body []byte) rune {
	if mediaType == "text/tab-separated-values" {
		return '\t'
	}
	line, _, _ := bytes.Cut(body[:min(len(body), separatorHead)], []byte("\n"))
	best, most := ',', bytes.Count(line, []byte(","))
	for _, c := range []rune{';', '\t', '|'} {
		if n := bytes.Count(line, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}
