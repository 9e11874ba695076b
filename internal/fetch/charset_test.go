package fetch

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// texts are short pages in languages whose encodings sites still use without
// saying so. The bytes are made here.
var legacyPages = []struct{ charset, text string }{
	{"windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Dnešní počasí bude proměnlivé, místy přeháňky a bouřky. Žádné změny v jízdním řádu nejsou hlášeny."},
	{"iso-8859-2", "Zażółć gęślą jaźń. Pogoda będzie dziś zmienna, miejscami przelotne opady i burze. Nie ma żadnych zmian w rozkładzie jazdy pociągów i autobusów."},
	{"windows-1251", "Сегодня ожидается переменная облачность, местами кратковременные дожди и грозы. Изменений в расписании движения поездов не предвидится."},
	{"koi8-r", "Сегодня ожидается переменная облачность, местами кратковременные дожди и грозы. Изменений в расписании движения поездов не предвидится."},
	{"iso-8859-5", "Сегодня ожидается переменная облачность, местами кратковременные дожди и грозы. Изменений в расписании движения поездов не предвидится."},
	{"windows-1252", "Le temps sera variable aujourd’hui, avec des averses par endroits et des orages à l’est. Aucun changement n’est annoncé dans l’horaire des trains. Où êtes-vous né ? Ça dépend où l’été passe."},
	{"windows-1253", "Ο καιρός σήμερα θα είναι μεταβλητός, με τοπικές βροχές και καταιγίδες. Δεν έχουν ανακοινωθεί αλλαγές στα δρομολόγια των τρένων. Άνθρωποι και ζώα…"},
	{"windows-1254", "Bugün hava değişken olacak, yer yer sağanak yağış ve gök gürültülü fırtına bekleniyor. Tren tarifesinde herhangi bir değişiklik yoktur. “İyi günler dileriz.”"},
	{"windows-1255", "מזג האוויר היום יהיה הפכפך, עם גשמים מקומיים וסופות רעמים. לא הוכרזו שינויים בלוח הזמנים של הרכבות. שלום לכולם ותודה רבה."},
	{"windows-1256", "سيكون الطقس اليوم متقلبا مع هطول أمطار محلية وعواصف رعدية. لم يتم الإعلان عن أي تغييرات في جدول القطارات. شكرا لكم جميعا على القراءة."},
	{"windows-874", "วันนี้อากาศจะแปรปรวน มีฝนตกเป็นบางแห่งและมีพายุฝนฟ้าคะนอง ไม่มีการเปลี่ยนแปลงตารางเวลารถไฟ ขอบคุณที่อ่านข่าวของเรา"},
	{"shift_jis", "今日の天気は変わりやすく、所によりにわか雨や雷雨となるでしょう。列車の時刻表に変更はありません。お知らせをお読みいただきありがとうございます。"},
	{"euc-jp", "今日の天気は変わりやすく、所によりにわか雨や雷雨となるでしょう。列車の時刻表に変更はありません。お知らせをお読みいただきありがとうございます。"},
	{"euc-kr", "오늘 날씨는 변덕스럽고 곳에 따라 소나기와 천둥 번개가 치겠습니다. 열차 시간표에는 변경 사항이 없습니다. 읽어 주셔서 감사합니다."},
	{"gbk", "今天天气多变，局部地区有阵雨和雷雨。列车时刻表没有变化。我们的网站提供最新的新闻和信息，感谢您的阅读。请继续关注我们的报道。"},
	{"big5", "今天天氣多變，局部地區有陣雨和雷雨。列車時刻表沒有變化。我們的網站提供最新的新聞和資訊，感謝您的閱讀。請繼續關注我們的報導。"},
}

func encode(t testing.TB, charset, s string) []byte {
	t.Helper()
	e, err := htmlindex.Get(charset)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", charset, err)
	}
	return b
}

