//! Precompiles that the state overrides of a call remove or move (geth's `movePrecompileToAddress`).

use crate::host::single::Single;
use revm::primitives::Address;

struct Moves {
    edited: Vec<Address>,
    /// New and original address of each moved precompile.
    moved: Vec<(Address, Address)>,
}

static MOVES: Single<Moves> = Single::new(Moves { edited: Vec::new(), moved: Vec::new() });

/// Removes the precompile at an overridden address.
pub fn remove(address: Address) {
    MOVES.with(|moves| moves.edited.push(address));
}

/// Moves the precompile at `from` to `to`.
pub fn add(from: Address, to: Address) {
    MOVES.with(|moves| moves.moved.push((to, from)));
}

/// Restores all precompiles.
pub fn clear() {
    MOVES.with(|moves| {
        moves.edited.clear();
        moves.moved.clear();
    });
}

/// Original address of the precompile at `address`. `None` if the overrides removed it.
pub fn original_address(address: Address) -> Option<Address> {
    MOVES.with(|moves| {
        if let Some((_, from)) = moves.moved.iter().find(|(to, _)| *to == address) {
            return Some(*from);
        }
        if moves.edited.contains(&address) { None } else { Some(address) }
    })
}
