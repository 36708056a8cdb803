/** Writes the changes of the EVM: accounts by address, as evmd commits its StateDB. */
import { prefixRange } from '../../bytes/key-order.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import type { EvmAccountChange } from '../../evm/engine.js';
import {
  accountKey,
  getAccount,
  newAccount,
  numberKey,
  setAccount,
  STORE as ACCOUNTS,
  withBase,
} from '../auth/accounts.js';
import { balancesOf, STORE as BANK } from '../bank/balances.js';
import { settleBalance, settleSupply } from './coins.js';
import { codeHashKey, codeKey, getCodeHash, isEmptyCodeHash, STORE, storageKey, storageOf } from './store.js';

/** `changes` ascending by address. A store with a meter makes a Cosmos transaction pay, as for the peer's accesses. */
export function applyChanges(context: Context, changes: readonly EvmAccountChange[]): void {
  let supply = 0n;
  for (const change of changes)
    supply += change.kind === 'deleted' ? deleteAccount(context, change.address) : changeAccount(context, change);
  settleSupply(context, supply);
}

function changeAccount(context: Context, change: Extract<EvmAccountChange, { kind: 'changed' }>): bigint {
  const { store } = context;
  const { address } = change;
  if (change.code !== undefined && change.code.length > 0) store.set(STORE, codeKey(change.codeHash), change.code);
  const known = getAccount(context, address);
  // evmd makes an account for a precompiled contract that is called, once
  if (change.isTouch === true && known !== undefined) return 0n;
  // the peer takes the number first, and writes the account after its code's hash
  const account = known ?? newAccount(context, address);
  if (isEmptyCodeHash(change.codeHash)) {
    // evmd deletes without a look
    if (context.version.quirks.evmMintsAndBurns || !isEmptyCodeHash(getCodeHash(context, address)))
      store.delete(STORE, codeHashKey(address));
  } else if (change.code !== undefined || context.version.quirks.evmMintsAndBurns) {
    store.set(STORE, codeHashKey(address), change.codeHash);
  }
  if (known?.base.sequence !== change.nonce || context.version.quirks.evmMintsAndBurns)
    setAccount(context, address, withBase(account, { sequence: change.nonce }));
  const supply = settleBalance(context, address, change.balance);
  const { zeroSlotsStay } = context.version.quirks;
  if (change.created && known !== undefined) clearStorage(context, address);
  for (const { slot, value } of change.slots) {
    if (!zeroSlotsStay && value.every((byte) => byte === 0)) store.delete(STORE, storageKey(address, slot));
    else store.set(STORE, storageKey(address, slot), value);
  }
  return supply;
}

/**
 * A contract that destroyed itself, or an account that is empty to the EVM (EIP-161): it goes, unless it owns coins
 * that the EVM does not see.
 */
function deleteAccount(context: Context, address: Uint8Array): bigint {
  const account = getAccount(context, address);
  if (context.version.quirks.endsOnlyStoredCode) {
    if (account === undefined) return 0n;
    if (isEmptyCodeHash(getCodeHash(context, address)))
      throw plainError(
        `failed to delete account ${checksumAddress(context.crypto, address)}: only smart contracts can be self-destructed`,
      );
  }
  const supply = settleBalance(context, address, 0n);
  clearStorage(context, address);
  if (!isEmptyCodeHash(getCodeHash(context, address))) context.store.delete(STORE, codeHashKey(address));
  if (account === undefined || holdsCoins(context, address)) return supply;
  context.store.delete(ACCOUNTS, numberKey(account.base.accountNumber));
  context.store.delete(ACCOUNTS, accountKey(address));
  return supply;
}

/** Coins of other denoms: without an account their owner could sign for nothing. */
function holdsCoins({ store }: Context, address: Uint8Array): boolean {
  for (const _ of store.range(BANK, prefixRange(balancesOf(address)))) return true;
  return false;
}

/**
 * Nearly always nothing: a new contract's address has no storage, and only contracts of the same transaction are
 * deleted (EIP-6780).
 */
function clearStorage(context: Context, address: Uint8Array): void {
  for (const { key } of [...context.store.range(STORE, prefixRange(storageOf(address)))])
    context.store.delete(STORE, key);
}
