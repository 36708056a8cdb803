//! Addresses that the inner frames of a transaction call, create, or name as beneficiary of SELFDESTRUCT. Otterscan
//! finds transactions by them (`ots_searchTransactionsBefore`). Reverted frames count, as in Erigon's call index
//! (`execution/tracing/calltracer` of v3).

use crate::host::single::Single;
use revm::{interpreter::FrameInput, primitives::Address};
use std::collections::BTreeSet;

static TOUCHED: Single<Touched> = Single::new(Touched { order: Vec::new(), known: BTreeSet::new() });

struct Touched {
    /// Each address once, in the order of first touch.
    order: Vec<Address>,
    known: BTreeSet<Address>,
}

/// Clears the addresses of the last transaction.
pub fn clear() {
    TOUCHED.with(|touched| {
        touched.order.clear();
        touched.known.clear();
    });
}

/// Records the address of the code that a call runs: for DELEGATECALL and CALLCODE it is not the target account.
pub fn record_call(frame: &FrameInput) {
    if let FrameInput::Call(call) = frame {
        record(call.bytecode_address);
    }
}

/// Records an address.
pub fn record(address: Address) {
    TOUCHED.with(|touched| {
        // Fast path: loops often call the same address repeatedly.
        if touched.order.last() != Some(&address) && touched.known.insert(address) {
            touched.order.push(address);
        }
    });
}

/// Runs a closure on the addresses recorded so far.
pub fn with_addresses(use_them: impl FnOnce(&[Address])) {
    TOUCHED.with(|touched| use_them(&touched.order));
}
