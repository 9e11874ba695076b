package metadata

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// This file has the words of dates: the names of months, and the words that call a date
// one of a change.

// months are the names of months in English, German, French, Spanish,
// Italian, Portuguese and Dutch, which dates also shorten.
var months = [12][]string{
	{"january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro", "januari"},
	{"february", "februar", "février", "fevrier", "febrero", "febbraio", "fevereiro", "februari"},
	{"march", "märz", "maerz", "mars", "marzo", "março", "marco", "maart", "mrt"},
	{"april", "avril", "abril", "aprile"},
	{"may", "mai", "mayo", "maggio", "maio", "mei"},
	{"june", "juni", "juin", "junio", "giugno", "junho"},
	{"july", "juli", "juillet", "julio", "luglio", "julho"},
	{"august", "août", "aout", "agosto", "augustus"},
	{"september", "septembre", "septiembre", "setiembre", "settembre", "setembro"},
	{"october", "oktober", "octobre", "octubre", "ottobre", "outubro"},
	{"november", "novembre", "noviembre", "novembro"},
	{"december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro"},
}

// moreMonths are the names of months in Polish, Czech, Russian, Ukrainian, Swedish, Danish,
// Norwegian, Turkish, Finnish, Romanian, Hungarian, Slovak, Croatian, Lithuanian and Indonesian, as they
// stand beside a day, and their usual short forms.
// Only the whole word counts: the beginnings of many are words of other languages.
var moreMonths = [12]string{
	"stycznia styczeń ledna leden января янв січня ocak tammikuuta ianuarie január januára siječnja sausio",
	"lutego luty února únor февраля фев лютого şubat helmikuuta februarie február februára veljače vasario",
	"marca marzec března březen марта мар березня mart marts maaliskuuta martie március marca ožujka kovo maret",
	"kwietnia kwiecień dubna duben апреля апр квітня nisan huhtikuuta aprilie április apríla travnja balandžio",
	"maja maj května květen мая май травня mayıs toukokuuta május mája svibnja gegužės",
	"czerwca czerwiec června červen июня июн червня haziran kesäkuuta iunie június júna lipnja birželio",
	"lipca lipiec července červenec июля июл липня temmuz heinäkuuta iulie július júla srpnja liepos",
	"sierpnia sierpień srpna srpen августа авг серпня ağustos elokuuta augusti augusztus augusta kolovoza rugpjūčio agustus",
	"września wrzesień září сентября сен сент вересня eylül syyskuuta septembrie szeptember septembra rujna rugsėjo",
	"października październik října říjen октября окт жовтня ekim lokakuuta octombrie október októbra spalio",
	"listopada listopad listopadu ноября ноя листопада kasım marraskuuta noiembrie novembra studenoga studenog lapkričio",
	"grudnia grudzień prosince prosinec декабря дек грудня aralık desember joulukuuta decembrie decembra prosinca gruodžio",
}

// monthsOfOtherScripts are the names of months in Greek, Bulgarian, Arabic, Persian (for the
// Gregorian calendar), Hebrew (also behind "in"), Hindi and Thai, with the short forms of Thai.
var monthsOfOtherScripts = [12]string{
	"ιανουαρίου ιανουάριος ιαν януари يناير ژانویه ינואר בינואר जनवरी มกราคม ม.ค",
	"φεβρουαρίου φεβρουάριος φεβ февруари فبراير شباط فوریه פברואר בפברואר फरवरी फ़रवरी กุมภาพันธ์ ก.พ",
	"μαρτίου μάρτιος μαρ март مارس آذار מרץ במרץ मार्च มีนาคม มี.ค",
	"απριλίου απρίλιος απρ април أبريل ابريل إبريل نيسان آوریل אפריל באפריל अप्रैल เมษายน เม.ย",
	"μαΐου μάιος май مايو أيار مه מאי במאי मई พฤษภาคม พ.ค",
	"ιουνίου ιούνιος ιουν юни يونيو يونيه حزيران ژوئن יוני ביוני जून มิถุนายน มิ.ย",
	"ιουλίου ιούλιος ιουλ юли يوليو يوليه تموز ژوئیه יולי ביולי जुलाई กรกฎาคม ก.ค",
	"αυγούστου αύγουστος αυγ август أغسطس اغسطس آب اوت אוגוסט באוגוסט अगस्त สิงหาคม ส.ค",
	"σεπτεμβρίου σεπτέμβριος σεπ септември سبتمبر أيلول سپتامبر ספטמבר בספטמבר सितंबर सितम्बर กันยายน ก.ย",
	"οκτωβρίου οκτώβριος οκτ октомври أكتوبر اكتوبر اکتبر אוקטובר באוקטובר अक्टूबर अक्तूबर ตุลาคม ต.ค",
	"νοεμβρίου νοέμβριος νοε ноември نوفمبر نوامبر נובמבר בנובמבר नवंबर नवम्बर พฤศจิกายน พ.ย",
	"δεκεμβρίου δεκέμβριος δεκ декември ديسمبر دسامبر דצמבר בדצמבר दिसंबर दिसम्बर ธันวาคม ธ.ค",
}

