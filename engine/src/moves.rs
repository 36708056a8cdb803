//! Precompiles that a call's overrides take away from their addresses or move to others (geth's `movePrecompileToAddress`).

use crate::single::Single;
use revm::primitives::Address;

struct Moves {
    edited: Vec<Address>,
    /// Where the precompile is now, and where it was.
    moved: Vec<(Address, Address)>,
}

static MOVES: Single<Moves> = Single::new(Moves { edited: Vec::new(), moved: Vec::new() });

/// An edited account has no precompile.
pub fn take_away(address: Address) {
    MOVES.with(|moves| moves.edited.push(address));
}

pub fn add(from: Address, to: Address) {
    MOVES.with(|moves| moves.moved.push((to, from)));
}

/// All precompiles are where they belong.
pub fn forget() {
    MOVES.with(|moves| {
        moves.edited.clear();
        moves.moved.clear();
    });
}

/// The address of the precompile that runs at `address`; absent where it was taken away.
pub fn source_of(address: Address) -> Option<Address> {
    MOVES.with(|moves| {
        if let Some((_, from)) = moves.moved.iter().find(|(to, _)| *to == address) {
            return Some(*from);
        }
        if moves.edited.contains(&address) { None } else { Some(address) }
    })
}
