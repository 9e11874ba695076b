// Package archtest provides nothing: its tests hold the source to the
// conventions of this project. deps_test.go has the import layers and the owners
// of dependencies as data, boundary_test.go says which packages may dial, start
// processes and parse addresses, docs_test.go reads the documents, and
// reference_designs_test.go compares the table of the reference designs with the
// tests that it names.
package archtest
