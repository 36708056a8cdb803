//! State overrides of a call (geth's `StateOverride`) as edits of the cache that are reverted afterwards.

use crate::{
    database::{Database, HostStopped, to_bytecode},
    moves,
    wire::Reader,
};
use revm::{
    database::{AccountState, DbAccount},
    primitives::{Address, Bytes},
};

const BALANCE: u8 = 1;
const NONCE: u8 = 2;
const CODE: u8 = 4;
/// All slots are forgotten first.
const REPLACE: u8 = 8;
const SLOTS: u8 = 16;
const MOVE: u8 = 32;

/// The earlier contents of the cache, in the order of the edits.
pub struct Overrides(Vec<(Address, Option<DbAccount>)>);

impl Overrides {
    /// count u32, then per account: address, flags u8, and what they name: balance, nonce u64, code, count u32 of (slot, value),
    /// the address that the precompile moves to.
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

    pub fn take_back(self, database: &mut Database) {
        moves::forget();
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
    moves::take_away(address);
    if flags & MOVE != 0 {
        moves::add(address, reader.address());
    }
    database.cache.accounts.insert(address, account);
    Ok(())
}
