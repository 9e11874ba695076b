package date

import (
	"strings"
	"sync"

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

// Month returns the month that a word names or shortens to three letters or
// more, or 0.
func Month(word string) int {
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

// IsWeekday reports whether a word is the English name of a day or its first
// three letters, or the name of a day in another language of months.
func IsWeekday(w string) bool {
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

// periodWords and periodLeads call a date the beginning or the end of something: the
// former anywhere before it, the latter right before it. "From Oslo, 5 May" is not a
// period.
var (
	periodWords = [...]string{"valid", "deadline", "due", "apply", "closes", "closing", "ends", "starts", "begins", "opens", "expires", "born", "died", "gültig", "frist", "valable", "válido", "geldig"}
	periodLeads = [...]string{"from", "until", "till", "before", "since", "bis", "ab", "seit", "jusqu", "hasta", "desde", "fino", "dal", "até", "tot", "vanaf", "до", "с"}
	articles    = [...]string{"the", "zum", "dem", "den", "le", "au", "el", "al", "o", "a", "ao", "en", "met", "of", "th"}
)
