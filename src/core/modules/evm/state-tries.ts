/**
 * The EVM's state as Ethereum's secure tries, made on demand (yellow paper 4.1, EIP-1186). No header of this chain
 * holds their root: the state itself is kept in IAVL trees.
 */
import { keyAfter, prefixRange } from '../../bytes/key-order.js';
import { hex } from '../../bytes/hex.js';
import type { AccountProof, PartPlace, StatePart, StateTries, StorageSlot } from '../../ethereum/state-proof.js';
import { storageTrie } from '../../ethereum/tries-of-state.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import { ACCOUNT_PREFIX, STORE as ACCOUNTS } from '../auth/accounts.js';
import { evmState } from './state.js';
import { EMPTY_CODE_HASH, getStorage, STORE, STORAGE_PREFIX, storageOf } from './store.js';

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
  const read = firstRows(context.store.range(ACCOUNTS, { ...prefixRange(ACCOUNT_PREFIX), start }), rows);
  const state = evmState(context);
  const accounts = read
    .map(({ key }) => key.subarray(ACCOUNT_PREFIX.length))
    .filter(({ length }) => length === ADDRESS_BYTES)
    .flatMap((address) => {
      const account = state.account(address);
      return account === undefined ? [] : [{ address, ...account }];
    });
  const last = read.length < rows ? undefined : read.at(-1);
  return { slots: [], accounts, next: last && { table: 'accounts', start: keyAfter(last.key) } };
}

/** The first `count` rows, of which no more are read. */
export function firstRows<Row>(rows: Iterable<Row>, count: number): readonly Row[] {
  const first: Row[] = [];
  for (const row of rows) {
    first.push(row);
    if (first.length === count) break;
  }
  return first;
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
