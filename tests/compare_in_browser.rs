//! The page of `pbsolve compare --html` in a real browser: Chromium without a window. It is asked
//! where `PBSOLVE_BROWSER` is set, which may name the program.
#![cfg(unix)]

mod command_line;

use command_line::Folder;
use std::fs;
use std::process::Command;

/// What the page has become after a script has run at its end, in a window of this width.
fn loaded(folder: &Folder, browser: &str, width: u32, script: &str) -> String {
    let page = folder.read("page.html");
    let end = format!("<script>{script}</script></body>");
    folder.write("tried.html", page.replace("</body>", &end));
    let profile = folder.path("profile");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update"]);
    command.args(["--disable-sync", "--disable-quic", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("--window-size={width},900"));
    command.arg(format!("file://{}", folder.path("tried.html").display()));
    let output = command.output().expect("the browser starts");
    drop(fs::remove_dir_all(profile));
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The texts of the first cells, in order.
fn first_cells(document: &str) -> Vec<String> {
    let (_, runs) = document.split_once("<h2>Runs</h2>").expect("a table of runs");
    let (runs, _) = runs.split_once("</table>").expect("its end");
    let cells = runs.split("<th scope=\"row\">").skip(1);
    cells.map(|cell| cell.split_once("</th>").expect("its end").0.to_owned()).collect()
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = std::env::var_os("PBSOLVE_BROWSER") else {
        eprintln!("skipped: PBSOLVE_BROWSER is not set");
        return;
    };
    let browser = browser.to_string_lossy().into_owned();
    let browser = if browser == "1" { "chromium".to_owned() } else { browser };
    let folder = Folder::with("a<b>&amp;.opb", "+1 x1 >= 1 ;\n");
    // More rows than the one before.
    folder.write("b.opb", "+1 x1 +1 x2 >= 1 ;\n".repeat(30));
    folder.write("c.opb", "+1 x1 +1 x2 >= 1 ;\n+1 x1 >= 1 ;\n");
    let mut command = folder.command("compare --backend varisat --all-encodings --html page.html");
    let printed = command.args(["a<b>&amp;.opb", "b.opb", "c.opb"]).output().expect("it starts");
    assert!(printed.status.success(), "{printed:?}");

    let sort = "const titles = [...document.querySelectorAll('section:nth-of-type(3) thead th')];\
                const rows = titles.find((title) => title.textContent === 'rows');\
                rows.click();";
    let as_written = loaded(&folder, &browser, 1200, "");
    assert!(as_written.contains("class=\"number sortable\""), "the script has run");
    let cells = first_cells(&as_written);
    assert_eq!(cells[0], "a&lt;b&gt;&amp;amp;.opb", "names are text");
    assert_eq!(cells[cells.len() - 1], "c.opb");
    let up = first_cells(&loaded(&folder, &browser, 1200, sort));
    assert_eq!(up[0], "a&lt;b&gt;&amp;amp;.opb");
    assert_eq!(up[up.len() - 1], "b.opb");
    let down = first_cells(&loaded(&folder, &browser, 1200, &format!("{sort} rows.click();")));
    assert_eq!(down[0], "b.opb");

    // On a phone the tables scroll, and the page does not.
    let width = "document.body.dataset.width = document.documentElement.scrollWidth;\
                 document.body.dataset.window = window.innerWidth;";
    let narrow = loaded(&folder, &browser, 500, width);
    let number = |name: &str| {
        let (_, rest) = narrow.split_once(&format!(" data-{name}=\"")).expect("was set");
        rest.split_once('"').expect("ends").0.parse::<u32>().expect("a number")
    };
    assert!(number("width") <= number("window"), "{} pixels wide", number("width"));
}
