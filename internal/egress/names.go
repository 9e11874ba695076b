package egress

import "strings"

// maxNameBytes is the longest host name, RFC 1035 section 2.3.4: 255 bytes on
// the wire, which is 253 in letters.
const maxNameBytes = 253

// This file has the rules about names. They apply to the canonical host without
// its trailing dot, before any DNS query: an answer cannot make a reserved name
// public.

// wellFormed reports whether the host is made of labels of 1 to 63 letters,
// digits, hyphens and underscores. WHATWG URLs allow more, for example
// "$(id).example.com", which no web host needs. The host cannot begin with a
// hyphen, so that no program takes it for an option.
func wellFormed(host string) bool {
	if host == "" || len(host) > maxNameBytes || host[0] == '-' {
		return false
	}
	label := 0
	for i := range len(host) {
		switch c := host[i]; {
		case c == '.':
			if label == 0 {
				return false
			}
			label = 0
			continue
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
		if label++; label > 63 {
			return false
		}
	}
	return label > 0
}

// A reservation is why a host is not one of the public DNS.
type reservation struct {
	reason string // follows the host: "shop.example is a name for …"; "" for none
	// private says that a private network can have such a host, so that the
	// operator can allow it.
	private bool
}

// reserved returns why a host can be no public one: it has a single label, it
// stands below a domain that the public DNS does not have, or its last label is
// not of the form of a top-level domain. The domains are those of SPEC section
// 4, and those that clusters use for their services.
func reserved(host string) reservation {
	i := strings.LastIndexByte(host, '.')
	tld := host[i+1:]
	switch tld {
	case "localhost":
		return reservation{"is a name of this machine (RFC 6761)", true}
	case "test":
		return reservation{"is a name for tests, which no public site has (RFC 6761)", true}
	case "example":
		return reservation{"is a name for documentation, which no site has (RFC 6761)", false}
	case "invalid":
		return reservation{"is a name that is guaranteed not to exist (RFC 6761)", false}
	case "local":
		return reservation{"is a name of multicast DNS, which only the local network answers (RFC 6762)", true}
	case "onion":
		return reservation{"is a name of the Tor network, which the DNS does not answer (RFC 7686)", false}
	case "alt":
		return reservation{"is a name outside of the DNS (RFC 9476)", false}
	case "internal":
		return reservation{"is a name for private networks, reserved by ICANN in 2024", true}
	case "home", "corp":
		return reservation{"is a name that private networks use, which ICANN does not delegate because of name collisions", true}
	case "intranet", "lan", "private":
		return reservation{"is a name that private networks use (RFC 6762 appendix G)", true}
	case "localdomain", "localdomain4", "localdomain6":
		return reservation{"is a name that systems give themselves where no domain is configured", true}
	case "arpa":
		if host == "home.arpa" || strings.HasSuffix(host, ".home.arpa") {
			return reservation{"is a name for home networks (RFC 8375)", true}
		}
		return reservation{"is a name of the infrastructure of the DNS, where no sites are (RFC 3172)", false}
	case "default", "svc":
		return reservation{"is a name of a service within a Kubernetes cluster", true}
	case "consul":
		return reservation{"is a name of a service that Consul knows", true}
	}
	switch {
	case i < 0:
		return reservation{"is a single label, which only a local network completes", true}
	case !topLevel(tld):
		return reservation{"ends with a label that no top-level domain has (RFC 1123)", true}
	}
	return reservation{}
}

// topLevel reports whether the label can be a top-level domain: only letters,
// or an A-label (RFC 1123 section 2.1). It refuses "1.2.3.4x".
func topLevel(label string) bool {
	if strings.HasPrefix(label, "xn--") {
		return len(label) > len("xn--")
	}
	for i := range len(label) {
		if label[i] < 'a' || label[i] > 'z' {
			return false
		}
	}
	return len(label) >= 2
}

// isMetadataName reports whether the host, or a domain above it, is a name of
// a metadata service. Those of .internal matter here too: they stay refused
// where an exception opens other names of .internal.
func isMetadataName(host string) bool {
	for {
		switch host {
		case "metadata.google.internal", "metadata.goog", "metadata", // GCP
			"instance-data", "instance-data.ec2.internal", // AWS
			"metadata.azure.internal", "metadata.azure.com", // Azure
			"metadata.tencentyun.com",           // Tencent Cloud
			"metadata.platformequinix.com",      // Equinix Metal
			"metadata.packet.net",               // the same, before 2020
			"api.metadata.cloud.ibm.com",        // IBM Cloud
			"rancher-metadata",                  // Rancher
			"metadata.service.consul",           // Consul on Equinix and others
			"metadata.internal", "metadata.lan": // by convention
			return true
		}
		_, parent, found := strings.Cut(host, ".")
		if !found {
			return false
		}
		host = parent
	}
}

// isBadPort reports whether a port serves something else than web pages.
func isBadPort(port int) bool {
	switch port {
	// The Fetch standard, "port blocking", as of 2026.
	case 0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69,
		77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119,
		123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
		526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
		993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000,
		6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080:
		return true
	// Files, databases, caches, remote desktops, debuggers, cluster control.
	case 445, 1433, 2375, 2379, 3306, 3389, 5432, 5900, 6379, 9200, 9222, 10250, 11211, 27017:
		return true
	}
	return port < 0 || port > 65535
}
