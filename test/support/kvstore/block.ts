/**
 * A block of the key-value application (CometBFT v0.38 `abci/example/kvstore/kvstore.go`, FinalizeBlock and Commit).
 * The results of blocks with which the example or its engine stops are chosen here: a transaction that is not valid, or
 * that asks for a change of the validators which an engine refuses, has code 2.
 */
import { create } from '@bufbuild/protobuf';
import type { AbciBlock } from '../../../src/core/abci/abci-application.js';
import { text } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { addressOf } from '../../../src/core/comet/address.js';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { MAX_TOTAL_POWER } from '../../../src/core/comet/validator-set.js';
import type { Crypto } from '../../../src/core/ports/crypto.js';
import type { StoreOperation } from '../../../src/core/ports/key-value-store.js';
import {
  type Event,
  EventSchema,
  type ExecTxResult,
  ExecTxResultSchema,
  type ValidatorUpdate,
  ValidatorUpdateSchema,
} from '../../../src/core/proto/tendermint/abci/types_pb.js';
import {
  appHashOf,
  encodeState,
  encodeValidator,
  keyOf,
  type KvState,
  pairRow,
  STATE_ROW,
  validatorRow,
  withValidator,
} from './state.js';
import { isValidatorTransaction, pairOf, validatorUpdate } from './transaction.js';

/** Result code of a transaction that is not valid. */
export const INVALID_TRANSACTION = 2;

export interface KvBlock {
  readonly results: EncodedResults;
  readonly state: KvState;
  /** The rows that keep the state. */
  readonly rows: readonly StoreOperation[];
}

type KeyHash = Pick<Crypto, 'sha256' | 'ripemd160'>;

/** Changes of a block so far. */
interface Running {
  readonly validators: ReadonlyMap<string, ValidatorUpdate>;
  /** By public key: an engine refuses two updates of one validator. */
  readonly updates: ReadonlyMap<string, ValidatorUpdate>;
}

/** Executes a block over the state before it. */
export function executeKvBlock(crypto: KeyHash, before: KvState, block: AbciBlock): KvBlock {
  let running: Running = { validators: before.validators, updates: new Map() };
  for (const update of penalties(crypto, before, block)) running = changed(before, running, update) ?? running;
  const txResults: ExecTxResult[] = [];
  const rows: StoreOperation[] = [];
  let { size } = before;
  for (const tx of block.txs) {
    if (isValidatorTransaction(tx)) {
      const update = validatorUpdate(tx);
      const after = update && changed(before, running, update);
      if (after === undefined) {
        txResults.push(create(ExecTxResultSchema, { code: INVALID_TRANSACTION }));
        continue;
      }
      running = after;
    } else {
      const { key, value } = pairOf(tx);
      rows.push({ type: 'put', key: pairRow(key), value });
    }
    txResults.push(create(ExecTxResultSchema, { events: eventsOf(tx) }));
    size += 1n;
  }
  const state = { size, height: block.height, validators: running.validators };
  const validatorUpdates = [...running.updates.values()];
  return {
    results: EncodedResults.of({ events: [], txResults, validatorUpdates }).withAppHash(appHashOf(state)),
    state,
    rows: [...validatorUpdates.map(validatorOperation), ...rows, stateOperation(state)],
  };
}

/** The state before the first block, with the validators of the genesis document. */
export function genesisKvState(before: KvState, validators: readonly ValidatorUpdate[]): Omit<KvBlock, 'results'> {
  const state = { ...before, validators: validators.reduce(withValidator, before.validators) };
  return { state, rows: validators.map(validatorOperation) };
}

export function stateOperation(state: KvState): StoreOperation {
  return { type: 'put', key: STATE_ROW, value: encodeState(state) };
}

function validatorOperation(update: ValidatorUpdate): StoreOperation {
  const key = validatorRow(keyOf(update));
  return update.power === 0n ? { type: 'delete', key } : { type: 'put', key, value: encodeValidator(update) };
}

/** A validator that voted twice loses one of its power at the offence. */
function penalties(crypto: KeyHash, { validators }: KvState, { misbehavior }: AbciBlock): readonly ValidatorUpdate[] {
  const offences = misbehavior.filter(({ kind }) => kind === 'duplicate vote');
  if (offences.length === 0) return [];
  const known = new Map(
    [...validators.values()].flatMap(({ pubKey }) => (pubKey ? [[hex(addressOf(crypto, pubKey)), pubKey]] : [])),
  );
  return offences.flatMap(({ address, power }) => {
    const pubKey = known.get(hex(address));
    return pubKey === undefined ? [] : [create(ValidatorUpdateSchema, { pubKey, power: power - 1n })];
  });
}

/**
 * With an update; undefined when an engine would refuse it: without a validator to remove, without validators
 * afterwards, or above the largest power of a set.
 */
function changed(before: KvState, { validators, updates }: Running, update: ValidatorUpdate): Running | undefined {
  const key = hex(keyOf(update));
  const after = withValidator(validators, update);
  if (update.power === 0n && !validators.has(key)) return undefined;
  if (after.size === 0 || totalOf(after) > MAX_TOTAL_POWER) return undefined;
  const rest = new Map(updates);
  // A validator that joins and leaves in one block was never there for the engine.
  if (update.power === 0n && !before.validators.has(key)) rest.delete(key);
  else rest.set(key, update);
  return { validators: after, updates: rest };
}

function totalOf(validators: ReadonlyMap<string, ValidatorUpdate>): bigint {
  let total = 0n;
  for (const { power } of validators.values()) total += power;
  return total;
}

function eventsOf(tx: Uint8Array): Event[] {
  const { key, value } = pairOf(tx);
  return [eventOf('Cosmoshi Netowoko', text(key)), eventOf('Cosmoshi', text(value))];
}

function eventOf(creator: string, key: string): Event {
  return create(EventSchema, {
    type: 'app',
    attributes: [
      { key: 'creator', value: creator, index: true },
      { key: 'key', value: key, index: true },
      { key: 'index_key', value: 'index is working', index: true },
      { key: 'noindex_key', value: 'index is working', index: false },
    ],
  });
}
