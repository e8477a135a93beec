//! What the scanner could not make sense of.

use crate::{pgn::TagFault, rules::Span};

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxFaultKind {
    /// Text that is no tag pair, comment or movetext, before a tag section or behind a game. SYN01
    StrayText,
    /// A tag pair, or what stands in its place, is not well formed. SYN02, SYN03; SYN14 where the text ends inside it
    Tag(TagFault),
    /// A tag pair begins while the game before it has no termination marker; the place is the end of that game's movetext,
    /// `next` the tag pair that begins there. SYN04
    TagInMovetext {
        /// Where the tag pair opens.
        next: usize,
    },
    /// Tag pairs stand in the midst of the movetext, which goes on behind them. SYN04
    TagsInside,
    /// The header of a game begins in the line in which the game before it ends; the place is its bracket. SYN04
    LostLineBreak,
    /// A termination marker in the midst of the movetext, which goes on behind it up to another one. RES02
    MarkerInside,
    /// A move number in the manner of a list, `1)`; the place is its parenthesis. SYN08
    NumberParenthesis,
    /// A brace comment is never closed; the place is its brace. SYN05
    UnclosedComment {
        /// Whether reading goes on at a header inside it, rather than the text ending.
        at_header: bool,
    },
    /// A brace that stands where it has no business, or is missing. SYN06, SYN05
    Brace(BraceFault),
    /// A variation is never closed; the place is its `(`. SYN07
    UnclosedVariation,
    /// A `)` outside a variation. SYN08
    StrayVariationClose,
    /// A variation begins without its `(`; the place is its first number. SYN08
    MissingVariationOpen,
    /// A variation that has no move, replaces none, or holds a termination marker. SYN09
    BadVariation(RavFault),
    /// A mark of HTML. SYN10
    Html,
    /// A token that is nothing in PGN. SYN10
    UnknownToken {
        /// What it probably stands for: a move, or a move and a marker with a blank between.
        meant: Option<String>,
    },
    /// The first move of a game whose moves are not written in English. MOV22
    ForeignNotation {
        /// What a person calls the notation.
        name: &'static str,
        /// The move in English.
        english: String,
    },
    /// A game that replays from the initial array, and not from its FEN tag; the place is that tag. TAG19
    FenNotStart {
        /// Plies that replay from the initial array.
        plies: u32,
        /// The ply that cannot be played from the FEN tag.
        stuck: u32,
    },
    /// King moves that tell an electronic board the result; the place is those that are not legal. MOV25
    KingSignal,
    /// A token that is one only together with its neighbours; the place encloses all of them. SYN11
    SplitToken {
        /// The token put together.
        joined: String,
    },
    /// The text ends early, before a termination marker; the place is empty, at the end of the last token. SYN14
    Truncated {
        /// What it ends in: `the tag section`, `the movetext`.
        inside: &'static str,
    },
    /// A second termination marker, or movetext behind the first; the place is the first such token. RES02
    AfterMarker {
        /// Whether the token is a marker itself.
        marker: bool,
        /// How many plies or words stand behind the marker that ended the game.
        tokens: u32,
    },
}

/// What is wrong with a brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BraceFault {
    /// A `}` outside a comment; the place is the brace. SYN06
    Stray,
    /// A `{` inside a comment that ends at the first `}`; the place is the inner brace. SYN06, as an info
    Nested,
    /// A comment inside a comment; the place is the inner `{`. SYN06
    NestedComment,
    /// A comment without its `{`; the place is the comment. SYN06
    MissingOpen,
    /// A comment between `}` and `{`; the place is all of it. SYN06
    Swapped,
    /// A `(` or `[` for the `{` of a comment; the place is the bracket. SYN06
    MeantOpeningBrace,
    /// A `}` for the `)` of a variation; the place is the brace. SYN06
    MeantClosingParenthesis,
    /// A comment that is not closed, and the game goes on inside it; the place is its `{`. SYN05
    Unclosed,
    /// A `)` or `]` for the `}` of a comment; the place is the bracket. SYN05
    MeantBrace,
    /// A `{` for the `(` of a variation; the place is the brace. SYN05
    MeantParenthesis,
}

/// What is wrong with a variation whose brackets are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RavFault {
    /// It has no move; the place is the whole variation.
    Empty,
    /// It stands before the first move of its line; the place is its `(`.
    ReplacesNothing,
    /// A termination marker stands in it; the place is the marker.
    Marker,
}

/// Something that the scanner could not make sense of.
#[derive(Clone, Debug)]
pub struct SyntaxFault<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// Where it is.
    pub place: Span,
    /// What it is.
    pub kind: SyntaxFaultKind,
    /// Whether it stands in a variation.
    pub in_variation: bool,
}
