//! Gas that instructions cost beyond the prices of their fork: the parameters of a chain may raise them. A price for
//! CLZ activates CLZ, even when it is zero.

use crate::host::{single::Single, wire::Reader};
use revm::{
    bytecode::opcode::CLZ,
    context_interface::cfg::{GasId, GasParams},
    interpreter::{GasTable, instructions::gas_table_spec},
    primitives::hardfork::SpecId,
};

/// Opcodes, each with its additional gas.
static RAISED: Single<Vec<(u8, u16)>> = Single::new(Vec::new());
/// Additional gas of creations, which have no price in the table of constants.
static CREATION: Single<u64> = Single::new(0);

/// Reads the prices: additional gas of creations u32, count u8, then opcode u8 and gas u32 for each. Answers true when
/// a price changed.
pub fn set(reader: &mut Reader<'_>) -> bool {
    let creation = reader.u32() as u64;
    let raised: Vec<_> = (0..reader.u8()).map(|_| (reader.u8(), reader.u32() as u16)).collect();
    let changed = CREATION.with(|stored| core::mem::replace(stored, creation)) != creation;
    RAISED.with(|stored| {
        let differs = *stored != raised;
        *stored = raised;
        differs || changed
    })
}

/// True when the parameters activate EIP-7939.
pub fn enables_clz() -> bool {
    RAISED.with(|raised| raised.iter().any(|(opcode, _)| *opcode == CLZ))
}

/// The constant prices of a fork with the additional gas.
pub fn gas_table(spec: SpecId) -> GasTable {
    let mut table = gas_table_spec(spec);
    RAISED.with(|raised| {
        for (opcode, gas) in raised {
            table[*opcode as usize] = table[*opcode as usize].saturating_add(*gas);
        }
    });
    table
}

/// The other prices of a fork with the additional gas.
pub fn gas_params(spec: SpecId) -> GasParams {
    let mut params = GasParams::new_spec(spec);
    let more = CREATION.with(|more| *more);
    if more > 0 {
        let cost = params.create_cost().saturating_add(more);
        params.override_gas([(GasId::create(), cost)]);
    }
    params
}
