//! The table of rules: the lists of all families, in the order of the catalogue.

use super::{Code, Rule, ann, cas, clk, ctr, dup, enc, epd, eps, exp, fen, hse, mov, nam, num, pos, res, syn, tag, tru, var};

/// The rules of each family, in the order of [`Family::ALL`](super::Family::ALL).
const FAMILIES: [&[&Rule]; 20] = [
    enc::RULES,
    syn::RULES,
    tag::RULES,
    mov::RULES,
    num::RULES,
    res::RULES,
    fen::RULES,
    pos::RULES,
    cas::RULES,
    eps::RULES,
    ctr::RULES,
    epd::RULES,
    dup::RULES,
    clk::RULES,
    ann::RULES,
    var::RULES,
    tru::RULES,
    exp::RULES,
    hse::RULES,
    nam::RULES,
];

/// Number of rules.
const COUNT: usize = {
    let mut count = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &{
    let mut rules = [FAMILIES[0][0]; COUNT];
    let (mut family, mut next) = (0, 0);
    while family < FAMILIES.len() {
        let mut rule = 0;
        while rule < FAMILIES[family].len() {
            rules[next] = FAMILIES[family][rule];
            next += 1;
            rule += 1;
        }
        family += 1;
    }
    rules
};

/// The rule with this code.
pub fn rule(code: Code) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| RULES[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_in_order() {
        assert!(RULES.windows(2).all(|pair| pair[0].code < pair[1].code));
        let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
