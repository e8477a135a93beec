//! What is read: kinds, encodings, packing, damage and change.

mod changed;
mod damaged;
mod encodings;
mod not_chess;
mod packed;
mod settings_expect;
mod settings_file;
mod settings_house;
mod tables;
