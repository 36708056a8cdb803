//! The read-through cache: its owner reports changes made elsewhere.

use crate::{buffers, vm::with_vm, wire::Reader};

/// Args: address, which changed outside of the engine.
#[unsafe(no_mangle)]
pub extern "C" fn cache_forget() {
    let address = buffers::with_args(|args| Reader(args).address());
    with_vm(|vm| vm.ctx.journaled_state.database.cache.accounts.remove(&address));
}

/// Another state is read next. Code stays: its name is its hash.
#[unsafe(no_mangle)]
pub extern "C" fn cache_clear() {
    with_vm(|vm| {
        let cache = &mut vm.ctx.journaled_state.database.cache;
        cache.accounts = Default::default();
        cache.block_hashes.clear();
    });
}
