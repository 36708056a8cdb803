import { invariant } from '../errors.js';
import type { EvmAccountChange, EvmLog, EvmOutcome, EvmRefusal, EvmRefused, EvmResult } from './outcome.js';
import { FlatReader } from './flat-bytes.js';

/** Refusal reasons in the order of their codes (`engine/src/exports/refusal.rs`). */
const REFUSALS: readonly EvmRefusal[] = [
  'intrinsic-gas',
  'floor-gas',
  'initcode-size',
  'nonce-too-low',
  'nonce-too-high',
  'nonce-overflow',
  'insufficient-funds',
  'fee-below-base-fee',
  'tip-above-fee',
  'gas-above-block',
  'gas-above-cap',
  'sender-has-code',
  'wrong-chain-id',
  'unsupported-type',
  'empty-authorizations',
  'overflow',
  'other',
];
const STATUSES: readonly EvmResult['status'][] = ['revert', 'success', 'halt'];

/** Execution result, and the valid length of the host's undo log (`engine/src/exports/outcome.rs`). */
export interface DecodedExecution {
  readonly undoMark: number;
  readonly outcome: EvmOutcome;
}

/** Decodes the result and skips the changes. */
export function decodeResult(bytes: Uint8Array): EvmResult {
  const reader = new FlatReader(bytes);
  // Skips the length of the undo log.
  reader.u32();
  return readResult(reader);
}

/** Decodes the outcome of a transaction: undo mark, result, changed accounts, touched addresses. */
export function decodeExecution(bytes: Uint8Array): DecodedExecution {
  const reader = new FlatReader(bytes);
  const undoMark = reader.u32();
  const result = readResult(reader);
  return {
    undoMark,
    outcome: { kind: 'executed', result, changes: readChanges(reader), touched: readTouched(reader) },
  };
}

/** Decodes the changes of the live journal. */
export function decodeChanges(bytes: Uint8Array): readonly EvmAccountChange[] {
  return readChanges(new FlatReader(bytes));
}

function readChanges(reader: FlatReader): readonly EvmAccountChange[] {
  return readList(reader, reader.u32(), readChange);
}

/** A loop is several times faster than `Array.from`. */
function readList<Item>(reader: FlatReader, count: number, read: (reader: FlatReader) => Item): readonly Item[] {
  const items: Item[] = [];
  for (let index = 0; index < count; index += 1) items.push(read(reader));
  return items;
}

/** Decodes a refusal: a reason byte, then details in UTF-8; an unknown code becomes `other`. */
export function decodeRefusal(bytes: Uint8Array): EvmRefused {
  const reader = new FlatReader(bytes);
  return { kind: 'refused', reason: REFUSALS[reader.u8()] ?? 'other', detail: new TextDecoder().decode(reader.rest()) };
}

function readResult(reader: FlatReader): EvmResult {
  const status = STATUSES[reader.u8()];
  invariant(status !== undefined, 'the engine answers a status that the port knows');
  const gasUsed = reader.u64();
  const gasRefunded = reader.u64();
  const hasCreated = reader.u8() === 1;
  const created = reader.fixed(20);
  const reason = reader.bytes();
  const output = reader.bytes();
  const logs = readList(reader, reader.u32(), readLog);
  return {
    status,
    reason: status === 'halt' ? new TextDecoder().decode(reason) : undefined,
    gasUsed,
    gasRefunded,
    output,
    created: hasCreated ? created : undefined,
    logs,
  };
}

function readLog(reader: FlatReader): EvmLog {
  const address = reader.fixed(20);
  const topics = readList(reader, reader.u8(), readWord);
  return { address, topics, data: reader.bytes() };
}

const readTouched = (reader: FlatReader): readonly Uint8Array[] => readList(reader, reader.u32(), readAddress);
const readAddress = (reader: FlatReader): Uint8Array => reader.fixed(20);
const readWord = (reader: FlatReader): Uint8Array => reader.fixed(32);

const readSlot = (reader: FlatReader): { readonly slot: Uint8Array; readonly value: Uint8Array } => ({
  slot: reader.fixed(32),
  value: reader.fixed(32),
});

/** Reads a change. Account flags: 1 deleted, 2 created, 4 code follows, 8 touched (`engine/src/exports/diff.rs`). */
function readChange(reader: FlatReader): EvmAccountChange {
  const address = reader.fixed(20);
  const flags = reader.u8();
  if ((flags & 1) !== 0) return { kind: 'deleted', address };
  const nonce = reader.u64();
  const balance = reader.u256();
  const codeHash = reader.fixed(32);
  const code = (flags & 4) === 0 ? undefined : reader.bytes();
  const slots = readList(reader, reader.u32(), readSlot);
  const change = {
    kind: 'changed',
    address,
    created: (flags & 2) !== 0,
    balance,
    nonce,
    codeHash,
    code,
    slots,
  } as const;
  return (flags & 8) === 0 ? change : { ...change, isTouch: true };
}
