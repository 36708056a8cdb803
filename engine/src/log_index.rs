//! The index of a log in a trace: how many logs lasted before it, as those of a frame that fails are taken back (go-ethereum
//! v1.17 `core/state/statedb.go`). revm's call tracer counts all.

use crate::single::Single;
use alloy_rpc_types_trace::geth::CallFrame;

#[derive(Default)]
struct Counted {
    /// By revm's index.
    indices: Vec<u64>,
    next: u64,
    /// The next index at the beginning of each frame that runs.
    open: Vec<u64>,
}

static COUNTED: Single<Option<Counted>> = Single::new(None);

fn with(event: impl FnOnce(&mut Counted)) {
    COUNTED.with(|counted| event(counted.get_or_insert_default()));
}

pub fn begin() {
    with(|counted| *counted = Counted::default());
}

pub fn enter() {
    with(|counted| counted.open.push(counted.next));
}

pub fn leave(succeeded: bool) {
    with(|counted| {
        let before = counted.open.pop();
        if let (Some(before), false) = (before, succeeded) {
            counted.next = before;
        }
    });
}

pub fn log() {
    with(|counted| {
        counted.indices.push(counted.next);
        counted.next += 1;
    });
}

/// Gives the logs of a frame, and of those within, their indices.
pub fn number(frame: &mut CallFrame) {
    with(|counted| number_logs(frame, &counted.indices));
}

fn number_logs(frame: &mut CallFrame, indices: &[u64]) {
    for index in frame.logs.iter_mut().filter_map(|log| log.index.as_mut()) {
        *index = indices.get(*index as usize).copied().unwrap_or(*index);
    }
    for inner in &mut frame.calls {
        number_logs(inner, indices);
    }
}
