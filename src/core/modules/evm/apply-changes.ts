/** Writes account changes of the EVM to the state. */
import { prefixRange } from '../../bytes/key-order.js';
import type { EvmAccountChange } from '../../evm/outcome.js';
import { abciEvent } from '../../sdk/module/abci-event.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { evmCoin, evmDenom } from '../../sdk/coins/evm-coin.js';
import { unmetered } from '../../sdk/module/gas.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import {
  accountKey,
  getAccount,
  hasAccount,
  newAccount,
  numberKey,
  setAccount,
  STORE as ACCOUNTS,
  withBase,
} from '../auth/accounts.js';
import { balancesOf, getBalance, setBalance, STORE as BANK } from '../bank/balances.js';
import { lowerSupply } from '../bank/lower-supply.js';
import { lockedOf } from '../bank/spendable.js';
import { chargeFraction } from './internal-gas.js';
import { codeHashKey, codeKey, getCodeHash, isEmptyCodeHash, STORE, storageKey, storageOf } from './store.js';

type Changed = Extract<EvmAccountChange, { kind: 'changed' }>;

/**
 * Rules for accounts that the EVM changes. The first two return the change of the supply in wei and may throw
 * SdkError.
 */
export interface AccountRules {
  /** Writes a changed account. */
  readonly change: (context: Context, change: Changed) => bigint;
  /** Removes a self-destructed contract, or an account that is empty in the EVM (EIP-161). */
  readonly remove: (context: Context, address: Uint8Array) => bigint;
  /** True for an account that stays although it is empty in the EVM. */
  readonly keepsEmpty: (context: Context, address: Uint8Array) => boolean;
}

export const accountRules = new RuleSet<AccountRules>({
  change: changeAccount,
  remove: deleteAccount,
  keepsEmpty: hasAccount,
});

/** Applies changes in address order. With a metered store, a Cosmos transaction pays for each access. */
export function applyChanges(context: Context, changes: readonly EvmAccountChange[]): void {
  const rules = accountRules.of(context);
  let supply = 0n;
  for (const change of changes)
    supply += change.kind === 'deleted' ? rules.remove(context, change.address) : rules.change(context, change);
  settleSupply(context, supply);
}

function changeAccount(context: Context, change: Changed): bigint {
  const { store } = context;
  const { address } = change;
  if (change.code !== undefined && change.code.length > 0) store.set(STORE, codeKey(change.codeHash), change.code);
  const known = getAccount(context, address);
  // The number is assigned first; the account is written after its code hash.
  const account = known ?? newAccount(context, address);
  if (isEmptyCodeHash(change.codeHash)) {
    if (!isEmptyCodeHash(getCodeHash(context, address))) store.delete(STORE, codeHashKey(address));
  } else if (change.code !== undefined) store.set(STORE, codeHashKey(address), change.codeHash);
  if (known?.base.sequence !== change.nonce)
    setAccount(context, address, withBase(account, { sequence: change.nonce }));
  const supply = settleBalance(context, address, change.balance);
  if (change.created && known !== undefined) clearStorage(context, address);
  for (const { slot, value } of change.slots) {
    if (value.every((byte) => byte === 0)) store.delete(STORE, storageKey(address, slot));
    else store.set(STORE, storageKey(address, slot), value);
  }
  return supply;
}

/** Deletes an account, unless it has coins that the EVM does not see. */
function deleteAccount(context: Context, address: Uint8Array): bigint {
  const account = getAccount(context, address);
  const supply = settleBalance(context, address, 0n);
  removeAccount(context, address, account);
  return supply;
}

/** Removes an account's EVM data, and the account itself unless it has coins that the EVM does not see. */
export function removeAccount(context: Context, address: Uint8Array, account: ReturnType<typeof getAccount>): void {
  clearStorage(context, address);
  if (!isEmptyCodeHash(getCodeHash(context, address))) context.store.delete(STORE, codeHashKey(address));
  if (account === undefined || holdsCoins(context, address)) return;
  context.store.delete(ACCOUNTS, numberKey(account.base.accountNumber));
  context.store.delete(ACCOUNTS, accountKey(address));
}

/** True for coins of other denoms: without an account their owner could not sign any more. */
function holdsCoins({ store }: Context, address: Uint8Array): boolean {
  for (const _ of store.range(BANK, prefixRange(balancesOf(address)))) return true;
  return false;
}

/**
 * Deletes all storage of an address. There is almost never any: new contract addresses have none, and only contracts
 * created in the same transaction are deleted (EIP-6780).
 */
export function clearStorage(context: Context, address: Uint8Array): void {
  for (const { key } of [...context.store.range(STORE, prefixRange(storageOf(address)))])
    context.store.delete(STORE, key);
}

/** Writes the balance computed by the EVM, emits the difference as spent or received, and returns it. */
function settleBalance(context: Context, address: Uint8Array, balance: bigint): bigint {
  const { denom } = evmCoin(context);
  const before = getBalance(context, address, denom);
  const free = before - lockedOf(context, getAccount(context, address), denom);
  // A call by a module pays for reading the fractional balance too.
  if (unmetered(context.store) !== context.store) chargeFraction(context, address);
  const change = balance - (free > 0n ? free : 0n);
  if (change === 0n) return 0n;
  setBalance(context, address, denom, before + change);
  const text = encodeAddress(context.chain.bech32Prefix, address);
  const amount = `${change > 0n ? change : -change}${denom}`;
  context.events.push(
    change > 0n
      ? abciEvent('coin_received', [
          ['receiver', text],
          ['amount', amount],
        ])
      : abciEvent('coin_spent', [
          ['spender', text],
          ['amount', amount],
        ]),
  );
  return change;
}

/**
 * Removes wei from the supply that the EVM destroyed (SELFDESTRUCT to itself). Throws SdkError when the EVM created
 * wei, which must not happen.
 */
function settleSupply(context: Context, change: bigint): void {
  if (change === 0n) return;
  if (change > 0n) throw plainError(`the EVM made ${change} wei out of nothing`);
  lowerSupply(context, evmDenom(context), -change);
}
