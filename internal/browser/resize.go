package browser

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Window is the size of a window and the medium that a page is told of.
type Window struct {
	// Width and Height are in CSS pixels; 0: unchanged.
	Width, Height int
	// Media is dark, light, print, reduced-motion or mobile; empty: unchanged.
	Media string
	// Device is a name of the devices below, Locale a language such as pt-BR, Timezone a
	// name such as Asia/Tokyo, Geolocation a latitude and a longitude, "38.7,-9.1", and
	// Network the name of conditions. "none" takes one back; empty: unchanged.
	Device, Locale, Timezone, Geolocation, Network string
}

// devices are those that Window.Device names. The sizes are those that the makers give.
var devices = map[string]device{
	"none":      {windowWidth, windowHeight, 1, false, ""},
	"iphone-se": {375, 667, 2, true, "iPhone; CPU iPhone OS 18_5 like Mac OS X"},
	"iphone-15": {393, 852, 3, true, "iPhone; CPU iPhone OS 18_5 like Mac OS X"},
	"pixel-8":   {412, 915, 2.625, true, "Linux; Android 15; Pixel 8"},
	"galaxy-s9": {360, 740, 4, true, "Linux; Android 10; SM-G960F"},
	"ipad":      {820, 1180, 2, true, "iPad; CPU OS 18_5 like Mac OS X"},
	"laptop":    {1366, 768, 1, false, ""},
	"desktop":   {1920, 1080, 1, false, ""},
}

// media are those that Window.Media names, as the browser tells the page of them.
var media = map[string]emulation.SetEmulatedMediaParams{
	"dark":           {Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}},
	"light":          {Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}},
	"print":          {Media: "print"},
	"reduced-motion": {Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}},
	"mobile":         {},
}

// networks are the conditions that Window.Network names: milliseconds of latency, and bytes a
// second down and up. Those of 3G and 4G are the ones of Chrome's developer tools.
var networks = map[string]conditions{
	"none":    {Down: -1, Up: -1},
	"offline": {Offline: true, Down: -1, Up: -1},
	"slow-3g": {Latency: 2000, Down: 50_000, Up: 50_000},
	"fast-3g": {Latency: 562.5, Down: 180_000, Up: 84_375},
	"4g":      {Latency: 165, Down: 1_012_500, Up: 168_750},
}

// conditions are the parameters of Network.emulateNetworkConditions, which also tells the page
// whether it is online. Chromium 148 refuses the newer command for rules.
type conditions struct {
	Offline bool    `json:"offline"`
	Latency float64 `json:"latency"`
	Down    float64 `json:"downloadThroughput"`
	Up      float64 `json:"uploadThroughput"`
}

// Devices and Networks are the names that a Window takes, sorted.
func Devices() []string  { return slices.Sorted(maps.Keys(devices)) }
func Networks() []string { return slices.Sorted(maps.Keys(networks)) }

// Resize changes the window of a tab, and what the page is told of its medium, and
// says what changed.
func (b *Browser) Resize(ctx context.Context, at Place, w Window) (*Changes, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		if err := t.emulate(ctx, w); err != nil {
			return err
		}
		if w.Width == 0 && w.Height == 0 && w.Media == "" && w.Device == "" {
			return nil
		}
		return t.resize(ctx, w)
	})
}

// check returns the error of a Window that cannot be.
func (w Window) check() error {
	if w == (Window{}) {
		return tool.NewError(tool.InvalidInput, "there is nothing to change", "give width and height, media, device, locale, timezone, geolocation or network")
	}
	for _, c := range []struct {
		what, value string
		known       []string
	}{{"media", w.Media, slices.Sorted(maps.Keys(media))}, {"device", w.Device, Devices()}, {"network", w.Network, Networks()}} {
		if c.value != "" && !slices.Contains(c.known, c.value) {
			return tool.NewError(tool.InvalidInput, c.what+" "+text.Quoted(c.value)+" is unknown", "it is one of "+strings.Join(c.known, ", "))
		}
	}
	for _, n := range []int{w.Width, w.Height} {
		if n != 0 && (n < leastWindow || n > largestWindow) {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("a window of %d pixels is not possible", n), fmt.Sprintf("sides are between %d and %d", leastWindow, largestWindow))
		}
	}
	return nil
}

