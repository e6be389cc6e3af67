//! Encoders beside the same encoders of pindakaas: n = 1000 literals, at most k of them, into a
//! formula in memory that starts empty on both sides.
//!
//! `cargo bench` in `benches/peers/`; `-- --warm-up-time 0.5 --measurement-time 1` for a quick look.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main};
use pbsolve_encodings::sink::Cnf;
use pbsolve_encodings::{
    Cardinality, Encoder, Ladder, Pairwise, Product, Row, SequentialCounter, Totalizer,
};
use pbsolve_model::{Lit, Var};
use pindakaas::constraint::cardinality as peer_cardinality;
use pindakaas::constraint::cardinality_one::CardinalityOne;
use pindakaas::constraint::linear::LimitComp;
use pindakaas::encoder::ladder::LadderEncoder;
use pindakaas::encoder::pairwise::PairwiseEncoder;
use pindakaas::encoder::product::ProductEncoder;
use pindakaas::encoder::sequential_counter::SequentialCounterEncoder;
use pindakaas::encoder::totalizer::TotalizerEncoder;
use pindakaas::{ClauseDatabase, Encoder as PeerEncoder};
use std::hint::black_box;

const N: usize = 1000;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn bench_ours(group: &mut Group<'_>, encoder: &dyn Encoder, row: &Row<'_>) {
    let parameter = row.as_cardinality().map_or(1, |row| row.hi);
    group.bench_function(BenchmarkId::new(format!("pbsolve {}", encoder.name()), parameter), |b| {
        b.iter(|| {
            let mut cnf = Cnf::with_variables(N);
            assert!(encoder.encode(row, &mut cnf).is_continue());
            black_box(cnf.num_clauses())
        });
    });
}

/// The constraint is made outside the measurement on both sides.
fn bench_theirs<C>(
    group: &mut Group<'_>,
    name: &str,
    k: usize,
    encoder: &impl PeerEncoder<pindakaas::Cnf, C>,
    constraint: impl Fn(Vec<pindakaas::Lit>) -> C,
) {
    let mut inputs = pindakaas::Cnf::default();
    let lits = inputs.new_var_range(N).map(Into::into).collect();
    let constraint = constraint(lits);
    group.bench_function(BenchmarkId::new(format!("pindakaas {name}"), k), |b| {
        b.iter(|| {
            let mut cnf = pindakaas::Cnf::default();
            let _ = cnf.new_var_range(N);
            encoder.encode(&mut cnf, &constraint).expect("the bound can be met");
            black_box(cnf.num_clauses())
        });
    });
}

fn at_most_one(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("at most one of 1000");
    group.sample_size(10);
    let lits: Vec<Lit> = (0..N).map(|i| Var::new(i).positive()).collect();
    let row = Row::AtMostOne(&lits);
    let peer = |lits| CardinalityOne::new(lits, LimitComp::LessEq);
    bench_ours(&mut group, &Pairwise, &row);
    bench_theirs(&mut group, "pairwise", 1, &PairwiseEncoder::default(), peer);
    bench_ours(&mut group, &Ladder, &row);
    bench_theirs(&mut group, "ladder", 1, &LadderEncoder::default(), peer);
    bench_ours(&mut group, &Product, &row);
    bench_theirs(&mut group, "product", 1, &ProductEncoder::default(), peer);
    group.finish();
}

fn cardinality(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("at most k of 1000");
    group.sample_size(10);
    let lits: &[Lit] = &(0..N).map(|i| Var::new(i).positive()).collect::<Vec<_>>();
    for k in [5, 500] {
        let row = Row::Cardinality(Cardinality { lits, lo: 0, hi: k });
        let bound = i64::try_from(k).expect("a small bound");
        let peer = |lits| peer_cardinality::Cardinality::new(lits, LimitComp::LessEq, bound);
        bench_ours(&mut group, &Totalizer::CUT, &row);
        bench_theirs(&mut group, "totalizer", k, &TotalizerEncoder::default(), peer);
        bench_ours(&mut group, &SequentialCounter::REDUCED, &row);
        bench_ours(&mut group, &SequentialCounter::SINZ, &row);
        bench_theirs(
            &mut group,
            "sequential-counter",
            k,
            &SequentialCounterEncoder::default(),
            peer,
        );
    }
    group.finish();
}

criterion_group!(benches, at_most_one, cardinality);
criterion_main!(benches);
