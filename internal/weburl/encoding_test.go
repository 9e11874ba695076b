package weburl

import "testing"

func TestResolveIn(t *testing.T) {
	for _, c := range []struct{ ref, charset, want string }{
		{"/a?q=ä", "windows-1252", "https://example.com/a?q=%E4"},
		{"/ä?q=ä#ä", "windows-1252", "https://example.com/%C3%A4?q=%E4#%C3%A4"},
		{"?q=日本", "shift_jis", "https://example.com/dir/?q=%93%FA%96{"},
		{"?q=日本", "euc-jp", "https://example.com/dir/?q=%C6%FC%CB%DC"},
		{"?q=中", "gbk", "https://example.com/dir/?q=%D6%D0"},
		{"?q=ф", "koi8-r", "https://example.com/dir/?q=%C6"},
		{"?q=日&b=é", "windows-1252", "https://example.com/dir/?q=%26%2326085%3B&b=%E9"},
		{"?q=ä", "utf-8", "https://example.com/dir/?q=%C3%A4"},
		{"?q=ä", "utf-16le", "https://example.com/dir/?q=%C3%A4"},
		{"?q=ä", "", "https://example.com/dir/?q=%C3%A4"},
		{"?q=ä", "no-such", "https://example.com/dir/?q=%C3%A4"},
		{"?q=%C3%A4", "windows-1252", "https://example.com/dir/?q=%C3%A4"},
		{"#?ä", "windows-1252", "https://example.com/dir/#?%C3%A4"},
		{"mailto:a@example.com?subject=ä", "windows-1252", "mailto:a@example.com?subject=%C3%A4"},
	} {
		base, err := Parse("https://example.com/dir/")
		if err != nil {
			t.Fatal(err)
		}
		got, err := base.ResolveIn(c.ref, c.charset)
		if err != nil || got.String() != c.want {
			t.Errorf("%s in %s: %s %v, want %s", c.ref, c.charset, got, err, c.want)
		}
	}
}
