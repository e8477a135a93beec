//! Syntax faults that the scanner finds.

use shakmaty::Outcome;

use crate::{pgn::TagFault, rules::Span};

/// The kind of a syntax fault, with the code of its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxFaultKind {
    /// Text before or after a game that is not a tag pair, comment or movetext. SYN01
    StrayText,
    /// A malformed tag pair. SYN02, SYN03, or SYN14 if the text ends inside it
    Tag(TagFault),
    /// A tag pair begins, but the game before it has no termination marker. The place is the end of
    /// the movetext of that game. SYN04
    TagInMovetext {
        /// Start of the tag pair.
        next: usize,
        /// The token that the tag pair cuts off, as in `Qe[Event`.
        torn: Option<Span>,
        /// The result according to the Result tag.
        result: Outcome,
    },
    /// Tag pairs in the middle of the movetext, which continues after them. SYN04
    TagsInside,
    /// A header begins on the line on which the previous game ends. The place is its bracket. SYN04
    LostLineBreak,
    /// A termination marker in the middle of the movetext, which continues up to another marker.
    /// RES02
    MarkerInside,
    /// A move number written as `1)`. The place is its parenthesis. SYN08
    NumberParenthesis,
    /// A brace comment is not closed. The place is its brace. SYN05
    UnclosedComment {
        /// Whether reading continues at a header inside the comment. Otherwise the text ends.
        at_header: bool,
        /// Where reading continues.
        end: usize,
    },
    /// A brace is missing or in the wrong place. SYN06, SYN05
    Brace(BraceFault),
    /// A variation is not closed. The place is its `(`. SYN07
    UnclosedVariation {
        /// Where the missing parentheses probably belong, and their number.
        end: Option<(usize, usize)>,
    },
    /// A `)` outside a variation. SYN08
    StrayVariationClose,
    /// A variation begins without its `(`. The place is its first move number. SYN08
    MissingVariationOpen,
    /// A variation is empty, misplaced or contains a termination marker. SYN09
    BadVariation(RavFault),
    /// An HTML tag. SYN10
    Html,
    /// A placeholder of a program in place of a move number, such as `NaN.`. SYN10
    NumberPlaceholder {
        /// The number that belongs there.
        number: String,
    },
    /// A token that is not PGN. SYN10
    UnknownToken {
        /// What was probably meant: a move, or a move and a marker separated by a space.
        meant: Option<String>,
    },
    /// A sign for the evaluation of a position, such as `+/-`, in place of a NAG. SYN10
    EvaluationSign {
        /// The NAG with this meaning.
        nag: u8,
    },
    /// The first move of a game whose moves use piece letters of another language. MOV22
    ForeignNotation {
        /// Name of the notation, for messages.
        name: &'static str,
        /// The move in English.
        english: String,
    },
    /// A game that can be played from the starting position, but not from its FEN tag. The place is
    /// that tag. TAG19
    FenNotStart {
        /// Number of plies that can be played from the starting position.
        plies: u32,
        /// The ply that cannot be played from the FEN tag.
        stuck: u32,
        /// The tag pairs without which the game starts from the starting position: FEN and SetUp.
        /// Empty if another tag needs them.
        superfluous: Vec<Span>,
    },
    /// King moves that signal the result to an electronic board. The place is the illegal ones.
    /// MOV25
    KingSignal,
    /// A token that is split by whitespace. The place covers all parts, or a glyph apart from its
    /// move. SYN11
    SplitToken {
        /// The joined token.
        joined: String,
    },
    /// The first token of a game that lacks a space, as in `d62.`. SYN11
    GluedTokens {
        /// The tokens with a space between them.
        parts: String,
    },
    /// The text ends inside a token of the movetext. The place is that token. SYN14
    Truncated,
    /// A second termination marker, or movetext after the first one. The place is the first such
    /// token. RES02
    AfterMarker {
        /// Whether the token is a marker.
        marker: bool,
        /// Number of moves and markers after the marker that ended the game.
        tokens: u32,
    },
}

/// The kind of fault of a brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BraceFault {
    /// A `}` outside a comment. The place is the brace. SYN06
    Stray,
    /// A `{` inside a comment that ends at the first `}`. The place is the inner brace. SYN06, an
    /// info
    Nested,
    /// A comment inside a comment. The place is the inner `{`. SYN06
    NestedComment,
    /// A comment without its `{`. The place is the comment. SYN06
    MissingOpen,
    /// A comment between `}` and `{`. The place includes both braces. SYN06
    Swapped,
    /// A `(` or `[` instead of the `{` of a comment. The place is the bracket. SYN06
    MeantOpeningBrace,
    /// A `}` instead of the `)` of a variation. The place is the brace. SYN06
    MeantClosingParenthesis,
    /// A comment is not closed, and the game continues inside it. The place is its `{`. SYN05
    Unclosed {
        /// Where the comment ends: after its last word.
        end: usize,
    },
    /// A `)` or `]` instead of the `}` of a comment. The place is the bracket. SYN05
    MeantBrace,
    /// A `{` instead of the `(` of a variation. The place is the brace. SYN05
    MeantParenthesis,
}

/// The kind of fault of a variation with matching parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RavFault {
    /// It contains no move. The place is the whole variation.
    Empty,
    /// It comes before the first move of its line. The place is its `(`.
    ReplacesNothing,
    /// It contains a termination marker. The place is the marker.
    Marker,
}

/// A syntax fault.
#[derive(Clone, Debug)]
pub struct SyntaxFault<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// The place of the fault.
    pub place: Span,
    /// Its kind.
    pub kind: SyntaxFaultKind,
    /// Whether it is in a variation.
    pub in_variation: bool,
}
