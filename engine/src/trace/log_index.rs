//! The index of a log in a trace: the number of logs before it. Logs of a failed frame do not count (go-ethereum v1.17
//! `core/state/statedb.go`), but revm's call tracer counts them.

use crate::host::single::Single;
use alloy_rpc_types_trace::geth::CallFrame;

#[derive(Default)]
struct Counted {
    /// geth's index for each index of revm.
    indices: Vec<u64>,
    next: u64,
    /// The next index at the beginning of each running frame.
    open: Vec<u64>,
}

static COUNTED: Single<Option<Counted>> = Single::new(None);

fn with(event: impl FnOnce(&mut Counted)) {
    COUNTED.with(|counted| event(counted.get_or_insert_default()));
}

/// Begins a trace.
pub fn begin() {
    with(|counted| *counted = Counted::default());
}

/// Records the start of a frame.
pub fn enter() {
    with(|counted| counted.open.push(counted.next));
}

/// Records the end of a frame. The logs of one that failed do not count.
pub fn leave(succeeded: bool) {
    with(|counted| {
        let before = counted.open.pop();
        if let (Some(before), false) = (before, succeeded) {
            counted.next = before;
        }
    });
}

/// Records a log.
pub fn log() {
    with(|counted| {
        counted.indices.push(counted.next);
        counted.next += 1;
    });
}

/// Sets the indices of the logs of a frame and of the frames inside.
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
