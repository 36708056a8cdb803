import { create, toBinary } from '@bufbuild/protobuf';
import { requireAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { recordNonceLowered } from '../../sdk/module/development-chain.js';
import { message } from '../../sdk/module/module.js';
import type { EthereumAccountEdit } from '../../ethereum/api.js';
import { MAX_NONCE } from '../../ethereum/check-transaction.js';
import { invalidRequest } from '../../sdk/module/sdk-error.js';
import { Msg, type MsgSetAccount, MsgSetAccountSchema, type StorageSlot } from '../../proto/chronicle/dev/v1/tx_pb.js';
import { setAccount as writeAccount, withBase } from '../auth/accounts.js';
import { ensureAccountOf } from '../evm/accounts.js';
import { codeHashKey, codeKey, STORE as EVM, storageKey } from '../evm/store.js';
import { SET_ACCOUNT_URL } from './ante.js';
import { devTx } from './dev-tx.js';
import { requireEnabled } from './store.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';

/** Sets nonce, code or storage slots of an account, as the EVM sees them. */
export const setAccount = message(Msg, 'setAccount', (context, edit) => {
  requireEnabled(context);
  const address = requireAddress(context.chain.bech32Prefix, edit.address, 'invalid address');
  if (address.length !== 20) throw invalidRequest('an account of the EVM has 20 bytes');
  if ((edit.nonce ?? 0n) > MAX_NONCE) throw invalidRequest(`nonce ${edit.nonce}, limit ${MAX_NONCE}`);
  const account = ensureAccountOf(context, address);
  if (edit.nonce !== undefined && edit.nonce < account.base.sequence) recordNonceLowered(context);
  if (edit.nonce !== undefined) writeAccount(context, address, withBase(account, { sequence: edit.nonce }));
  if (edit.code !== undefined) writeCode(context, address, edit.code);
  writeSlots(context, address, edit.slots);
});

function writeCode({ store, crypto }: Context, address: Uint8Array, code: Uint8Array): void {
  if (code.length > CHAIN_LIMITS.devCodeBytes)
    throw invalidRequest(`code has ${code.length} bytes, limit ${CHAIN_LIMITS.devCodeBytes}`);
  if (code.length === 0) {
    store.delete(EVM, codeHashKey(address));
    return;
  }
  const hash = crypto.keccak256(code);
  store.set(EVM, codeKey(hash), code);
  store.set(EVM, codeHashKey(address), hash);
}

function writeSlots({ store }: Context, address: Uint8Array, slots: readonly StorageSlot[]): void {
  if (slots.length > CHAIN_LIMITS.devSlots)
    throw invalidRequest(`${slots.length} slots, limit ${CHAIN_LIMITS.devSlots}`);
  for (const { slot, value } of slots) {
    if (slot.length !== 32 || value.length !== 32) throw invalidRequest('slots and values have 32 bytes');
    if (value.every((byte) => byte === 0)) store.delete(EVM, storageKey(address, slot));
    else store.set(EVM, storageKey(address, slot), value);
  }
}

/** Encoded transaction that edits an account. */
export function setAccountTx(
  { address, sequence }: Pick<MsgSetAccount, 'address' | 'sequence'>,
  { nonce, code, slots = [] }: EthereumAccountEdit,
): Uint8Array {
  const fields = {
    address,
    sequence,
    ...(nonce !== undefined && { nonce }),
    ...(code !== undefined && { code: Uint8Array.from(code) }),
  };
  const edited = slots.map(({ slot, value }) => ({ slot: Uint8Array.from(slot), value: Uint8Array.from(value) }));
  return devTx(
    SET_ACCOUNT_URL,
    toBinary(MsgSetAccountSchema, create(MsgSetAccountSchema, { ...fields, slots: edited })),
  );
}
