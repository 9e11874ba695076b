// Package text provides the rules for characters that come from outside: which
// of them a person cannot see, which of these a script or an emoji needs, what
// one line is, where a text is cut, and what a word is.
//
//	var removed text.Removed
//	title := text.Cut(text.Clean(s, text.OneLine, &removed), 120)
//	notes += removed.Total()
//
// [ClassOf] is the table: one class for each character. [Keeps] decides from
// the neighbours whether an invisible character has a visible effect and stays.
// [Clean] applies both to a whole text. A reader that builds its text piece by
// piece calls ClassOf and Keeps itself.
//
// The table follows the Unicode character database (UAX #44). A character is
// invisible if it has the property Default_Ignorable_Code_Point, is a control
// that is not white space (General_Category Cc), an interlinear annotation
// character (U+FFF9 to U+FFFB) or a noncharacter. A test compares the table
// with the range tables of package unicode.
//
// # Guarantees
//
// All functions are pure and safe for concurrent use. Their cost is linear in
// the length of the text, whatever the text holds. A text of printable ASCII
// characters is returned without an allocation. The results are valid UTF-8.
//
// # Limits
//
// Characters for private use (General_Category Co) stay: browsers draw them,
// from an icon font or as a box. Characters that look blank and are not
// Default_Ignorable stay too, for example U+2800, the empty Braille cell.
// One variation selector on each Han character and one joiner between two
// letters of an Arabic or Indic script stay, as these scripts need them; they
// could carry a few bits of hidden data.
package text
