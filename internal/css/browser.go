package css

import "github.com/spyhop-dev/spyhop/internal/css/computed"

// This file has what package snapshot uses of the styles that a browser computes.

// What package computed provides.
type (
	Computed = computed.Computed
	Look     = computed.Look
	Reason   = computed.Reason
	Space    = computed.Space
	Edges    = computed.Edges
	Frame    = computed.Frame
)

// What package computed provides.
const (
	InSight    = computed.InSight
	Display    = computed.Display
	Visibility = computed.Visibility
	Opacity    = computed.Opacity
	Size       = computed.Size
	Place      = computed.Place
	Clip       = computed.Clip
	Color      = computed.Color
	Covered    = computed.Covered
	Skipped    = computed.Skipped
	Unknown    = computed.Unknown

	ComputedBackdrop        = computed.ComputedBackdrop
	ComputedBackground      = computed.ComputedBackground
	ComputedBackgroundImage = computed.ComputedBackgroundImage
	ComputedBackgroundSize  = computed.ComputedBackgroundSize
	ComputedClipPath        = computed.ComputedClipPath
	ComputedColor           = computed.ComputedColor
	ComputedColorScheme     = computed.ComputedColorScheme
	ComputedDisplay         = computed.ComputedDisplay
	ComputedFill            = computed.ComputedFill
	ComputedFilter          = computed.ComputedFilter
	ComputedPosition        = computed.ComputedPosition
	ComputedRotate          = computed.ComputedRotate
	ComputedScale           = computed.ComputedScale
	ComputedTransform       = computed.ComputedTransform
	ComputedTranslate       = computed.ComputedTranslate
)

// What package computed provides.
var (
	ComputedStyles = computed.ComputedStyles
	Opaque         = computed.Opaque
	Transparent    = computed.Transparent
	OpaqueImage    = computed.OpaqueImage
	BorderFrame    = computed.BorderFrame
	OutlineFrame   = computed.OutlineFrame
	ShadowFrames   = computed.ShadowFrames
	ShadowFill     = computed.ShadowFill
	ClipRect       = computed.ClipRect
	ClipBounds     = computed.ClipBounds
	Struck         = computed.Struck
	Washes         = computed.Washes
	IsTransform    = computed.IsTransform
)
