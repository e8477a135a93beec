"""What python-chess refuses in a file: errors of read_game and set_epd, and starting positions that are not valid."""

import logging
import sys

import chess
import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def complain(board, where=""):
    if not board.is_valid():
        print(f"{where}{board.status()!r}")


def main(path):
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        if path.endswith(".pgn"):
            while game := chess.pgn.read_game(file):
                for error in game.errors:
                    print(error)
                try:
                    complain(game.board())
                except ValueError as error:
                    print(error)
            return
        for number, line in enumerate(file, 1):
            try:
                # Without operations, more than four fields are a FEN.
                if ";" not in line and len(line.split()) > 4:
                    complain(chess.Board(line.strip()), f"{number}: ")
                elif line.strip():
                    board = chess.Board()
                    board.set_epd(line.strip())
                    complain(board, f"{number}: ")
            except ValueError as error:
                print(f"{number}: {error}")


main(sys.argv[1])
