package egress

import "strings"

// A homeRow is a host, with its subdomains, to which browsers send requests of
// their own. Flags of the browser prevent most of these requests; this table
// refuses the rest. shared says that pages are served from there too.
type homeRow struct {
	host   string
	shared bool
	use    string
}

var homeRows = [...]homeRow{
	{"update.googleapis.com", false, "updates of Chromium's components"},
	{"clients1.google.com", true, "component updates, captive portals"},
	{"clients2.google.com", false, "extension updates, time, DNS probes"},
	{"clients2.googleusercontent.com", false, "extension downloads"},
	{"clients3.google.com", false, "captive portals"},
	{"clients4.google.com", false, "sync, metrics"},
	{"clients5.google.com", true, "translation, metrics"},
	{"clients6.google.com", true, "sign-in state"},
	{"clientservices.googleapis.com", false, "variations, the seed of field trials"},
	{"chrome-variations.googleapis.com", false, "variations"},
	{"optimizationguide-pa.googleapis.com", false, "hints and models for pages"},
	{"chromemodelexecution-pa.googleapis.com", false, "models"},
	{"chromemodelquality-pa.googleapis.com", false, "models"},
	{"aida.googleapis.com", false, "assistance in the developer tools"},
	{"content-autofill.googleapis.com", false, "form predictions"},
	{"passwordsleakcheck-pa.googleapis.com", false, "leaked passwords"},
	{"affiliation-pa.googleapis.com", false, "password affiliations"},
	{"safebrowsing.googleapis.com", false, "Safe Browsing"},
	{"safebrowsing.google.com", false, "Safe Browsing"},
	{"safebrowsing.brave.com", false, "Safe Browsing, by way of Brave"},
	{"safebrowsingohttpgateway.googleapis.com", false, "Safe Browsing"},
	{"sb-ssl.google.com", false, "Safe Browsing of downloads"},
	{"redirector.gvt1.com", false, "downloads of components"},
	{"edgedl.me.gvt1.com", false, "downloads of components"},
	{"dl.google.com", true, "updates; people download Chrome and SDKs from it"},
	{"chromewebstore.googleapis.com", false, "extensions"},
	{"chromesyncpasswords-pa.googleapis.com", false, "sync"},
	{"chromekanonymity-pa.googleapis.com", false, "the ad auction's servers"},
	{"chromekanonymityquery-pa.googleapis.com", false, "the ad auction's servers"},
	{"chromekanonymityauth-pa.googleapis.com", false, "the ad auction's servers"},
	{"privacysandbox.googleapis.com", false, "the privacy sandbox"},
	{"mtalk.google.com", false, "push messages"},
	{"alt1-mtalk.google.com", false, "push messages"},
	{"beacons.gcp.gvt2.com", false, "reliability reports"},
	{"beacons.gvt2.com", false, "reliability reports"},
	{"beacons2.gvt2.com", false, "reliability reports"},
	{"beacons3.gvt2.com", false, "reliability reports"},
	{"translate-pa.googleapis.com", true, "translation"},
	{"accounts.google.com", true, "sign-in state; people sign in there"},
	{"accounts.youtube.com", true, "sign-in state"},
	{"oauthaccountmanager.googleapis.com", false, "sign-in state"},
	{"edge.microsoft.com", false, "Edge: configuration, components, translation"},
	{"config.edge.skype.com", false, "Edge: field trials"},
	{"msedge.api.cdp.microsoft.com", false, "Edge: updates"},
	{"edge.activity.windows.com", false, "Edge: sync"},
	{"edge-enterprise.activity.windows.com", false, "Edge: sync"},
	{"smartscreen.microsoft.com", false, "Edge: SmartScreen"},
	{"smartscreen-prod.microsoft.com", false, "Edge: SmartScreen"},
	{"urs.microsoft.com", false, "Edge: SmartScreen"},
	{"ntp.msn.com", false, "Edge: the new tab"},
	{"assets.msn.com", true, "Edge: the new tab; also pictures of msn.com"},
	{"vortex.data.microsoft.com", false, "Edge: telemetry"},
	{"browser.events.data.msn.com", false, "Edge: telemetry"},
	{"self.events.data.microsoft.com", false, "Edge: telemetry"},
	{"functional.events.data.microsoft.com", false, "Edge: telemetry"},
	{"go-updater.brave.com", false, "Brave: updates"},
	{"variations.brave.com", false, "Brave: variations"},
	{"p3a.brave.com", false, "Brave: telemetry"},
}

// CallsHome reports whether a canonical host is one that browsers call of
// their own accord: own, and whether pages need it too, so that [Proxy.Admit]
// can open it. A [Proxy] refuses them; other ways out do not, since there no
// browser is at work.
func CallsHome(host string) (own, shared bool) {
	host = strings.TrimSuffix(host, ".")
	for i := range homeRows {
		r := &homeRows[i]
		if host == r.host || len(host) > len(r.host) && host[len(host)-len(r.host)-1] == '.' && strings.HasSuffix(host, r.host) {
			return true, r.shared
		}
	}
	return false, false
}