func TestDetectLegacyEncodings(t *testing.T) {
	for _, page := range legacyPages {
		html := "<html><head><title>News</title><style>p{color:red}</style></head><body class=x><h1>" + page.text[:0] +
			"</h1><p>" + page.text + "</p><p><a href=/more>&raquo;</a></p></body></html>"
		got, name := toUTF8(encode(t, page.charset, html), "", true, false)
		if string(got) != html {
			t.Errorf("%s: taken for %s:\n%s", page.charset, name, got)
		}
	}
}

func TestCharset(t *testing.T) {
	long := strings.Repeat("<p>žluťoučký kůň</p>", 20)
	for _, c := range []struct {
		name   string
		body   string
		header string
		want   string // charset
		text   string // "" means not compared
	}{
		{"nothing", "", "", "utf-8", ""},
		{"ascii", "plain", "", "utf-8", "plain"},
		{"utf-8 undeclared", "žluť", "", "utf-8", "žluť"},
		{"BOM wins over header", "\xef\xbb\xbfž", "windows-1252", "utf-8", "ž"},
		{"BOM utf-16le wins", "\xff\xfea\x00\x7e\x01", "utf-8", "utf-16le", "až"},
		{"BOM utf-16be wins", "\xfe\xff\x00a\x01\x7e", "utf-8", "utf-16be", "až"},
		{"utf-16le without mark", string(utf16le("<p>Příliš žluťoučký kůň</p>")), "", "utf-16le", "<p>Příliš žluťoučký kůň</p>"},
		{"utf-16le, header says utf-8", string(utf16le("<p>Příliš</p>")), "utf-8", "utf-16le", "<p>Příliš</p>"},
		{"utf-16be without mark", string(swap(utf16le("<p>Příliš žluťoučký kůň</p>"))), "utf-16", "utf-16be", "<p>Příliš žluťoučký kůň</p>"},
		{"header says utf-16, bytes are ASCII", "<p>hello</p>", "utf-16", "utf-8", "<p>hello</p>"},
		{"bytes without a character are controls", "caf\xe9 \xe0 l'\xe9t\xe9\x81 a \x8d", "windows-1252", "windows-1252", "café à l'été\u0081 a \u008d"},
		{"bytes without a character beyond those", "\xf0\xf1\xf2\xaa", "windows-1253", "windows-1253", "πρς\uFFFD"},
		{"header wins over meta", "<meta charset=koi8-r>\xe9", "windows-1251", "windows-1251", "<meta charset=koi8-r>й"},
		{"meta", "<meta charset=koi8-r>\xca", "", "koi8-r", "<meta charset=koi8-r>й"},
		{"meta pragma", `<META http-equiv='Content-Type' content="text/html; charset = 'koi8-r'">` + "\xca", "", "koi8-r", ""},
		{"meta in a comment", "<!-- <meta charset=koi8-r> --><p>\xe9t\xe9", "", "windows-1252", ""},
		{"meta says utf-16", "<meta charset=utf-16><p>é", "", "utf-8", "<meta charset=utf-16><p>é"},
		{"meta says x-user-defined", "<meta charset=x-user-defined>\xe9", "", "windows-1252", ""},
		{"XML declaration", `<?xml version="1.0" encoding='windows-1251'?><a>` + "\xe9</a>", "", "windows-1251", ""},
		{"unknown header, then meta", "<meta charset=koi8-r>\xca", "x-nonsense", "koi8-r", ""},
		{"header says utf-8, bytes are windows-1250", string(encode(t, "windows-1250", legacyPages[0].text)), "utf-8", "windows-1250", ""},
		{"header says utf-8, meta tells the truth", "<meta charset=windows-1251>" + string(encode(t, "windows-1251", "привет")), "utf-8", "windows-1251", "<meta charset=windows-1251>привет"},
		{"header says latin-1, bytes are utf-8", long, "iso-8859-1", "utf-8", long},
		{"few UTF-8 characters do not disprove", "\xc3\xa9", "iso-8859-1", "windows-1252", "Ã©"},
		{"UTF-7 is never believed", "+ADw-script+AD4-", "utf-7", "utf-8", "+ADw-script+AD4-"},
		{"ISO-2022-JP by declaration", "\x1b$B$\"\x1b(B", "iso-2022-jp", "iso-2022-jp", "あ"},
		{"ISO-2022-JP never by detection", "\x1b$B$\"\x1b(B", "", "utf-8", "\x1b$B$\"\x1b(B"},
		{"ISO-2022-KR is not read", "\x1b$)Cabc", "iso-2022-kr", "utf-8", ""},
		{"lone surrogate", "a\xed\xa0\x80b", "utf-8", "utf-8", "a\uFFFDb"},
		{"overlong", "a\xc0\xafb", "utf-8", "utf-8", "a\uFFFDb"},
		{"0xFF stream", strings.Repeat("\xff", 1000), "utf-8", "utf-8", "\uFFFD"},
		{"one bad byte in much UTF-8", long + "\xff", "", "utf-8", long + "\uFFFD"},
		{"NUL", "a\x00b", "utf-8", "utf-8", "a\uFFFDb"},
		{"ESC stays", "a\x1bb", "utf-8", "utf-8", "a\x1bb"},
	} {
		got, name := toUTF8([]byte(c.body), c.header, true, false)
		if name != c.want || c.text != "" && string(got) != c.text {
			t.Errorf("%s: %s %q, want %s %q", c.name, name, got, c.want, c.text)
		}
		if !utf8.Valid(got) {
			t.Errorf("%s: not valid", c.name)
		}
	}
}

