//! Results and game termination markers.

pub mod extra_marker;
