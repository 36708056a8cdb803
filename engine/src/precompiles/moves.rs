//! Precompiles that the overrides of a call remove or move to other addresses (geth's `movePrecompileToAddress`).

use crate::host::single::Single;
use revm::primitives::Address;

struct Moves {
    edited: Vec<Address>,
    /// The new and the old address of each moved precompile.
    moved: Vec<(Address, Address)>,
}

static MOVES: Single<Moves> = Single::new(Moves { edited: Vec::new(), moved: Vec::new() });

/// Removes the precompile of an edited account.
pub fn remove(address: Address) {
    MOVES.with(|moves| moves.edited.push(address));
}

/// Moves a precompile.
pub fn add(from: Address, to: Address) {
    MOVES.with(|moves| moves.moved.push((to, from)));
}

/// Puts all precompiles back.
pub fn forget() {
    MOVES.with(|moves| {
        moves.edited.clear();
        moves.moved.clear();
    });
}

/// The old address of the precompile at `address`. `None` when there is none any more.
pub fn source_of(address: Address) -> Option<Address> {
    MOVES.with(|moves| {
        if let Some((_, from)) = moves.moved.iter().find(|(to, _)| *to == address) {
            return Some(*from);
        }
        if moves.edited.contains(&address) { None } else { Some(address) }
    })
}