var monthWords = sync.OnceValue(func() map[string]int {
	words := map[string]int{}
	for i := range moreMonths {
		for name := range strings.FieldsSeq(moreMonths[i] + " " + monthsOfOtherScripts[i]) {
			words[name] = i + 1
		}
	}
	return words
})

// monthOf returns the month that a word names or shortens to three letters or
// more, or 0.
func monthOf(word string) int {
	if len(word) < 3 || len(word) > 36 {
		return 0
	}
	w := strings.ToLower(word)
	for i, names := range months {
		for _, name := range names {
			if strings.HasPrefix(name, w) {
				return i + 1
			}
		}
	}
	return monthWords()[w]
}

// weekdays are the names of days in the languages of months, without the English ones,
// and their short forms.
var weekdays = sync.OnceValue(func() map[string]bool {
	days := map[string]bool{}
	for day := range strings.FieldsSeq("montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so " +
		"lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo " +
		"lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta feira " +
		"maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo") {
		days[day] = true
	}
	return days
})

// isWeekday reports whether a word is the English name of a day or its first
// three letters, or the name of a day in another language of months.
func isWeekday(w string) bool {
	w = strings.ToLower(strings.Trim(w, ".,"))
	if weekdays()[w] {
		return true
	}
	if len(w) < 3 {
		return false
	}
	for _, day := range [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if strings.HasPrefix(day, w) {
			return true
		}
	}
	return false
}

// isTimeWord reports whether a word belongs to a date or a time, for example the
// time zone "pst".
func isTimeWord(w string) bool {
	switch w {
	case "at", "am", "pm", "of", "de", "the", "gmt", "utc", "le", "den", "del", "di", "à", "um", "uhr", "kl", "года":
		return true
	}
	return len(w) == 3 && strings.HasSuffix(w, "t")
}

// changeWords begin the words that call a date one of a change.
var changeWords = [...]string{
	"updated", "last update", "last-update", "update:", "modified", "last modified", "last-modified", "last change", "last edit", "edited", "revised", "last revised", "last reviewed", "reviewed on", "reviewed:", "amended",
	"aktualisiert", "zuletzt aktualisiert", "zuletzt geändert", "zuletzt bearbeitet", "letzte aktualisierung", "letzte änderung", "geändert", "stand:", "überarbeitet",
	"mis à jour", "mise à jour", "dernière mise à jour", "dernière modification", "modifié", "actualisé",
	"actualizado", "actualizada", "última actualización", "ultima actualización", "última modificación", "modificado",
	"aggiornato", "aggiornata", "aggiornamento", "ultimo aggiornamento", "ultima modifica",
	"atualizado", "atualizada", "última atualização", "última modificação",
	"bijgewerkt", "laatst bijgewerkt", "laatste update", "laatst gewijzigd", "gewijzigd",
	"aktualizacja", "zaktualizowano", "ostatnia aktualizacja", "ostatnia zmiana", "aktualizováno", "naposledy",
	"uppdaterad", "senast uppdaterad", "senast ändrad", "opdateret", "sidst opdateret", "oppdatert", "sist oppdatert", "sist endret",
	"обновлено", "последнее обновление", "изменено", "оновлено",
	"güncelleme", "güncellendi", "son güncelleme",
}

