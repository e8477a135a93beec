//! The certificates of positions, and the games that prove them.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use crate::format::{
    ReportError,
    csv_file::{TableFile, WrittenFile},
    files::PROOF_GAMES_FILE,
};
use crate::{
    pgn::MAX_LINE,
    pipeline::CertifiedPosition,
    record::Certificate,
    text::wording::{printable, printable_name},
};

/// `certificates.csv` and `proof_games.pgn`, while they are written.
#[derive(Debug)]
pub(super) struct CertificateFiles {
    table: TableFile,
    games: BufWriter<File>,
    /// Number of games so far.
    written: u64,
}

impl CertificateFiles {
    /// Starts the file of games in a directory.
    pub fn create(at: &Path, table: TableFile) -> Result<CertificateFiles, ReportError> {
        let file = File::create_new(at.join(PROOF_GAMES_FILE)).map_err(failed)?;
        Ok(CertificateFiles { table, games: BufWriter::new(file), written: 0 })
    }

    /// Writes what is proven about a position of an input.
    pub fn write(&mut self, input: &str, position: &CertifiedPosition) -> Result<(), ReportError> {
        let CertifiedPosition { line, game, certificate, .. } = position;
        let proof = certificate.game();
        if let Some(proof) = proof {
            self.written += 1;
            write_game(&mut self.games, input, position, &proof.moves).map_err(failed)?;
        }
        let (rule, reason) = match certificate {
            Certificate::Illegal { rule, reason } => (Some(rule), reason.as_str()),
            Certificate::Failed { reason } => (None, reason.as_str()),
            Certificate::Legal(_) | Certificate::Open | Certificate::Contradiction { .. } => (None, ""),
        };
        let number = proof.map(|_| self.written);
        self.table.row(|row| {
            row.name(input);
            row.number(*line);
            row.number(*game);
            row.text(certificate.verdict());
            row.show_some(rule);
            row.text(reason);
            row.number_some(number);
            row.number_some(proof.map(|proof| proof.plies))
        })
    }

    /// Ends both files, which are not on the disk yet.
    pub fn end(self) -> Result<(TableFile, WrittenFile), ReportError> {
        let file = self.games.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok((self.table, WrittenFile { name: PROOF_GAMES_FILE, file }))
    }
}

fn failed(source: io::Error) -> ReportError {
    ReportError::Write { file: PROOF_GAMES_FILE.into(), source }
}

/// Writes a game as PGN. Its place and its last position are in its tags.
fn write_game(to: &mut impl Write, input: &str, position: &CertifiedPosition, moves: &str) -> io::Result<()> {
    let CertifiedPosition { line, position, .. } = position;
    let site = format!("{}:{line}", printable_name(input));
    let tags = [
        ("Event", "Proof game"),
        ("Site", &site),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
        ("LeadsTo", position),
    ];
    for (name, value) in tags {
        writeln!(to, "[{name} \"{}\"]", printable(value).replace('\\', "\\\\").replace('"', "\\\""))?;
    }
    writeln!(to)?;
    let mut width = 0;
    for word in moves.split(' ').chain(["*"]) {
        if width > 0 && width + 1 + word.len() > MAX_LINE {
            writeln!(to)?;
            width = 0;
        } else if width > 0 {
            write!(to, " ")?;
            width += 1;
        }
        write!(to, "{word}")?;
        width += word.len();
    }
    writeln!(to, "\n")
}
