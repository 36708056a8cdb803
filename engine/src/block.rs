//! The block that transactions run in.

use crate::{
    buffers,
    database::HostState,
    permission,
    prices,
    single::Single,
    vm::{Vm, context, machine, with_vm},
    wire::Reader,
};
use revm::{
    context_interface::block::BlobExcessGasAndPrice,
    database::CacheDB,
    primitives::{U256, hardfork::SpecId},
};

/// The floor of calldata's gas (EIP-7623) is a minimum of the gas limit only.
static FLOOR_IS_FREE: Single<bool> = Single::new(false);

pub fn is_floor_free() -> bool {
    FLOOR_IS_FREE.with(|free| *free)
}

/// The changes of a transaction name the precompiled contracts that it touched.
static SHOWS_TOUCHES: Single<bool> = Single::new(false);

pub fn shows_touches() -> bool {
    SHOWS_TOUCHES.with(|shows| *shows)
}

/// Transactions begin with the zero address warm in place of the coinbase (EIP-3651).
static WARMS_ZERO: Single<bool> = Single::new(false);

pub fn warms_zero() -> bool {
    WARMS_ZERO.with(|warms| *warms)
}

/// The block has a blob base fee; in one that has none BLOBBASEFEE ends the execution.
static HAS_BLOB_BASE_FEE: Single<bool> = Single::new(true);

pub fn has_blob_base_fee() -> bool {
    HAS_BLOB_BASE_FEE.with(|has| *has)
}

/// Bytes of EVM memory in one transaction; without it a huge MSTORE really allocates.
const MEMORY_LIMIT: u64 = 128 << 20;

/// Input: spec u8, prices (see `prices`), chain id u64, number u64, coinbase, time u64, gas limit u64, base fee u64, randao 32, gas cap u64 (0 none), blob base fee u128, flags u8: 1 the
/// floor of EIP-7623 is not charged, 2 touches are shown, 4 the zero address is warm in place of the coinbase, 8 there is no blob
/// base fee, 16 permissions follow (see `permission`).
#[unsafe(no_mangle)]
pub extern "C" fn begin_block() {
    let input = buffers::take_input();
    with_vm(|vm| set_block(vm, &mut Reader(&input)));
    buffers::give_input_back(input);
}

fn set_block(vm: &mut Vm, reader: &mut Reader<'_>) {
    let spec = SpecId::try_from_u8(reader.u8()).expect("a fork that the port knows");
    let repriced = prices::set(reader);
    if vm.ctx.cfg.spec != spec || repriced {
        let cache = core::mem::replace(&mut vm.ctx.journaled_state.database, CacheDB::new(HostState));
        *vm = machine(context(cache, spec), spec);
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
    // Before the merge the same opcode reads the difficulty.
    block.difficulty = randao.into();
    let cap = reader.u64();
    cfg.tx_gas_limit_cap = Some(if cap == 0 { u64::MAX } else { cap });
    block.blob_excess_gas_and_price = Some(BlobExcessGasAndPrice { excess_blob_gas: 0, blob_gasprice: reader.u128() });
    let flags = reader.u8();
    FLOOR_IS_FREE.with(|free| *free = flags & 1 != 0);
    SHOWS_TOUCHES.with(|shows| *shows = flags & 2 != 0);
    WARMS_ZERO.with(|warms| *warms = flags & 4 != 0);
    HAS_BLOB_BASE_FEE.with(|has| *has = flags & 8 == 0);
    permission::set((flags & 16 != 0).then_some(reader));
    vm.ctx.journaled_state.database.cache.block_hashes.clear();
}
