// Package e2e provides nothing: its tests run Spyhop as its users do, against a
// double of the internet on loopback. internet_test.go has the double, the
// design_*_test.go files have the reference designs, requirement by requirement.
package e2e
