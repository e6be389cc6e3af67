//! `--html FILE`: one page that needs nothing else, well-formed as XML too.

use super::cactus;
use super::duel::Duel;
use super::lines::{InputLines, Line};
use super::record::Kind;
use super::report::Report;
use super::scatter;
use super::shown;
use super::summary::Summary;
use super::svg::{COLOURS, escape};
use std::fmt::Write;

/// The page.
pub(super) fn page(report: &Report<'_>) -> String {
    let style = format!("{COLOURS}{}{}", include_str!("plot.css"), include_str!("page.css"));
    let mut page =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    let headline = escape(&report.headline());
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(page, "<title>{headline}</title>\n<style>{style}</style>\n</head>\n<body>");
    head(&mut page, report);
    summary(&mut page, report);
    plots(&mut page, report);
    runs(&mut page, report);
    circumstances(&mut page, report);
    let script = include_str!("sort.js");
    let _ = write!(page, "<script>{script}</script>\n</body>\n</html>\n");
    page
}

fn head(page: &mut String, report: &Report<'_>) {
    let class = if report.wrong.is_empty() { "good" } else { "bad" };
    let headline = escape(&report.headline());
    let _ = writeln!(
        page,
        "<header>\n<p class=\"by\">pbsolve compare</p>\n<h1 class=\"{class}\">{headline}</h1>"
    );
    let details = report.details();
    if !details.is_empty() {
        let class = if report.wrong.is_empty() { "" } else { " class=\"bad\"" };
        let _ = write!(page, "<ul{class}>");
        for told in details {
            let _ = write!(page, "<li>{}</li>", escape(&told));
        }
        page.push_str("</ul>\n");
    }
    if let Some(duel) = Duel::new(report) {
        let _ = writeln!(page, "<p class=\"verdict\">{}</p>", escape(&duel.verdict(report)));
    }
    page.push_str("</header>\n");
}

fn summary(page: &mut String, report: &Report<'_>) {
    page.push_str("<section>\n<h2>Summary</h2>\n");
    let first = escape(&report.comparison.configurations[0].name);
    let ratio = format!("ratio to {first}");
    let titles = ["configuration", "solved", "wrong", "PAR2", ratio.as_str(), "over"];
    open_table(page, &titles, 1);
    for summary in &report.summaries {
        page.push_str("<tr>");
        summary_cells(page, summary);
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
    for note in report.notes() {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(&note));
    }
    page.push_str("</section>\n");
}

fn summary_cells(page: &mut String, summary: &Summary<'_>) {
    let none = || "–".to_owned();
    head_cell(page, &summary.configuration.name);
    let solved = format!("{} of {}", summary.num_solved, summary.num_inputs);
    number_cell(page, &solved, Some(summary.num_solved as f64));
    number_cell(page, &summary.num_wrong.to_string(), Some(summary.num_wrong as f64));
    number_cell(page, &summary.par2_us.map_or_else(none, shown::time), summary.par2_us);
    let ratio = summary.ratio.map(|(ratio, _)| ratio);
    number_cell(page, &ratio.map_or_else(none, shown::ratio), ratio);
    let over = summary.ratio.map(|(_, number)| number);
    let shown = over.map_or_else(none, |number| shown::counted(number as u64, "input"));
    number_cell(page, &shown, over.map(|number| number as f64));
}

fn plots(page: &mut String, report: &Report<'_>) {
    page.push_str("<section class=\"plots\">\n<figure>\n");
    page.push_str(&cactus::picture(report));
    page.push_str(
        "<figcaption>Further right: more solved. Lower: faster.</figcaption>\n</figure>\n",
    );
    if let Some(scatter) = scatter::picture(report) {
        page.push_str("<figure>\n");
        page.push_str(&scatter);
        page.push_str(
            "<figcaption>A point is an input; on the line both take equally long, on the dashed \
             ones one takes ten times as long. At the border: not solved.</figcaption>\n</figure>\n",
        );
    }
    page.push_str("</section>\n");
}

fn runs(page: &mut String, report: &Report<'_>) {
    page.push_str("<section>\n<h2>Runs</h2>\n");
    let folder = report.common_folder();
    if !folder.is_empty() {
        let _ = writeln!(page, "<p class=\"note\">Inputs are those below {}.</p>", escape(folder));
    }
    let mut titles = vec!["input", "configuration", "answer"];
    titles.extend(["ratio", "CPU", "wall", "memory"]);
    titles.extend(["variables", "rows", "CNF variables", "clauses"]);
    titles.extend(["reading", "encoding", "solving", "checking"]);
    if report.has_effort() {
        titles.extend(["conflicts", "decisions", "propagations"]);
    }
    open_table(page, &titles, 3);
    for input in &report.inputs {
        for line in &input.lines {
            page.push_str("<tr>");
            run_cells(page, report, input, line);
            page.push_str("</tr>\n");
        }
    }
    page.push_str("</tbody></table></div>\n</section>\n");
}

