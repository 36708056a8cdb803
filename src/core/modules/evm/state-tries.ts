/**
 * Reads the EVM state for Ethereum's secure tries, which are built on demand (yellow paper 4.1, EIP-1186). No header
 * of this chain contains their root: the state is stored in IAVL trees.
 */
import { keyAfter, prefixRange } from '../../bytes/key-order.js';
import { EMPTY, equal } from '../../bytes/bytes.js';
import { hex } from '../../bytes/hex.js';
import type {
  AccountProof,
  ChangedAccount,
  PartStart,
  StatePart,
  StateTries,
  StorageSlot,
} from '../../ethereum/state-proof.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import type { EvmAddressOf } from '../../sdk/module/engine-host.js';
import { COIN_INFO_KEY, evmCoin } from '../../sdk/coins/evm-coin.js';
import type { RowName } from '../../state/state.js';
import { firstRows, PrefetchedRows } from '../../state/prefetched-rows.js';
import {
  ACCOUNT_PREFIX,
  addressOfKey,
  decodeAccount,
  getAccount,
  sequenceOfPlain,
  STORE as ACCOUNTS,
} from '../auth/accounts.js';
import { balanceKey, balancesOf, STORE as BALANCES } from '../bank/balances.js';
import { accountWith, evmState } from './state.js';
import { codeHashKey, EMPTY_CODE_HASH, getStorage, STORE, STORAGE_PREFIX, storageOf } from './store.js';

const ADDRESS_BYTES = 20;
const SLOTS = { table: 'slots', start: STORAGE_PREFIX } as const;
const ACCOUNT_ROWS = { table: 'accounts', start: ACCOUNT_PREFIX } as const;

/** Reads at most `rows` rows of the state from `place` (default: the beginning), because one read is bounded. */
export function statePart(context: Context, place: PartStart | undefined, rows: number): StatePart {
  if (place?.table === 'accounts') return accountsPart(context, place.start, rows);
  const prefix = place?.table === 'contract' ? storageOf(place.address) : STORAGE_PREFIX;
  const range = { ...prefixRange(prefix), start: place?.start ?? prefix, rows };
  const read = firstRows(context.store.range(STORE, range), rows);
  const at = STORAGE_PREFIX.length;
  const slots = read.map(({ key, value }) => ({
    address: key.subarray(at, at + ADDRESS_BYTES),
    slot: key.subarray(at + ADDRESS_BYTES),
    value,
  }));
  const last = read.length < rows ? undefined : read.at(-1);
  if (last !== undefined) return { slots, accounts: [], next: { ...(place ?? SLOTS), start: keyAfter(last.key) } };
  return { slots, accounts: [], next: place?.table === 'contract' ? undefined : ACCOUNT_ROWS };
}

function accountsPart(context: Context, start: Uint8Array, rows: number): StatePart {
  // Read before any computation, because a missing page restarts the reader.
  const read = firstRows(context.store.range(ACCOUNTS, { ...prefixRange(ACCOUNT_PREFIX), start, rows }), rows);
  const found = read.flatMap(({ key, value }) => {
    const address = addressOfKey(key);
    return address === undefined ? [] : [{ address, row: value }];
  });
  const [first, end] = [found[0], found.at(-1)];
  const ahead = new PrefetchedRows(context.store);
  if (first !== undefined && end !== undefined) {
    // An account may have coins of any number of denoms.
    const balances = [balancesOf(first.address), balanceKey(end.address, evmCoin(context).denom)] as const;
    ahead.read(BALANCES, balances, rows + 1, 2 * rows);
    ahead.read(STORE, [codeHashKey(first.address), codeHashKey(end.address)], 1, rows);
    ahead.read(STORE, [COIN_INFO_KEY, COIN_INFO_KEY], 1, 1);
  }
  const over = { ...context, store: ahead };
  const accounts = found.flatMap(({ address, row }) => {
    const nonce = sequenceOfPlain(row);
    const account = nonce === undefined ? decodeAccount(row) : undefined;
    const known = accountWith(over, address, nonce ?? account?.base.sequence ?? 0n, account);
    return known === undefined
      ? []
      : [{ address, ...known, ...(account?.kind === 'vesting' && { vests: true as const }) }];
  });
  const last = read.length < rows ? undefined : read.at(-1);
  return { slots: [], accounts, next: last && { table: 'accounts', start: keyAfter(last.key) } };
}

/** Accounts to which written rows belong, and `others` by address; undefined when the native coin changed. */
export function changedAccounts(
  context: Context,
  owners: ReadonlyMap<string, EvmAddressOf>,
  written: readonly RowName[],
  others: readonly Uint8Array[],
): readonly ChangedAccount[] | undefined {
  const changed = new Map(others.map((address) => [hex(address), { address, slots: new Array<Uint8Array>() }]));
  for (const { store, key } of written) {
    if (store === STORE && equal(key, COIN_INFO_KEY)) return undefined;
    const address = owners.get(store)?.(key);
    if (address === undefined) continue;
    const name = hex(address);
    const known = changed.get(name) ?? { address, slots: [] };
    changed.set(name, known);
    const at = STORAGE_PREFIX.length + ADDRESS_BYTES;
    if (store === STORE && key[0] === STORAGE_PREFIX[0]) known.slots.push(key.subarray(at));
  }
  return Array.from(changed.values(), ({ address, slots }) => {
    const account = getAccount(context, address);
    const known = account && accountWith(context, address, account.base.sequence, account);
    const facts = known && { address, ...known, ...(account.kind === 'vesting' && { vests: true as const }) };
    const values = slots.map((slot) => ({ slot, value: getStorage(context, address, slot) ?? EMPTY }));
    return { address, facts, slots: values };
  });
}

/** Proof of an account and some of its slots (32 bytes each). */
export function proofOf(
  context: Context,
  { accounts, storageRoots, storage, emptyRoot }: StateTries,
  address: Uint8Array,
  slots: readonly Uint8Array[],
): AccountProof {
  const { crypto } = context;
  const { balance, nonce, codeHash } = evmState(context).account(address) ?? {
    balance: 0n,
    nonce: 0n,
    codeHash: EMPTY_CODE_HASH,
  };
  return {
    balance,
    nonce,
    codeHash,
    storageHash: storageRoots.get(hex(address)) ?? emptyRoot,
    accountProof: accounts.prove(crypto.keccak256(address)),
    storageProof: slots.map((slot) => ({
      slot,
      value: bigintOfBytes(getStorage(context, address, slot) ?? EMPTY),
      proof: storage.prove(crypto.keccak256(slot)),
    })),
  };
}

/** All non-zero slots of a contract. */
export function slotsOf({ store }: Pick<Context, 'store'>, address: Uint8Array): readonly StorageSlot[] {
  const prefix = storageOf(address);
  return [...store.range(STORE, prefixRange(prefix))].map(({ key, value }) => ({
    slot: key.subarray(prefix.length),
    value,
  }));
}