// changeSigns say the same in scripts without spaces.
var changeSigns = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("更新", "修改", "修正", "改定", "改訂", "수정", "업데이트")
})

// maxChangeWords is how many words may stand before those that call a date one of a
// change: "This page was last updated on".
const maxChangeWords = 4

// saysChanged reports whether the words before the first number of a shown text call the
// date behind them one of a change.
func saysChanged(s string) bool {
	if i := strings.IndexFunc(s, unicode.IsDigit); i >= 0 {
		s = s[:i]
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if changeSigns().In(s) {
		return true
	}
	for range maxChangeWords + 1 {
		if slices.ContainsFunc(changeWords[:], func(w string) bool { return beginsWithWords(s, w) }) {
			return true
		}
		_, rest, ok := strings.Cut(s, " ")
		if !ok {
			break
		}
		s = rest
	}
	return false
}

// beginsWithWords reports whether a text begins with words, the last of which may be
// longer only by a sign.
func beginsWithWords(s, words string) bool {
	rest, ok := strings.CutPrefix(s, words)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLetter(r)
}

// dateSeparators part two dates of a line.
var dateSeparators = [...]string{" | ", " · ", " • "}

// datesIn reads the dates of publication and of the last change in a line, the first of
// each: "May 3, 2025 | Updated June 1, 2025".
func datesIn(line string, monthFirst bool) (published, modified string) {
	for line != "" {
		part := line[:partEnd(line)]
		line = line[len(part):]
		for _, sep := range dateSeparators {
			line = strings.TrimPrefix(line, sep)
		}
		d := isoDate(dateText(part), monthFirst)
		switch {
		case saysChanged(part):
			modified = dom.FirstNonBlank(modified, d)
		case !isPeriod(part):
			published = dom.FirstNonBlank(published, d)
		}
	}
	return published, modified
}

// partEnd returns where the part of a line with its first date ends: at a separator or at
// the words of a change behind a digit.
func partEnd(line string) int {
	from := strings.IndexFunc(line, isDigitOfAny)
	if from < 0 {
		return len(line)
	}
	end := len(line)
	for _, sep := range dateSeparators {
		if i := strings.Index(line[from:end], sep); i > 0 {
			end = from + i
		}
	}
	for i := from; i < end; i++ {
		if c := line[i]; (c == ' ' || c == ',' || c == '(' || c == ';') && saysChanged(line[i+1:]) {
			return i
		}
	}
	return end
}

// Of periods and their first or last day: periodWords say it anywhere before a date,
// periodLeads right before it. "From Oslo, 5 May" is not a period.
var (
	periodWords = [...]string{"valid", "deadline", "due", "apply", "closes", "closing", "ends", "starts", "begins", "opens", "expires", "born", "died", "gültig", "frist", "valable", "válido", "geldig"}
	periodLeads = [...]string{"from", "until", "till", "before", "since", "bis", "ab", "seit", "jusqu", "hasta", "desde", "fino", "dal", "até", "tot", "vanaf", "до", "с"}
	articles    = [...]string{"the", "zum", "dem", "den", "le", "au", "el", "al", "o", "a", "ao", "en", "met"}
)

// isPeriod reports whether a shown text is about when something begins, ends or lasts: it
// has one of their words before its first number, or is two days of two years.
func isPeriod(s string) bool {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	behind, led, other, years, last := false, false, false, 0, ""
	for _, w := range words {
		switch {
		case isDigit(w[0]):
			if led && !behind {
				return true
			}
			behind = true
			if _, ok := allDigits(w); ok && len(w) == 4 && w != last {
				years, last = years+1, w
			}
		case !behind && slices.Contains(periodWords[:], w):
			return true
		case slices.Contains(periodLeads[:], w):
			led, other = true, true
		case monthOf(w) == 0 && !isTimeWord(w):
			led = led && slices.Contains(articles[:], w)
			other = true
		}
	}
	return years > 1 && !other
}
