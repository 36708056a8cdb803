//! Rules that the running block sets beside its fork.

use crate::host::single::Single;

#[derive(Clone, Copy)]
pub struct BlockRules {
    /// The floor of calldata's gas (EIP-7623) binds the gas limit only: it is not charged.
    pub is_floor_free: bool,
    /// The changes of a transaction include the writes of the Go node that change nothing (`peer::unchanged_writes`).
    pub shows_touches: bool,
    /// Transactions begin with the zero address warm in place of the coinbase (EIP-3651).
    pub warms_zero: bool,
    /// False: BLOBBASEFEE ends the execution.
    pub has_blob_base_fee: bool,
}

static RULES: Single<BlockRules> =
    Single::new(BlockRules { is_floor_free: false, shows_touches: false, warms_zero: false, has_blob_base_fee: true });

/// Sets the rules of the running block.
pub fn set(rules: BlockRules) {
    RULES.with(|stored| *stored = rules);
}

/// The rules of the running block.
pub fn block_rules() -> BlockRules {
    RULES.with(|stored| *stored)
}
