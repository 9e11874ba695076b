package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"
)

// Rules of the user id: a browser of root runs under a user id that no other
// process has, so that a page that breaks out of it owns nothing. No account is made
// for it. If this process may not change its user id, or has only one (in some
// containers), the browser keeps the user id of this process.

// The range is the one from which systemd takes the user ids of services that
// have no account either (DynamicUser=). Most containers map it.
const firstUID, lastUID = 61184, 65519

// browserUID returns the user id that the browser runs under: wanted, or an unused
// one if wanted is 0. ownUID is that of this process.
func browserUID(wanted int) (int, error) {
	if !isRoot() || wanted == ownUID {
		return ownUID, nil
	}
	if !mayDo(unix.CAP_SETUID) || !mayDo(unix.CAP_SETGID) || !mayDo(unix.CAP_CHOWN) {
		if wanted == 0 {
			return ownUID, nil
		}
		return 0, fmt.Errorf("this process may not start another under the user id %d", wanted)
	}
	if wanted != 0 {
		if !mapped(wanted) {
			return 0, fmt.Errorf("the user id %d does not exist in this user namespace", wanted)
		}
		return wanted, nil
	}
	taken := uidsOfProcesses()
	start := rand.IntN(lastUID - firstUID + 1)
	for i := range lastUID - firstUID + 1 {
		uid := firstUID + (start+i)%(lastUID-firstUID+1)
		if taken[uid] || !mapped(uid) {
			continue
		}
		if _, err := user.LookupId(strconv.Itoa(uid)); err == nil {
			continue
		}
		if _, err := user.LookupGroupId(strconv.Itoa(uid)); err == nil {
			continue
		}
		return uid, nil
	}
	return ownUID, nil
}

// mayDo reports whether this process has a capability.
func mayDo(capability int) bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	return unix.Capget(&head, &caps[0]) == nil && caps[capability/32].Effective&(1<<(capability%32)) != 0
}

// mapped reports whether an id is one of a user and of a group in the user
// namespace of this process (user_namespaces(7)).
func mapped(id int) bool {
	for _, name := range []string{"/proc/self/uid_map", "/proc/self/gid_map"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return false
		}
		found := false
		for line := range bytes.Lines(data) {
			// Three numbers: the first id here, the first id outside, and how many.
			// (fmt.Sscan would link 20 kB.)
			if f := bytes.Fields(line); len(f) == 3 {
				first, err := strconv.Atoi(string(f[0]))
				length, err2 := strconv.Atoi(string(f[2]))
				found = found || err == nil && err2 == nil && id >= first && id-first < length
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// uidsOfProcesses returns the user ids that processes run under.
func uidsOfProcesses() map[int]bool {
	out := make(map[int]bool)
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return out
	}
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		data, err := os.ReadFile("/proc/" + e.Name() + "/status")
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			if ids, ok := bytes.CutPrefix(lines.Bytes(), []byte("Uid:")); ok {
				for _, id := range bytes.Fields(ids) {
					if n, err := strconv.Atoi(string(id)); err == nil {
						out[n] = true
					}
				}
			}
		}
	}
	return out
}
