// What chess.js refuses in a file. It reads one game at a time, and of positions only FEN.
const fs = require("node:fs");
const { Chess, validateFen } = require("chess.js");

function refusal(read) {
    try {
        read();
    } catch (error) {
        // Other errors than these are thrown on purpose.
        if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
        const line = error.location ? `${error.location.start.line}: ` : "";
        console.log(`${line}${String(error.message).split("\n")[0]}`);
    }
}

const path = process.argv[2];
const text = fs.readFileSync(path, "utf8");
if (path.endsWith(".pgn")) {
    // A game begins at an Event tag, unless the line before it is a tag, too.
    // Lines of its errors count from there.
    let before = 0;
    for (const game of text.split(/(?<=^(?!\[).*\n)(?=\[Event )/m)) {
        refusal(() => {
            try {
                new Chess().loadPgn(game);
            } catch (error) {
                if (error.location) error.location.start.line += before;
                throw error;
            }
        });
        before += game.split("\n").length - 1;
    }
} else {
    text.split(/\r?\n/).forEach((line, index) => {
        if (!line) return;
        const fields = line.split(" ");
        const isFen = fields.length > 4 && !line.includes(";");
        const fen = isFen ? line : [...fields.slice(0, 4), "0", "1"].join(" ");
        const { ok, error } = validateFen(fen);
        if (!ok) console.log(`${index + 1}: ${error}`);
    });
}
