//! The comparison as text: what is wrong first, then a table for each input, then the summary.

use super::duel::Duel;
use super::lines::{InputLines, Line};
use super::record::Kind;
use super::report::Report;
use super::shown;
use super::summary::Summary;
use std::io::{self, Write};

/// Writes everything.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", report.headline())?;
    for told in report.details() {
        writeln!(out, "  {}", shown::printable(&told))?;
    }
    if let Some(duel) = Duel::new(report) {
        writeln!(out, "{}", shown::printable(&duel.verdict(report)))?;
    }
    for input in &report.inputs {
        writeln!(out)?;
        write_input(report, input, out)?;
    }
    writeln!(out)?;
    write_summary(report, out)?;
    for note in report.notes() {
        writeln!(out, "{}", shown::printable(&note))?;
    }
    Ok(())
}

fn write_input(report: &Report<'_>, input: &InputLines<'_>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", shown::printable(&input.input.path))?;
    if let Some((variables, rows)) = input.size {
        let (variables, rows) =
            (shown::counted(variables, "variable"), shown::counted(rows, "row"));
        write!(out, ": {variables}, {rows}")?;
    }
    writeln!(out)?;
    let mut remarks = Vec::new();
    let titles = titles(report);
    let rows = input.lines.iter().map(|line| cells(report, line, &mut remarks));
    let rows: Vec<Vec<String>> = rows.collect();
    write_table(&titles, &rows, 2, out)?;
    for (i, remark) in remarks.iter().enumerate() {
        writeln!(out, "    [{}] {}", i + 1, shown::printable(remark))?;
    }
    Ok(())
}

fn titles(report: &Report<'_>) -> Vec<&'static str> {
    let mut titles = vec!["configuration", "answer", "CNF variables", "clauses"];
    if report.has_effort() {
        titles.push("conflicts");
    }
    titles.extend(["reading", "encoding", "solving", "CPU"]);
    if report.comparison.settings.repeat > 1 {
        titles.push("least");
    }
    titles.extend(["wall", "memory", "ratio"]);
    titles
}

fn cells(report: &Report<'_>, line: &Line<'_>, remarks: &mut Vec<String>) -> Vec<String> {
    let mut answer = line.answer();
    if let Some(remark) = line.remark() {
        let known = remarks.iter().position(|other| *other == remark);
        let number = known.unwrap_or_else(|| {
            remarks.push(remark);
            remarks.len() - 1
        });
        answer = format!("{answer} [{}]", number + 1);
    }
    let told = line.run.report.as_ref();
    let time = |time: Option<u64>| time.map_or_else(|| "-".to_owned(), shown::microseconds);
    let size = |size: Option<u64>| size.map_or_else(|| "-".to_owned(), shown::count);
    let encoded = told.filter(|_| line.configuration.kind == Kind::Sat);
    let was_run = line.wall.median > 0;
    let measured = |shown: String| if was_run { shown } else { "-".to_owned() };
    let mut cells = vec![
        shown::printable(&line.configuration.name),
        shown::printable(&answer),
        size(encoded.map(|told| told.variables as u64)),
        size(encoded.map(|told| told.clauses)),
    ];
    if report.has_effort() {
        let conflicts = told.and_then(|told| told.conflicts);
        cells.push(conflicts.map_or_else(|| "-".to_owned(), shown::count));
    }
    cells.extend([
        time(told.map(|told| told.reading_us)),
        time(encoded.map(|told| told.encoding_us)),
        time(told.map(|told| told.solving_us)),
        measured(shown::microseconds(line.cpu.median)),
    ]);
    if report.comparison.settings.repeat > 1 {
        cells.push(measured(shown::microseconds(line.cpu.least)));
    }
    cells.extend([
        measured(shown::microseconds(line.wall.median)),
        measured(shown::bytes(line.peak_bytes)),
        line.ratio.map_or_else(|| "-".to_owned(), shown::ratio),
    ]);
    cells
}

fn write_summary(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let titles = ["configuration", "solved", "wrong", "PAR2", "ratio", "over"];
    let row = |summary: &Summary<'_>| {
        let none = || "-".to_owned();
        vec![
            shown::printable(&summary.configuration.name),
            format!("{} of {}", summary.num_solved, summary.num_inputs),
            summary.num_wrong.to_string(),
            summary.par2_us.map_or_else(none, shown::time),
            summary.ratio.map_or_else(none, |(ratio, _)| shown::ratio(ratio)),
            summary.ratio.map_or_else(none, |(_, number)| shown::counted(number as u64, "input")),
        ]
    };
    let rows: Vec<Vec<String>> = report.summaries.iter().map(row).collect();
    write_table(&titles, &rows, 0, out)
}

/// Columns as wide as needed: the first two at the left, figures at the right.
fn write_table(
    titles: &[&str],
    rows: &[Vec<String>],
    indent: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([titles[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    let titles: Vec<String> = titles.iter().map(|&title| title.to_owned()).collect();
    for row in std::iter::once(&titles).chain(rows) {
        let mut line = " ".repeat(indent);
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let gap = if column == 0 { "" } else { "  " };
            let cell = if column < 2 {
                format!("{gap}{cell:<width$}")
            } else {
                format!("{gap}{cell:>width$}")
            };
            line.push_str(&cell);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
