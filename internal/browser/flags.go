package browser

import (
	"cmp"
	"strings"
)

// flags are the arguments of the browser.
//
// The first group keeps its traffic on the way through the guard. Measured on
// Chromium 156, --proxy-server alone leaks to loopback, to link-local addresses
// and over UDP; with these, nothing does. Both spellings of the WebRTC policy
// are needed: each build ignores the other's. The proxy named here is that of
// a profile that lasts, else a dead end: contexts name their own, and what belongs to none has no way out.
func flags(o launchOptions) []string {
	lead := []string{
		"--proxy-server=http://" + cmp.Or(o.proxy, "127.0.0.1:9"),
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--disable-quic",
		"--dns-prefetch-disable",
	}
	if o.direct != "" {
		lead = nil
	}
	f := append(lead,
		// No requests to the browser's vendor.
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-domain-reliability", "--disable-client-side-phishing-detection", "--safebrowsing-disable-auto-update",
		"--no-pings", "--metrics-recording-only", "--disable-field-trial-config",
		"--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions,"+
			"AutofillServerCommunication,CertificateTransparencyComponentUpdater,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"+
			"PaintHolding,LensOverlay,GlobalMediaControls,AcceptCHFrame,DestroyProfileOnBrowserClose",

		// No person can answer these.
		"--no-first-run", "--no-default-browser-check", "--noerrdialogs", "--disable-prompt-on-repost", "--deny-permission-prompts",
		"--disable-extensions", "--disable-component-extensions-with-background-pages",
		"--disable-breakpad", "--disable-crash-reporter", "--password-store=basic", "--use-mock-keychain", "--mute-audio",
		"--disable-search-engine-choice-screen", "--disable-external-intent-requests",

		// Pages in the background go on working, and this package ends pages that hang.
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--disable-hang-monitor",

		// A script that uses more memory than this ends its own page.
		"--js-flags=--max-old-space-size=768", "--disable-dev-shm-usage", "--disk-cache-size=33554432",
		// A headless browser says that it has no mouse, and sites then serve what is for
		// touch screens.
		"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
		"--force-color-profile=srgb", "--hide-scrollbars", "--window-size=1280,800", "--lang=en-US", "--disable-gpu", "--enable-unsafe-swiftshader",

		"--remote-debugging-pipe",
		"--user-data-dir="+o.dir,
	)
	if o.noSandbox {
		f = append(f, "--no-sandbox")
	}
	if !o.headed && !strings.Contains(o.path, "headless") {
		f = append(f, "--headless=new")
	}
	return append(f, "--no-startup-window")
}

type launchOptions struct {
	path      string
	dir       string // the profile; start sets it
	profile   string // that lasts; empty: the one in the folder of the process
	proxy     string // that the default context has; empty: a dead end
	folder    string // where the folder of the process is made; see folderFor
	headed    bool
	uid       int // that the browser runs under; ownUID: that of this process
	noSandbox bool
	helper    Helper
	direct    string // see Browser.direct
	again     bool   // one in a namespace has ended by itself
	why       error  // what went wrong with the namespace; nil: nothing, or none was tried
}
