package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// mailOf joins lines as mail does.
func mailOf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n")) }

func TestMail(t *testing.T) {
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"an envelope of a mailbox", mailOf("From ann@example.com Fri Mar  1 10:00:00 2024", "Subject: Hello", "", "body"), "h1 Hello / body"},
		{"an escaped envelope", mailOf(">From ann@example.com Fri Mar  1 10:00:00 2024", "Subject: Hello", "", "body"), "h1 Hello / body"},
		{"empty lines first", mailOf("", "", "Subject: Hello", "", "body"), "h1 Hello / body"},
		{"a line that is no field ends the header", mailOf("Subject: Hello", "no colon here", "more"), "h1 Hello / no colon here~more"},
		{"a space before the colon", mailOf("Subject : Hello", "", "body"), "h1 Hello / body"},
		{"a folded field", mailOf("Subject: Hello", "\tyou", " all", "", "body"), "h1 Hello you all / body"},
		{"no header at all", mailOf("Just words."), "Just words."},
		{"words in two charsets", mailOf("Subject: =?utf-8?b?R3LDvMOfZQ==?= =?iso-8859-1?q?_f=FCr?= you", "", "x"), "h1 Grüße für you / x"},
		{"a character cut in two", mailOf("Subject: =?utf-8?B?5pel5pys?=", " =?utf-8?B?6Kqe6A==?= =?utf-8?B?qp4=?=", "", "x"), "h1 日本語語 / x"},
		{"words of two neighbours share a character", mailOf("Subject: =?utf-8?q?a=C3?= =?utf-8?q?=BC?=", "", "x"), "h1 aü / x"},
		{"a broken word stays", mailOf("Subject: =?utf-8?x?a?= =?", "", "x"), "h1 =?utf-8?x?a?= =? / x"},
		{"bytes in a header", []byte("Subject: f\xfcr\r\n\r\nx"), "h1 für / x"},
		{"base64 with junk", mailOf("Content-Transfer-Encoding: BASE64", "", "aGVs", "bG8=", "** %% **", "d29ybGQ"), "hello"},
		{"quoted-printable that is not", mailOf("Content-Transfer-Encoding: quoted-printable", "", "a=3Db =ZZ soft=", "line", "end="), "a=b =ZZ softline~end"},
		{"an unknown charset", []byte("Content-Type: text/plain; charset=x-nothing\r\n\r\nf\xfcr"), "für"},
		{"a charset that is not true", []byte("Content-Type: text/plain; charset=us-ascii\r\n\r\nfür"), "für"},
		{"quotations", mailOf("", "> > first", "> second", "third"), ">(>(first) / second) / third"},

		{"alternatives show what a mail program shows", mailOf("Content-Type: multipart/alternative; boundary=b", "", "--b", "Content-Type: text/plain", "", "not shown", "--b", "Content-Type: text/html", "", "<p>shown", "--b--"),
			"text/html <p>shown"},
		{"an empty alternative", mailOf("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "plain words", "--b", "Content-Type: text/enriched", "", "", "--b--"), "plain words"},
		{"an invitation", mailOf("Content-Type: text/calendar", "", "BEGIN:VEVENT", "SUMMARY:Tour", "END:VEVENT"), "BEGIN:VEVENT~SUMMARY:Tour~END:VEVENT"},
		{"files packed by Outlook", mailOf("Content-Type: application/ms-tnef; name=winmail.dat", "Content-Transfer-Encoding: base64", "", "eJ8+IgEAAg=="), "Attachments: / list(-(winmail.dat (application/ms-tnef, 7 bytes)))"},
		{"a file name without quotation marks", mailOf("Content-Type: application/pdf; name=tide table.pdf", "", ""), "Attachments: / list(-(tide table.pdf (application/pdf, 0 bytes)))"},
		{"a transfer encoding that is unknown", mailOf("Content-Transfer-Encoding: x-uuencode", "", "begin 644 a.txt", "#0V%T", "end"), "Attachments: / list(-(without a name (text/plain, 27 bytes)))"},
		{"an invitation beside its text", mailOf("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "Come", "--b", "Content-Type: text/calendar", "", "BEGIN:VCALENDAR", "--b--"), "Come"},
		{"what nothing refers to in a related part", mailOf("Content-Type: multipart/related; boundary=b", "", "--b", "Content-Type: text/html", "", "<p>page", "--b", "Content-Type: text/html", "Content-ID: <1>", "", "<p>not shown", "--b--"), "text/html <p>page"},
		{"related", mailOf(`Content-Type: multipart/related; boundary="b c"; type="text/html"`, "", "--b c", "Content-Type: text/html", "", "<p>page", "--b c", "Content-Type: image/png", "Content-ID: <1>", "Content-Transfer-Encoding: base64", "", "AAAA", "--b c--"),
			"text/html <p>page / Attachments: / list(-(without a name (image/png, 3 bytes)))"},
		{"a boundary that is missing", mailOf("Content-Type: multipart/mixed; boundary=b", "", "only words"), "only words"},
		{"an end that is missing", mailOf("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "one", "--b", "", "two"), "one / two"},
		{"a digest", mailOf("Content-Type: multipart/digest; boundary=b", "", "--b", "", "Subject: First", "", "one", "--b", "", "Subject: Second", "", "two", "--b--"),
			"h2 First / one / h2 Second / two"},
		{"a message within a message", mailOf("Subject: Fwd", "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "see below", "--b", "Content-Type: message/rfc822", "", "Subject: Inner", "From: Bob", "", "inner body", "--b--"),
			"h1 Fwd / see below / h2 Inner / From: Bob / inner body"},
		{"a report", mailOf("Content-Type: multipart/report; boundary=b", "", "--b", "", "failed", "--b", "Content-Type: message/delivery-status", "", "Status: 5.0.0", "--b", "Content-Type: text/rfc822-headers", "", "Subject: x", "--b--"),
			"failed / Status: 5.0.0 / Subject: x"},
		{"names of files", mailOf("Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Disposition: attachment; filename*0*=utf-8''gr%C3%BC; filename*1=n.txt", "", "1234", "--b",
			`Content-Type: application/pdf; name="=?utf-8?q?=C3=A4.pdf?="`, "", "--b--"),
			"Attachments: / list(-(grün.txt (text/plain, 4 bytes)) / -(ä.pdf (application/pdf, 0 bytes)))"},
		{"text with a name is shown", mailOf(`Content-Type: text/plain; name="notes.txt"`, "Content-Disposition: inline", "", "words"), "words"},
		{"a line of a mailbox that is escaped", mailOf("From a@example.com Fri Mar  1 10:00:00 2024", "Subject: One", "", "words", ">From here on it is text"), "h1 One / words~From here on it is text"},
		{"a mailbox", mailOf("From a@example.com Fri Mar  1 10:00:00 2024", "Subject: One", "", "From here on it is text", "", "From b@example.com Sat Mar  2 10:00:00 2024", "Subject: Two", "", "two"),
			"h1 One / From here on it is text / h1 Two / two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, "message/rfc822", document.Options{Read: asText})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// manyParts is a mail with n parts of text.
func manyParts(n int) []byte {
	var b strings.Builder
	b.WriteString("Content-Type: multipart/mixed; boundary=b\r\n\r\n")
	for i := range n {
		fmt.Fprintf(&b, "--b\r\n\r\npart %d\r\n", i)
	}
	return []byte(b.String() + "--b--\r\n")
}

func TestMailBounds(t *testing.T) {
	nested := "words"
	for range 40 {
		nested = "Content-Type: message/rfc822\r\n\r\nSubject: s\r\n" + nested
	}
	deep := ""
	for i := range 40 {
		deep += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	for _, c := range []struct {
		name    string
		body    []byte
		verdict page.Verdict
		first   string
		last    string
	}{
		{"200 parts", manyParts(200), page.Complete, "part 0", "part 199"},
		{"5,000 parts", manyParts(5000), page.Partial, "part 0", ""},
		{"messages in messages", []byte("Subject: outer\r\n" + nested), page.Partial, "h1 outer", ""},
		{"multiparts in multiparts", []byte("Subject: outer\r\n" + deep + "\r\nwords"), page.Partial, "h1 outer", ""},
		{"many messages in a mailbox", []byte(strings.Repeat("From a@example.com Fri Mar  1 10:00:00 2024\nSubject: s\n\nwords\n\n", 5000)), page.Partial, "h1 s", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, "message/rfc822", document.Options{Read: asText})
			if err != nil {
				t.Fatal(err)
			}
			got := show(p.Blocks)
			if p.Verdict != c.verdict || !strings.HasPrefix(got, c.first) || !strings.HasSuffix(got, c.last) {
				t.Errorf("%s, %d blocks, %.60q", p.Verdict, len(p.Blocks), got)
			}
		})
	}
}

// FuzzMail reads messages without the choice of a format in front.
func FuzzMail(f *testing.F) {
	f.Add(manyParts(3))
	f.Add(mailOf("Subject: =?utf-8?b?R3LDvMOfZQ==?=", "Content-Type: text/plain; format=flowed; delsp=yes", "", "a ", "> b", ">> c"))
	f.Add(mailOf("Content-Type: multipart/alternative; boundary*0*=utf-8''b; boundary*1=c", "", "--bc", "Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "", "U3ViamVjdDogYQ==", "--bc--"))
	f.Add(mailOf("Content-Transfer-Encoding: x-uuencode", "", "begin 644 a", "#0V%T", "end"))
	f.Add(mailOf("From a Fri Mar  1 10:00:00 2024", "", "", "From b Fri Mar  1 10:00:00 2024", "", "x"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if p, err := document.Read(body, "message/rfc822", document.Options{Read: asText}); err == nil && len(p.Blocks) == 0 {
			t.Fatal("no blocks and no error")
		}
	})
}
