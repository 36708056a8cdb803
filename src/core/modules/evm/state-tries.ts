/**
 * The EVM's state as Ethereum's secure tries, made on demand (yellow paper 4.1, EIP-1186). No header of this chain
 * holds their root: the state itself is kept in IAVL trees.
 */
import { keyAfter, prefixRange } from '../../bytes/key-order.js';
import { equal } from '../../bytes/bytes.js';
import { hex } from '../../bytes/hex.js';
import type {
  AccountProof,
  ChangedAccount,
  PartPlace,
  StatePart,
  StateTries,
  StorageSlot,
} from '../../ethereum/state-proof.js';
import { storageTrie } from '../../ethereum/tries-of-state.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import type { EvmAddressOf } from '../../sdk/module/engine-host.js';
import { COIN_INFO_KEY, evmCoin } from '../../sdk/coins/evm-coin.js';
import type { RowName } from '../../state/state.js';
import { firstRows, RowsAhead } from '../../state/rows-ahead.js';
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

/**
 * At most `rows` rows of the state, from `place` on (the beginning without one): a whole state is read in parts,
 * because one reading is bounded.
 */
export function statePart(context: Context, place: PartPlace | undefined, rows: number): StatePart {
  const { table, start } = place ?? { table: 'slots', start: STORAGE_PREFIX };
  return table === 'slots' ? slotsPart(context, start, rows) : accountsPart(context, start, rows);
}

function slotsPart({ store }: Context, start: Uint8Array, rows: number): StatePart {
  const at = STORAGE_PREFIX.length;
  const read = firstRows(store.range(STORE, { ...prefixRange(STORAGE_PREFIX), start }), rows);
  const slots = read.map(({ key, value }) => ({
    address: key.subarray(at, at + ADDRESS_BYTES),
    slot: key.subarray(at + ADDRESS_BYTES),
    value,
  }));
  const last = read.length < rows ? undefined : read.at(-1);
  const next: PartPlace =
    last === undefined ? { table: 'accounts', start: ACCOUNT_PREFIX } : { table: 'slots', start: keyAfter(last.key) };
  return { slots, accounts: [], next };
}

function accountsPart(context: Context, start: Uint8Array, rows: number): StatePart {
  // the range is read before anything is computed, because a missing page starts the reader again
  const read = firstRows(context.store.range(ACCOUNTS, { ...prefixRange(ACCOUNT_PREFIX), start, rows }), rows);
  const found = read.flatMap(({ key, value }) => {
    const address = addressOfKey(key);
    return address === undefined ? [] : [{ address, row: value }];
  });
  const [first, end] = [found[0], found.at(-1)];
  const ahead = new RowsAhead(context.store);
  if (first !== undefined && end !== undefined) {
    // an account may have coins of any number of denoms
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

/**
 * The accounts that rows belong to, which blocks wrote, and others by their addresses; undefined when another coin is
 * that of the EVM.
 */
export function changedAccounts(
  context: Context,
  owners: ReadonlyMap<string, EvmAddressOf>,
  written: readonly RowName[],
  others: readonly Uint8Array[],
): readonly ChangedAccount[] | undefined {
  const changed = new Map(others.map((address) => [hex(address), { address, isStorage: false }]));
  for (const { store, key } of written) {
    if (store === STORE && equal(key, COIN_INFO_KEY)) return undefined;
    const address = owners.get(store)?.(key);
    if (address === undefined) continue;
    const isStorage = store === STORE && key[0] === STORAGE_PREFIX[0];
    const name = hex(address);
    changed.set(name, { address, isStorage: isStorage || changed.get(name)?.isStorage === true });
  }
  // ranges are read before anything is computed, because a missing page starts the reader again
  const slots = new Map(
    [...changed].flatMap(([name, { address, isStorage }]) =>
      isStorage ? [[name, slotsOf(context, address)] as const] : [],
    ),
  );
  return [...changed].map(([name, { address }]) => {
    const account = getAccount(context, address);
    const known = account && accountWith(context, address, account.base.sequence, account);
    const facts = known && { address, ...known, ...(account.kind === 'vesting' && { vests: true as const }) };
    return { address, facts, slots: slots.get(name) };
  });
}

/** The proof of an account and of some of its slots (32 bytes each). */
export function proofOf(
  context: Context,
  { accounts, storageRoots, emptyRoot }: StateTries,
  address: Uint8Array,
  slots: readonly Uint8Array[],
  pause: () => void,
): AccountProof {
  const { crypto } = context;
  const written = slots.length === 0 ? [] : slotsOf(context, address);
  const storage = storageTrie(crypto, written, pause);
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
      value: bigintOfBytes(getStorage(context, address, slot) ?? new Uint8Array(0)),
      proof: storage.prove(crypto.keccak256(slot)),
    })),
  };
}

/** All slots of a contract that are not zero. */
export function slotsOf({ store }: Pick<Context, 'store'>, address: Uint8Array): readonly StorageSlot[] {
  const prefix = storageOf(address);
  return [...store.range(STORE, prefixRange(prefix))].map(({ key, value }) => ({
    slot: key.subarray(prefix.length),
    value,
  }));
}
