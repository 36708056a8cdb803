//! Invalidates the read-through cache after changes by the host.

use crate::{host::{buffers, wire::Reader}, vm::machine::with_vm};

/// Drops an account that changed outside of the engine. Args: address.
#[unsafe(no_mangle)]
pub extern "C" fn cache_forget() {
    let address = buffers::with_args(|args| Reader(args).address());
    with_vm(|vm| vm.ctx.journaled_state.database.cache.accounts.remove(&address));
}

/// Drops all accounts and block hashes, before another state is read. Code stays: its key is its hash.
#[unsafe(no_mangle)]
pub extern "C" fn cache_clear() {
    with_vm(|vm| {
        let cache = &mut vm.ctx.journaled_state.database.cache;
        cache.accounts = Default::default();
        cache.block_hashes.clear();
    });
}
