//! Two encodings of the same model, side by side: sizes only, so that neither is kept in memory.

use crate::{Encoded, RowSizes, Size};
use std::fmt;

/// What the rows of one class came to in one encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The encoders, in order of appearance.
    pub encoders: Vec<&'static str>,
    /// Number of rows.
    pub rows: u64,
    /// Auxiliary variables and clauses.
    pub size: Size,
    /// Literals in these clauses.
    pub num_lits: u64,
}

impl Sizes {
    fn add(&mut self, entry: &RowSizes) {
        if !self.encoders.contains(&entry.encoder) {
            self.encoders.push(entry.encoder);
        }
        self.rows += entry.rows;
        self.size += entry.size;
        self.num_lits += entry.num_lits;
    }
}

/// One class of rows in both encodings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedSizes {
    /// The class of the rows in normal form.
    pub class_name: &'static str,
    /// In the first encoding.
    pub a: Sizes,
    /// In the second encoding.
    pub b: Sizes,
}

/// The sizes of two encodings, class by class; prints as a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeComparison {
    /// One entry a class, in order of appearance.
    pub classes: Vec<ComparedSizes>,
}

/// Puts the sizes of two encodings of the same model side by side.
///
/// ```
/// use pbsolve_encodings::sink::Counter;
/// use pbsolve_encodings::testing::compare_sizes;
/// use pbsolve_encodings::{EncodeModel, Encoded, Planner, SequentialCounter, Totalizer};
/// use pbsolve_model::{Linear, Model};
///
/// let mut model = Model::with_generated_names(20, |i| format!("x{i}"));
/// model.add(Linear::at_most(5, (0..20).map(|i| pbsolve_model::Var::new(i).positive())));
/// let encode = |planner| -> Encoded {
///     let mut encoding = EncodeModel::new(planner);
///     let _ = encoding.model(&model, &mut Counter::default());
///     encoding.encoded().clone()
/// };
/// let totalizer = encode(Planner::default().with(&Totalizer::CUT));
/// let counter = encode(Planner::default().with(&SequentialCounter::REDUCED));
/// let text = "\
/// class           rows  encoder          variables  clauses  literals
/// cardinality <=     1  totalizer               61      146       366
///                       reduced-counter         75      160       380
/// all                1                          61      146       366
///                                               75      160       380
/// ";
/// assert_eq!(compare_sizes(&totalizer, &counter).to_string(), text);
/// ```
pub fn compare_sizes(a: &Encoded, b: &Encoded) -> SizeComparison {
    let mut comparison = SizeComparison::default();
    for entry in &a.rows {
        comparison.class(entry.class_name).a.add(entry);
    }
    for entry in &b.rows {
        comparison.class(entry.class_name).b.add(entry);
    }
    comparison
}

impl SizeComparison {
    fn class(&mut self, class_name: &'static str) -> &mut ComparedSizes {
        let known = self.classes.iter().position(|class| class.class_name == class_name);
        let place = known.unwrap_or_else(|| {
            let (a, b) = (Sizes::default(), Sizes::default());
            self.classes.push(ComparedSizes { class_name, a, b });
            self.classes.len() - 1
        });
        &mut self.classes[place]
    }

    /// The sums over all classes.
    pub fn total(&self) -> ComparedSizes {
        let mut total =
            ComparedSizes { class_name: "all", a: Sizes::default(), b: Sizes::default() };
        for class in &self.classes {
            for (sum, of_class) in [(&mut total.a, &class.a), (&mut total.b, &class.b)] {
                sum.rows += of_class.rows;
                sum.size += of_class.size;
                sum.num_lits += of_class.num_lits;
            }
        }
        total
    }
}

impl fmt::Display for SizeComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["class", "rows", "encoder", "variables", "clauses", "literals"];
        let mut lines = vec![head.map(str::to_owned)];
        for ComparedSizes { class_name, a, b } in self.classes.iter().chain([&self.total()]) {
            for (name, sizes) in [(*class_name, a), ("", b)] {
                // The rows are the same on both sides, so they are told once.
                let rows =
                    if name.is_empty() && b.rows == a.rows { None } else { Some(sizes.rows) };
                lines.push([
                    name.to_owned(),
                    rows.map_or(String::new(), |rows| rows.to_string()),
                    sizes.encoders.join(", "),
                    sizes.size.variables.to_string(),
                    sizes.size.clauses.to_string(),
                    sizes.num_lits.to_string(),
                ]);
            }
        }
        let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3, 4, 5].map(width);
        for line in &lines {
            let cells = line.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
                if matches!(column, 0 | 2) {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  "))?;
        }
        Ok(())
    }
}