// resize sets the screen and the medium.
func (t *tab) resize(ctx context.Context, w Window) error {
	is := t.device
	switch {
	case w.Device != "":
		is = devices[w.Device]
	case w.Media == "mobile":
		is.width, is.height, is.mobile = mobileWidth, mobileHeight, true
	case w.Media != "" && t.mobile:
		is.width, is.height, is.mobile = windowWidth, windowHeight, false
	}
	is.width, is.height = cmp.Or(float64(w.Width), is.width), cmp.Or(float64(w.Height), is.height)
	if is.agent != t.agent {
		if err := t.setAgent(ctx, is.agent); err != nil {
			return err
		}
	}
	if w.Media != "" {
		if err := do(ctx, t.main, emulation.SetEmulatedMedia, media[w.Media]); err != nil {
			return err
		}
	}
	if err := do(ctx, t.main, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(is.width), Height: int64(is.height), DeviceScaleFactor: cmp.Or(is.scale, 1), Mobile: is.mobile}); err != nil {
		return err
	}
	if err := do(ctx, t.main, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: is.mobile}); err != nil {
		return err
	}
	t.device = is
	return nil
}

// emulate sets what a Window has besides size and medium.
func (t *tab) emulate(ctx context.Context, w Window) error {
	unset := func(s string) string { return strings.TrimPrefix(s, "none") }
	if w.Locale != "" {
		err := do(ctx, t.main, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: unset(w.Locale)})
		if err == nil {
			t.locale = unset(w.Locale)
			err = t.setAgent(ctx, t.agent)
		}
		if err != nil {
			return unknown(err, "locale", w.Locale, "it is a language, for example pt-BR, or none")
		}
	}
	if w.Timezone != "" {
		if err := do(ctx, t.main, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: unset(w.Timezone)}); err != nil {
			return unknown(err, "timezone", w.Timezone, "it is a name such as Asia/Tokyo, or none")
		}
	}
	if w.Network != "" {
		if err := t.main.Call(ctx, "Network.emulateNetworkConditions", networks[w.Network], nil); err != nil {
			return err
		}
	}
	return t.setPlace(ctx, w.Geolocation)
}

// unknown is the error of a value that the browser refuses.
func unknown(err error, what, value, hint string) error {
	if refused(err) {
		return tool.NewError(tool.InvalidInput, what+" "+text.Quoted(value)+" is unknown", hint)
	}
	return err
}

// setPlace sets where the page is told that it is, and lets it ask.
func (t *tab) setPlace(ctx context.Context, at string) error {
	if at == "" {
		return nil
	}
	setting, place := cdpbrowser.PermissionSettingDenied, emulation.SetGeolocationOverrideParams{}
	if at != "none" {
		north, east, ok := strings.Cut(at, ",")
		latitude, err := strconv.ParseFloat(strings.TrimSpace(north), 64)
		longitude, none := strconv.ParseFloat(strings.TrimSpace(east), 64)
		if !ok || err != nil || none != nil || math.Abs(latitude) > 90 || math.Abs(longitude) > 180 {
			return tool.NewError(tool.InvalidInput, "geolocation "+text.Quoted(at)+" cannot be read", "it is a latitude and a longitude, for example 38.72,-9.14, or none")
		}
		setting, place = cdpbrowser.PermissionSettingGranted, emulation.SetGeolocationOverrideParams{Latitude: &latitude, Longitude: &longitude, Accuracy: new(10.0)}
	}
	if !t.engine.isTheirs() {
		if err := do(ctx, t.engine.root, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: "geolocation"}, Setting: setting, BrowserContextID: t.home.id}); err != nil {
			return err
		}
	}
	return do(ctx, t.main, emulation.SetGeolocationOverride, place)
}

// setAgent tells the page the user agent of a device, and its language.
func (t *tab) setAgent(ctx context.Context, of string) error {
	agent := t.engine.userAgent
	if agent == "" {
		version, err := call(ctx, t.engine.root, cdpbrowser.GetVersion, cdp.Empty{})
		if err != nil {
			return err
		}
		agent = version.UserAgent
	}
	if of != "" {
		_, rest, _ := strings.Cut(agent, ")")
		agent = "Mozilla/5.0 (" + of + ")" + strings.Replace(rest, " Safari", " Mobile Safari", 1)
	}
	return do(ctx, t.main, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent, AcceptLanguage: t.locale})
}
