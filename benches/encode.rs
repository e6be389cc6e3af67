//! Every encoder of rows that count, over n literals with at most k true, into a formula in memory
//! that is cleared and filled again. Divide the times by the sizes, which `pbsolve encodings` shows:
//! a slow encoder may just be a large one.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{Cardinality, Row, all};
use pbsolve_model::{Lit, Var};
use std::hint::black_box;

/// Larger encodings tell nothing new and take long.
const MAX_CLAUSES: u64 = 2_000_000;

fn encode(criterion: &mut Criterion) {
    for n in [10, 100, 1000] {
        let lits: Vec<Lit> = (0..n).map(|i| Var::new(i).positive()).collect();
        let mut bounds = vec![1, 5, n / 2];
        bounds.dedup();
        for k in bounds {
            let row = match k {
                1 => Row::AtMostOne(&lits),
                hi => Row::Cardinality(Cardinality { lits: &lits, lo: 0, hi }),
            };
            let mut group = criterion.benchmark_group(format!("at most {k} of {n}"));
            group.sample_size(20);
            for encoder in all().filter(|encoder| encoder.supports(&row)) {
                let Some(size) = encoder.size(&row).filter(|size| size.clauses <= MAX_CLAUSES)
                else {
                    continue;
                };
                group.throughput(Throughput::Elements(size.clauses));
                let mut cnf = Cnf::default();
                group.bench_function(BenchmarkId::from_parameter(encoder.name()), |bencher| {
                    bencher.iter(|| {
                        cnf.clear(n);
                        assert!(encoder.encode(black_box(&row), &mut cnf).is_continue());
                        black_box(cnf.num_clauses())
                    });
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, encode);
criterion_main!(benches);
