//go:build !unix

package private

import "io/fs"

const hasModes = false

func ownedByUser(fs.FileInfo) bool { return true }
