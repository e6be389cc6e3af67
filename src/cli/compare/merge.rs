//! `--merge FILES...`: the results of shards as one comparison. What does not fit together is
//! refused; shards that are missing are told.

use super::super::error::CliError;
use super::record::{Comparison, Shard};
use super::results_file::{difference, read};

/// The whole, and which shards it lacks.
pub(super) fn merge(paths: &[String]) -> Result<(Comparison, Vec<usize>), CliError> {
    let mut merged: Option<Comparison> = None;
    for path in paths {
        let part = read(path)?;
        let unfit = |message| CliError::Unfit { path: path.clone(), message };
        if part.shards.is_empty() && paths.len() > 1 {
            let message = "is a whole comparison; only parts made with --shard are merged";
            return Err(unfit(message.to_owned()));
        }
        merged = Some(match merged {
            None => part,
            Some(whole) => join(whole, part).map_err(unfit)?,
        });
    }
    let mut whole = merged.expect("clap requires a file");
    whole.inputs.sort_by_key(|input| input.number);
    whole.shards.sort();
    let of = whole.shards.first().map_or(0, |shard| shard.of);
    let is_there = |index: &usize| whole.shards.iter().any(|shard| shard.index == *index);
    let missing: Vec<usize> = (1..=of).filter(|index| !is_there(index)).collect();
    if missing.is_empty() {
        whole.shards.clear();
    }
    sort_runs(&mut whole);
    Ok((whole, missing))
}

fn join(mut whole: Comparison, part: Comparison) -> Result<Comparison, String> {
    if let Some(difference) = difference(&part, &whole) {
        return Err(format!("was made with {difference} as the files before it"));
    }
    let known = whole.shards[0];
    for &Shard { index, of } in &part.shards {
        if of != known.of {
            return Err(format!(
                "is shard {index}/{of}, but the files before it are of {}",
                known.of
            ));
        }
        if whole.shards.iter().any(|shard| shard.index == index) {
            return Err(format!("shard {index}/{of} is there twice"));
        }
    }
    if part.num_inputs != whole.num_inputs {
        let (here, there) = (part.num_inputs, whole.num_inputs);
        return Err(format!("is of {here} inputs in all, but the files before it are of {there}"));
    }
    let twice = part.inputs.iter().find(|input| {
        whole.inputs.iter().any(|other| other.number == input.number || other.path == input.path)
    });
    if let Some(input) = twice {
        return Err(format!("has the input {}, which is in another file too", input.path));
    }
    for machine in part.machines {
        if !whole.machines.contains(&machine) {
            whole.machines.push(machine);
        }
    }
    whole.shards.extend(part.shards);
    whole.inputs.extend(part.inputs);
    whole.runs.extend(part.runs);
    Ok(whole)
}

/// Puts the runs in the order in which a whole comparison makes them.
pub(super) fn sort_runs(comparison: &mut Comparison) {
    let inputs = &comparison.inputs;
    let configurations = &comparison.configurations;
    comparison.runs.sort_by_cached_key(|run| {
        let input = inputs.iter().position(|input| input.path == run.input);
        let of_name = |known: &super::record::Configuration| known.name == run.configuration;
        (input, run.repeat, configurations.iter().position(of_name))
    });
}