// A text that was cut loses its last character when that is not whole, in any
// encoding.
func TestCharsetCut(t *testing.T) {
	for _, charset := range []string{"utf-8", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "utf-16le"} {
		whole := encode(t, charset, "<p>日本語日本語日本語日本語")
		for cut := len(whole) - 8; cut < len(whole); cut++ {
			got, _ := toUTF8(bytes.Clone(whole[:cut]), charset, true, true)
			if !strings.HasPrefix("<p>日本語日本語日本語日本語", string(got)) {
				t.Errorf("%s cut at %d: %q", charset, cut, got)
			}
		}
	}
}

func utf16le(s string) []byte {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r), byte(r>>8))
	}
	return b
}

func swap(b []byte) []byte {
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return b
}

func FuzzCharset(f *testing.F) {
	for _, p := range legacyPages {
		f.Add(encode(f, p.charset, p.text), "", false)
	}
	f.Add([]byte("<?xml encoding='"), "utf-8", true) // a declaration without end
	f.Add([]byte("<meta charset="), "", true)        // at the end of the bytes
	f.Add([]byte("<meta http-equiv=content-type content=\"charset=charset="), "", false)
	f.Add([]byte("\xff\xfe\x00"), "utf-16", true)          // half a unit
	f.Add([]byte("\x1b$B\x1b(B\x1b"), "iso-2022-jp", true) // escapes without text
	f.Add([]byte("\x81\x30\x81\x30\x81"), "gb18030", true) // four-byte characters, cut
	f.Add([]byte("\x00\x00\x00\x00"), "", false)
	f.Fuzz(func(t *testing.T, body []byte, header string, truncated bool) {
		got, name := toUTF8(bytes.Clone(body), header, true, truncated)
		if !utf8.Valid(got) || bytes.IndexByte(got, 0) >= 0 {
			t.Fatalf("%s: %q", name, got)
		}
		if _, known := lookup(name); known == "" {
			t.Fatalf("unknown name %q", name)
		}
		if len(got) > 6*len(body)+16 {
			t.Fatalf("%d bytes of %d", len(got), len(body))
		}
	})
}

func BenchmarkToUTF8(b *testing.B) {
	for _, c := range []struct{ name, charset, header string }{
		{"valid", "utf-8", "utf-8"}, {"declared", "windows-1251", "windows-1251"}, {"detected", "windows-1251", ""},
	} {
		page := encode(b, c.charset, strings.Repeat("<p>Сегодня ожидается переменная облачность, местами дожди</p>\n", 2000))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				toUTF8(page, c.header, true, false)
			}
		})
	}
}
