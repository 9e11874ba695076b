package blocks

// DecodeModel reads a model file, for tests of what writes one.
var DecodeModel = decodeModel
