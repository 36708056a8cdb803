//! Committed state. Accounts, code and slots are read from the host on first use.

use crate::host::{buffers, imports};
use revm::{
    DatabaseRef,
    bytecode::Bytecode,
    database::CacheDB,
    database_interface::DBErrorMarker,
    primitives::{Address, B256, Bytes, KECCAK_EMPTY, U256, address},
    state::AccountInfo,
};

/// Slot 0 of this address holds the length of the host's undo log. The slot is in the EVM's journal, so a reverted
/// frame restores it. The address has neither a key nor code, and its storage never leaves the engine.
pub const UNDO_MARK: Address = address!("feed000000000000000000000000000000000001");

/// The host failed. It keeps its error and rethrows it when the export has returned.
#[derive(Debug, Clone, Copy)]
pub struct HostStopped;

impl core::fmt::Display for HostStopped {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("the host stopped the execution")
    }
}

impl core::error::Error for HostStopped {}
impl DBErrorMarker for HostStopped {}

/// Committed state of the host.
pub struct HostState;

/// Committed state with the read-through cache.
pub type Database = CacheDB<HostState>;

impl DatabaseRef for HostState {
    type Error = HostStopped;

    fn basic_ref(&self, address: Address) -> Result<Option<AccountInfo>, HostStopped> {
        let mut out = [0u8; 72];
        match unsafe { imports::account(address.as_ptr(), out.as_mut_ptr()) } {
            0 => Ok(None),
            1 => {
                let mut nonce = [0; 8];
                nonce.copy_from_slice(&out[32..40]);
                Ok(Some(AccountInfo {
                    balance: U256::from_be_slice(&out[..32]),
                    nonce: u64::from_le_bytes(nonce),
                    code_hash: B256::from_slice(&out[40..]),
                    account_id: None,
                    code: None,
                }))
            }
            _ => Err(HostStopped),
        }
    }

    fn code_by_hash_ref(&self, hash: B256) -> Result<Bytecode, HostStopped> {
        if hash == KECCAK_EMPTY {
            return Ok(Bytecode::default());
        }
        let length = unsafe { imports::code(hash.as_ptr()) };
        if length < 0 {
            return Err(HostStopped);
        }
        Ok(buffers::with_scratch(|bytes| to_bytecode(Bytes::copy_from_slice(bytes))))
    }

    fn storage_ref(&self, address: Address, slot: U256) -> Result<U256, HostStopped> {
        if address == UNDO_MARK {
            return Ok(U256::ZERO);
        }
        let mut out = [0u8; 32];
        let slot = slot.to_be_bytes::<32>();
        match unsafe { imports::storage(address.as_ptr(), slot.as_ptr(), out.as_mut_ptr()) } {
            0 => Ok(U256::from_be_bytes(out)),
            _ => Err(HostStopped),
        }
    }

    fn block_hash_ref(&self, number: u64) -> Result<B256, HostStopped> {
        let mut out = [0u8; 32];
        match unsafe { imports::block_hash(number as u32, (number >> 32) as u32, out.as_mut_ptr()) } {
            0 => Ok(B256::from(out)),
            _ => Err(HostStopped),
        }
    }
}

/// Makes bytecode of any bytes. Malformed delegations (EIP-7702) become legacy code, which halts at its first byte.
pub fn to_bytecode(bytes: Bytes) -> Bytecode {
    Bytecode::new_raw_checked(bytes.clone()).unwrap_or_else(|_| Bytecode::new_legacy(bytes))
}
