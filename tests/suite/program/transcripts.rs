//! What is said at the command line and what is answered, as transcripts: `tests/cli`.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}
