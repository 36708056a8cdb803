//! The addresses that the frames inside a transaction call, create, or pay by ending themselves. Otterscan finds the
//! transaction by them (`ots_searchTransactionsBefore`). Frames that revert count, as they do in the index of calls of
//! Erigon (`execution/tracing/calltracer` of v3).

use crate::host::single::Single;
use revm::{interpreter::FrameInput, primitives::Address};
use std::collections::BTreeSet;

static TOUCHED: Single<Touched> = Single::new(Touched { order: Vec::new(), known: BTreeSet::new() });

struct Touched {
    /// Each address once, in the order of the first touches.
    order: Vec<Address>,
    known: BTreeSet<Address>,
}

/// Forgets the addresses of the last transaction.
pub fn forget() {
    TOUCHED.with(|touched| {
        touched.order.clear();
        touched.known.clear();
    });
}

/// Notes the address that a call names: of its target, or of the code that it runs on its own account.
pub fn note_call(frame: &FrameInput) {
    if let FrameInput::Call(call) = frame {
        note(call.bytecode_address);
    }
}

/// Notes an address.
pub fn note(address: Address) {
    TOUCHED.with(|touched| {
        // Most loops call one address again and again.
        if touched.order.last() != Some(&address) && touched.known.insert(address) {
            touched.order.push(address);
        }
    });
}

/// Lends the addresses of the transaction so far.
pub fn with_addresses(use_them: impl FnOnce(&[Address])) {
    TOUCHED.with(|touched| use_them(&touched.order));
}
