#!/usr/bin/env bash
# Regenerates BASELINE.md and the plots beside it: the models of the documents, at growing sizes, by
# every back-end of a build, as `pbsolve compare` measures them.
#
#   cargo build --release --all-features && benches/baseline.sh [PBSOLVE [OPTION OF COMPARE...]]
#
# What was measured already is kept in target/baseline/ and not measured again; remove that folder
# to begin anew. On two slow cores it takes about half an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
pbsolve=$(realpath "${1:-target/release/pbsolve}")
shift || true
folder=target/baseline
mkdir -p "$folder/models"

export_model() { # NAME PUZZLE BOARD
    "$pbsolve" export "$2" "$3" --to opb -o "$folder/models/$1.opb"
}
boards=benches/boards
export_model binox-06x06 binox puzzles/boards/binox_6x6.txt
export_model binox-10x10 binox $boards/unruly_10x10u.txt
export_model binox-14x14 binox $boards/unruly_14x14u.txt
export_model binox-20x20 binox $boards/unruly_20r20c_u.txt
export_model binox-30x24 binox $boards/unruly_30r24c_u.txt
export_model binox-40x30 binox $boards/unruly_40r30c_u.txt
export_model binary-sudoku-06x06 takuzu $boards/unruly_6x6u.txt
export_model binary-sudoku-08x08 takuzu puzzles/boards/takuzu_8x8.txt
export_model binary-sudoku-10x10 takuzu $boards/unruly_10x10u.txt
export_model binary-sudoku-14x14 takuzu $boards/unruly_14x14u.txt
export_model binary-sudoku-20x20 takuzu $boards/unruly_20r20c_u.txt
export_model mini-sudoku-06x06 mini-sudoku puzzles/boards/mini_sudoku_60.txt
export_model sudoku-09x09 sudoku puzzles/boards/sudoku_9x9.txt
export_model sudoku-12x12 sudoku tests/boards/solo_12x12_3x4.txt
export_model sudoku-16x16 sudoku $boards/solo_16x16_4x4.txt
export_model sudoku-25x25 sudoku $boards/solo_25x25_5x5.txt

options=(--timeout 20)
title="pbsolve compare models/ --timeout 20"
for option in "$@"; do
    options+=("$option")
    case "$option" in
        *[!A-Za-z0-9=-]*) title+=" '$option'" ;;
        *) title+=" $option" ;;
    esac
done
results=$(realpath "$folder")/results.jsonl
plots=$(realpath benches)
table=$(cd "$folder" && "$pbsolve" compare models/ "${options[@]}" --results "$results" \
    --html report.html --cactus "$plots/baseline-cactus.svg" --scatter "$plots/baseline-scatter.svg")

{
    cat <<END
# The documents' models by every back-end

Each model is that of its document, row by row as the document states it (\`pbsolve export BOARD --to opb\`);
only its first solution is asked for. Made by \`benches/baseline.sh\`, which runs

    $title

on $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1) ($(nproc) cores).
Times are those of one run; sizes do not vary. The limit is of wall time: on a machine with other work, a run
that it ends has had the CPU time that the table shows. The boards of Sudoku are solved by what their rows fix
before the search: no clause is left.

![Solved models over time](baseline-cactus.svg)

![SAT against ILP](baseline-scatter.svg)

\`\`\`text
$table
\`\`\`
END
} > benches/BASELINE.md
echo "benches/BASELINE.md and two plots are new; the page is $folder/report.html"
