//! Rules of the running block, besides those of its fork.

use crate::host::single::Single;

#[derive(Clone, Copy)]
pub struct BlockRules {
    /// The gas limit must cover the calldata floor (EIP-7623), but the floor is not charged.
    pub is_floor_free: bool,
    /// The diff of a transaction includes writes of the Go node that change no value (`peer::unchanged_writes`).
    pub shows_touches: bool,
    /// The zero address is warm at the start of a transaction, in place of the coinbase (EIP-3651).
    pub warms_zero: bool,
    /// If false, BLOBBASEFEE stops the execution.
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
