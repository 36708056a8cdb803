//! Decodes a transaction.

use crate::host::wire::Reader;
use revm::{
    context::TxEnv,
    context_interface::{
        either::Either,
        transaction::{AccessList, AccessListItem, Authorization, RecoveredAuthority, RecoveredAuthorization},
    },
    primitives::{Address, Bytes, TxKind, U256},
};

/// Reads type u8, from, to (flag and address), gas limit u64, gas price u128, priority fee (flag and u128), value,
/// nonce u64, data, access list, authorizations, max fee per blob gas u128, blob hashes. The host has checked the
/// chain id, so the transaction gets that of the block.
pub fn read_transaction(reader: &mut Reader<'_>, chain_id: u64) -> TxEnv {
    let tx_type = reader.u8();
    let caller = reader.address();
    let (has_to, to) = (reader.flag(), reader.address());
    let gas_limit = reader.u64();
    let gas_price = reader.u128();
    let (has_tip, tip) = (reader.flag(), reader.u128());
    let value = reader.u256();
    let nonce = reader.u64();
    let data = Bytes::copy_from_slice(reader.bytes());
    let access_list = AccessList((0..reader.u32()).map(|_| read_access(reader)).collect());
    let authorization_list = (0..reader.u32()).map(|_| Either::Right(read_authorization(reader))).collect();
    let max_fee_per_blob_gas = reader.u128();
    let blob_hashes = (0..reader.u32()).map(|_| reader.b256()).collect();
    TxEnv {
        tx_type,
        caller,
        gas_limit,
        gas_price,
        kind: if has_to { TxKind::Call(to) } else { TxKind::Create },
        value,
        data,
        nonce,
        chain_id: Some(chain_id),
        access_list,
        gas_priority_fee: has_tip.then_some(tip),
        blob_hashes,
        max_fee_per_blob_gas,
        authorization_list,
    }
}

fn read_access(reader: &mut Reader<'_>) -> AccessListItem {
    let address: Address = reader.address();
    let storage_keys = (0..reader.u32()).map(|_| reader.b256()).collect();
    AccessListItem { address, storage_keys }
}

fn read_authorization(reader: &mut Reader<'_>) -> RecoveredAuthorization {
    let authorization = Authorization { chain_id: U256::from(reader.u256()), address: reader.address(), nonce: reader.u64() };
    let (valid, authority) = (reader.flag(), reader.address());
    let authority = if valid { RecoveredAuthority::Valid(authority) } else { RecoveredAuthority::Invalid };
    RecoveredAuthorization::new_unchecked(authorization, authority)
}
