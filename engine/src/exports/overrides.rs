//! State overrides of a call (geth's `StateOverride`): changes of the cache that are undone after the call.

use crate::{host::{state::{to_bytecode, Database, HostStopped}, wire::Reader}, precompiles::moves};
use revm::{
    database::{AccountState, DbAccount},
    primitives::{Address, Bytes},
};

const BALANCE: u8 = 1;
const NONCE: u8 = 2;
const CODE: u8 = 4;
/// Clears the storage first.
const REPLACE: u8 = 8;
const SLOTS: u8 = 16;
const MOVE: u8 = 32;

/// Cached accounts before the overrides, in the order of the overrides.
pub struct Overrides(Vec<(Address, Option<DbAccount>)>);

impl Overrides {
    /// Applies the overrides. Input: count u32, then for each account: address, flags u8, and the fields of the
    /// flags: balance, nonce u64, code, number of slots u32 with (slot, value), new address of its precompile.
    pub fn apply(database: &mut Database, reader: &mut Reader<'_>) -> (Self, Result<(), HostStopped>) {
        let mut saved = Vec::new();
        for _ in 0..reader.u32() {
            let address = reader.address();
            saved.push((address, database.cache.accounts.get(&address).cloned()));
            if let Err(stopped) = edit(database, address, reader) {
                return (Self(saved), Err(stopped));
            }
        }
        (Self(saved), Ok(()))
    }

    /// Restores the accounts and the precompiles.
    pub fn undo(self, database: &mut Database) {
        moves::clear();
        for (address, account) in self.0.into_iter().rev() {
            match account {
                Some(account) => database.cache.accounts.insert(address, account),
                None => database.cache.accounts.remove(&address),
            };
        }
    }
}

fn edit(database: &mut Database, address: Address, reader: &mut Reader<'_>) -> Result<(), HostStopped> {
    let mut account = database.load_account(address)?.clone();
    if account.account_state == AccountState::NotExisting {
        account.account_state = AccountState::None;
    }
    let flags = reader.u8();
    if flags & BALANCE != 0 {
        account.info.balance = reader.u256();
    }
    if flags & NONCE != 0 {
        account.info.nonce = reader.u64();
    }
    if flags & CODE != 0 {
        let code = to_bytecode(Bytes::copy_from_slice(reader.bytes()));
        account.info.code_hash = code.hash_slow();
        account.info.code = Some(code);
        database.insert_contract(&mut account.info);
    }
    if flags & REPLACE != 0 {
        account.account_state = AccountState::StorageCleared;
        account.storage.clear();
    }
    if flags & SLOTS != 0 {
        for _ in 0..reader.u32() {
            let slot = reader.u256();
            account.storage.insert(slot, reader.u256());
        }
    }
    moves::remove(address);
    if flags & MOVE != 0 {
        moves::add(address, reader.address());
    }
    database.cache.accounts.insert(address, account);
    Ok(())
}
