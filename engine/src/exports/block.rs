//! Sets the block for transactions and calls.

use crate::{
    host::{buffers, state::HostState, wire::Reader},
    peer::permissions,
    vm::{
        block_rules::{self, BlockRules},
        context::new_context,
        machine::{Vm, new_machine, with_vm},
        prices,
    },
};
use revm::{
    context_interface::block::BlobExcessGasAndPrice,
    database::CacheDB,
    primitives::{U256, hardfork::SpecId},
};

/// Maximum EVM memory of one transaction, in bytes. The gas limit of a call would allow more.
const MEMORY_LIMIT: u64 = 128 << 20;

/// Begins a block. Input: spec u8, surcharges (see `vm::prices`), chain id u64, number u64, coinbase, time u64, gas
/// limit u64, base fee u64, prevRandao 32, transaction gas cap u64 (0 for none), blob base fee u128, flags u8: 1 the
/// floor of EIP-7623 is free, 2 touches are shown, 4 the zero address is warm in place of the coinbase, 8 there is no
/// blob base fee, 16 permissions follow (see `peer::permissions`).
#[unsafe(no_mangle)]
pub extern "C" fn begin_block() {
    let input = buffers::take_input();
    with_vm(|vm| set_block(vm, &mut Reader(&input)));
    buffers::return_input(input);
}

fn set_block(vm: &mut Vm, reader: &mut Reader<'_>) {
    let spec = SpecId::try_from_u8(reader.u8()).expect("a fork that the port knows");
    let repriced = prices::set(reader);
    if vm.ctx.cfg.spec != spec || repriced {
        let cache = core::mem::replace(&mut vm.ctx.journaled_state.database, CacheDB::new(HostState));
        *vm = new_machine(new_context(cache, spec), spec);
    }
    let cfg = &mut vm.ctx.cfg;
    cfg.chain_id = reader.u64();
    cfg.memory_limit = MEMORY_LIMIT;
    let block = &mut vm.ctx.block;
    block.number = U256::from(reader.u64());
    block.beneficiary = reader.address();
    block.timestamp = U256::from(reader.u64());
    block.gas_limit = reader.u64();
    block.basefee = reader.u64();
    let randao = reader.b256();
    block.prevrandao = Some(randao);
    // Before the merge, the same opcode returned the difficulty.
    block.difficulty = randao.into();
    let cap = reader.u64();
    cfg.tx_gas_limit_cap = Some(if cap == 0 { u64::MAX } else { cap });
    block.blob_excess_gas_and_price = Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice: reader.u128() });
    let flags = reader.u8();
    block_rules::set(BlockRules {
        is_floor_free: flags & 1 != 0,
        shows_touches: flags & 2 != 0,
        warms_zero: flags & 4 != 0,
        has_blob_base_fee: flags & 8 == 0,
    });
    permissions::set((flags & 16 != 0).then_some(reader));
    vm.ctx.journaled_state.database.cache.block_hashes.clear();
}
