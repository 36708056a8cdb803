//! Log indices in a trace: the number of logs before each. Logs of a failed frame do not count in geth (go-ethereum
//! v1.17 `core/state/statedb.go`), but do in revm's call tracer.

use crate::host::single::Single;
use alloy_rpc_types_trace::geth::CallFrame;

#[derive(Default)]
struct Counted {
    /// geth's index by revm's index.
    indices: Vec<u64>,
    next: u64,
    /// Value of `next` at the start of each open frame.
    open: Vec<u64>,
}

static COUNTED: Single<Option<Counted>> = Single::new(None);

fn with(event: impl FnOnce(&mut Counted)) {
    COUNTED.with(|counted| event(counted.get_or_insert_default()));
}

/// Starts a trace.
pub fn begin() {
    with(|counted| *counted = Counted::default());
}

/// Records the start of a frame.
pub fn enter() {
    with(|counted| counted.open.push(counted.next));
}

/// Records the end of a frame. Drops the logs of a failed frame from the count.
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

/// Sets the log indices of a frame and its inner frames.
pub fn set_indices(frame: &mut CallFrame) {
    with(|counted| set_frame_indices(frame, &counted.indices));
}

fn set_frame_indices(frame: &mut CallFrame, indices: &[u64]) {
    for index in frame.logs.iter_mut().filter_map(|log| log.index.as_mut()) {
        *index = indices.get(*index as usize).copied().unwrap_or(*index);
    }
    for inner in &mut frame.calls {
        set_frame_indices(inner, indices);
    }
}
