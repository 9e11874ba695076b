package egress

// Names for the tests of package egress_test.

var Classify = classify