fn run_cells(page: &mut String, report: &Report<'_>, input: &InputLines<'_>, line: &Line<'_>) {
    head_cell(page, &input.input.path[report.common_folder().len()..]);
    let _ = write!(page, "<td>{}</td>", escape(&line.configuration.name));
    let class = if line.is_wrong { "bad" } else { "" };
    let remark = line.remark().map(|remark| format!(" <small>{}</small>", escape(&remark)));
    let (answer, remark) = (escape(&line.answer()), remark.unwrap_or_default());
    let _ = write!(page, "<td class=\"{class}\">{answer}{remark}</td>");
    let told = line.run.report.as_ref();
    let none = || "–".to_owned();
    number_cell(page, &line.ratio.map_or_else(none, shown::ratio), line.ratio);
    let was_run = line.wall.median > 0;
    let mut time = |time: Option<u64>| {
        let shown = time.map_or_else(none, shown::microseconds);
        number_cell(page, &shown, time.map(|time| time as f64));
    };
    time(was_run.then_some(line.cpu.median));
    time(was_run.then_some(line.wall.median));
    let bytes = was_run.then_some(line.peak_bytes);
    number_cell(page, &bytes.map_or_else(none, shown::bytes), bytes.map(|bytes| bytes as f64));
    let mut count = |number: Option<u64>| {
        let shown = number.map_or_else(none, shown::count);
        number_cell(page, &shown, number.map(|number| number as f64));
    };
    let encoded = told.filter(|_| line.configuration.kind == Kind::Sat);
    count(input.size.map(|(variables, _)| variables));
    count(input.size.map(|(_, rows)| rows));
    count(encoded.map(|told| told.variables as u64));
    count(encoded.map(|told| told.clauses));
    let mut time = |time: Option<u64>| {
        let shown = time.map_or_else(none, shown::microseconds);
        number_cell(page, &shown, time.map(|time| time as f64));
    };
    time(told.map(|told| told.reading_us));
    time(encoded.map(|told| told.encoding_us));
    time(told.map(|told| told.solving_us));
    time(told.map(|told| told.checking_us));
    if report.has_effort() {
        let mut count = |number: Option<u64>| {
            let shown = number.map_or_else(none, shown::count);
            number_cell(page, &shown, number.map(|number| number as f64));
        };
        count(told.and_then(|told| told.conflicts));
        count(told.and_then(|told| told.decisions));
        count(told.and_then(|told| told.propagations));
    }
}

fn circumstances(page: &mut String, report: &Report<'_>) {
    let settings = &report.comparison.settings;
    page.push_str("<section>\n<h2>How it was made</h2>\n<dl>\n");
    let mut entry = |name: &str, told: &str| {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{}</dd>", escape(told));
    };
    entry("Command", &report.command);
    for machine in &report.comparison.machines {
        entry("Machine", &machine.describe());
    }
    entry("Version", &format!("pbsolve {}", settings.pbsolve));
    let limit = shown::microseconds(settings.timeout_us);
    let times = if settings.repeat == 1 { "once" } else { &format!("{} times", settings.repeat) };
    let how = format!("each {times}, in turn, as a process of its own, for at most {limit}");
    entry("Runs", &how);
    let figures = "CPU and memory are those of the process and of all that it started: the sum of \
                   times, the largest memory. Times are medians.";
    entry("Figures", figures);
    page.push_str("</dl>\n</section>\n");
}

/// A table in a box that scrolls; so many titles at the left, the others at the right.
fn open_table(page: &mut String, titles: &[&str], num_texts: usize) {
    page.push_str("<div class=\"scroll\"><table><thead><tr>");
    for (i, title) in titles.iter().enumerate() {
        let class = if i < num_texts { "text" } else { "number" };
        let _ = write!(page, "<th scope=\"col\" class=\"{class}\">{title}</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
}

fn head_cell(page: &mut String, shown: &str) {
    let _ = write!(page, "<th scope=\"row\">{}</th>", escape(shown));
}

/// A figure, and the number by which it is sorted.
fn number_cell(page: &mut String, shown: &str, number: Option<f64>) {
    let number = number.map(|number| format!(" data-number=\"{number}\"")).unwrap_or_default();
    let _ = write!(page, "<td class=\"number\"{number}>{shown}</td>");
}
