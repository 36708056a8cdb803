//! What instructions cost beyond their fork's prices, where the parameters of a chain raise them; a price of CLZ, be it
//! none more, activates it.

use crate::{single::Single, wire::Reader};
use revm::{
    bytecode::opcode::CLZ,
    context_interface::cfg::{GasId, GasParams},
    interpreter::{GasTable, instructions::gas_table_spec},
    primitives::hardfork::SpecId,
};

/// Instructions and the gas that each costs more.
static RAISED: Single<Vec<(u8, u16)>> = Single::new(Vec::new());
/// Creations have no price in the table of constants.
static CREATION: Single<u64> = Single::new(0);

/// Input: the gas that creations cost more u32, count u8, then opcode u8 and gas u32 for each. True where the prices are
/// others than before.
pub fn set(reader: &mut Reader<'_>) -> bool {
    let creation = reader.u32() as u64;
    let raised: Vec<_> = (0..reader.u8()).map(|_| (reader.u8(), reader.u32() as u16)).collect();
    let changed = CREATION.with(|held| core::mem::replace(held, creation)) != creation;
    RAISED.with(|held| {
        let others = *held != raised;
        *held = raised;
        others || changed
    })
}

/// EIP-7939 is among the EIPs of the parameters.
pub fn enables_clz() -> bool {
    RAISED.with(|raised| raised.iter().any(|(opcode, _)| *opcode == CLZ))
}

pub fn gas_table(spec: SpecId) -> GasTable {
    let mut table = gas_table_spec(spec);
    RAISED.with(|raised| {
        for (opcode, gas) in raised {
            table[*opcode as usize] = table[*opcode as usize].saturating_add(*gas);
        }
    });
    table
}

pub fn gas_params(spec: SpecId) -> GasParams {
    let mut params = GasParams::new_spec(spec);
    let more = CREATION.with(|more| *more);
    if more > 0 {
        let cost = params.create_cost().saturating_add(more);
        params.override_gas([(GasId::create(), cost)]);
    }
    params
}
