//! Names to look for in a text.

/// Names of two letters to look for. Their first letters differ in the lowest two bits.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "vectors are for one architecture"))]
pub struct Names {
    /// The names.
    pub(super) all: [[u8; 2]; 3],
    /// For the low half of a byte, the names that may begin with it, one bit each.
    pub(super) first: [u8; 16],
    /// The same for the second letter.
    pub(super) second: [u8; 16],
}

impl Names {
    /// These names.
    pub const fn new(names: [[u8; 2]; 3]) -> Names {
        let (mut first, mut second) = ([0; 16], [0; 16]);
        let mut index = 0;
        while index < names.len() {
            first[(names[index][0] & 15) as usize] |= 1 << index;
            second[(names[index][1] & 15) as usize] |= 1 << index;
            index += 1;
        }
        Names { all: names, first, second }
    }
}
