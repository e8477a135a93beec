//! EPD lines.
