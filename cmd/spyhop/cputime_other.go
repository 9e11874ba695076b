//go:build !unix

package main

import "time"

// processTime is 0 where the system does not report it.
func processTime() time.Duration { return 0 }
