//! Variants and Chess960.

pub mod chess960_array;
