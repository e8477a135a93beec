// What chessops refuses in a file: games and positions are set up, and every move is played, also
// in variations.
const fs = require("node:fs");
const { pathToFileURL } = require("node:url");

// The CommonJS files of the package cannot be loaded, and imports do not follow NODE_PATH.
const load = name => import(pathToFileURL(require.resolve(`chessops/${name}`).replace("/cjs/", "/esm/")));

function play(node, position, parseSan) {
    for (const child of node.children) {
        const after = position.clone();
        const move = parseSan(after, child.data.san);
        if (move) {
            after.play(move);
            play(child, after, parseSan);
        } else {
            console.log(`${child.data.san} is not legal`);
        }
    }
}

async function main(path) {
    const text = fs.readFileSync(path, "utf8");
    const [{ parsePgn, startingPosition }, { parseSan }, { parseFen }, { Chess }] =
        await Promise.all(["pgn", "san", "fen", "chess"].map(load));
    if (path.endsWith(".pgn")) {
        for (const game of parsePgn(text)) {
            startingPosition(game.headers).unwrap(
                position => play(game.moves, position, parseSan),
                error => console.log(error.message),
            );
        }
        return;
    }
    text.split(/\r?\n/).forEach((line, index) => {
        if (!line) return;
        const fen = line.endsWith(";") ? line.split(" ").slice(0, 4).join(" ") : line;
        parseFen(fen).chain(setup => Chess.fromSetup(setup)).unwrap(
            () => {},
            error => console.log(`${index + 1}: ${error.message}`),
        );
    });
}

main(process.argv[2]);
