//! A board as one self-contained SVG picture.

use crate::Grid;
use std::fmt::Write;

/// Side of a cell and margin around the board, in the picture's units.
const CELL: usize = 40;
const MARGIN: usize = 4;

/// What the cells of a puzzle look like.
pub(crate) struct Drawing<'a> {
    pub(crate) title: &'a str,
    /// Rows and columns of the blocks that thick lines set off.
    pub(crate) block: Option<(usize, usize)>,
    /// A value as text: letters and digits only.
    pub(crate) symbol: &'a dyn Fn(u16) -> String,
}

impl Drawing<'_> {
    /// The givens on grey in bold black, other filled cells in blue.
    pub(crate) fn draw(&self, givens: &Grid, solution: &Grid) -> String {
        let (num_rows, num_columns) = (solution.num_rows(), solution.num_columns());
        let (right, bottom) = (num_columns * CELL, num_rows * CELL);
        let (width, height) = (right + 2 * MARGIN, bottom + 2 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"-{MARGIN} -{MARGIN} {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"{size}\" text-anchor=\"middle\">\n<title>{title}</title>\n\
             <rect x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\" \
             fill=\"#ffffff\"/>\n",
            size = CELL * 3 / 5,
            title = self.title,
        );
        for row in 0..num_rows {
            for column in 0..num_columns {
                let is_given = givens.get(row, column).is_some();
                self.draw_cell(&mut svg, (row, column), solution.get(row, column), is_given);
            }
        }
        let (block_rows, block_columns) = self.block.unwrap_or((num_rows, num_columns));
        for row in 0..=num_rows {
            let ends = [(0, row * CELL), (right, row * CELL)];
            draw_line(&mut svg, ends, row.is_multiple_of(block_rows));
        }
        for column in 0..=num_columns {
            let ends = [(column * CELL, 0), (column * CELL, bottom)];
            draw_line(&mut svg, ends, column.is_multiple_of(block_columns));
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_cell(
        &self,
        svg: &mut String,
        (row, column): (usize, usize),
        value: Option<u16>,
        is_given: bool,
    ) {
        let (x, y) = (column * CELL, row * CELL);
        if is_given {
            let place = format!("x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"");
            push_line(svg, format_args!("<rect {place} fill=\"#e0e0e0\"/>"));
        }
        let Some(value) = value else { return };
        let symbol = (self.symbol)(value);
        let (x, y) = (x + CELL / 2, y + CELL * 7 / 10);
        let style =
            if is_given { "font-weight=\"bold\" fill=\"#000000\"" } else { "fill=\"#1a5fb4\"" };
        push_line(svg, format_args!("<text x=\"{x}\" y=\"{y}\" {style}>{symbol}</text>"));
    }
}

fn draw_line(svg: &mut String, [(x1, y1), (x2, y2)]: [(usize, usize); 2], is_thick: bool) {
    let width = if is_thick { 3 } else { 1 };
    push_line(
        svg,
        format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#000000\" \
             stroke-width=\"{width}\" stroke-linecap=\"square\"/>"
        ),
    );
}

fn push_line(svg: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(svg, "{line}").expect("a String takes all text");
}
