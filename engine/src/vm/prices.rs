//! Surcharges: gas that instructions cost beyond the prices of the fork, set by the parameters of the chain. A
//! surcharge for CLZ activates CLZ, even if it is zero.

use crate::host::{single::Single, wire::Reader};
use revm::{
    bytecode::opcode::CLZ,
    context_interface::cfg::{GasId, GasParams},
    interpreter::{GasTable, instructions::gas_table_spec},
    primitives::hardfork::SpecId,
};

/// Surcharges by opcode.
static SURCHARGES: Single<Vec<(u8, u16)>> = Single::new(Vec::new());
/// Surcharge of contract creations, which have no constant price in the gas table.
static CREATION_SURCHARGE: Single<u64> = Single::new(0);

/// Reads the surcharges: creations u32, count u8, then opcode u8 and gas u32 for each. Returns true if any changed.
pub fn set(reader: &mut Reader<'_>) -> bool {
    let creation = reader.u32() as u64;
    let surcharges: Vec<_> = (0..reader.u8()).map(|_| (reader.u8(), reader.u32() as u16)).collect();
    let changed = CREATION_SURCHARGE.with(|stored| core::mem::replace(stored, creation)) != creation;
    SURCHARGES.with(|stored| {
        let differs = *stored != surcharges;
        *stored = surcharges;
        differs || changed
    })
}

/// True if the parameters activate CLZ (EIP-7939).
pub fn enables_clz() -> bool {
    SURCHARGES.with(|surcharges| surcharges.iter().any(|(opcode, _)| *opcode == CLZ))
}

/// Constant gas of each opcode of a fork, with surcharges.
pub fn gas_table(spec: SpecId) -> GasTable {
    let mut table = gas_table_spec(spec);
    SURCHARGES.with(|surcharges| {
        for (opcode, gas) in surcharges {
            table[*opcode as usize] = table[*opcode as usize].saturating_add(*gas);
        }
    });
    table
}

/// Other gas parameters of a fork, with the surcharge of creations.
pub fn gas_params(spec: SpecId) -> GasParams {
    let mut params = GasParams::new_spec(spec);
    let surcharge = CREATION_SURCHARGE.with(|surcharge| *surcharge);
    if surcharge > 0 {
        let cost = params.create_cost().saturating_add(surcharge);
        params.override_gas([(GasId::create(), cost)]);
    }
    params
}
