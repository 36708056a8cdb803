/**
 * `tendermint.abci.ResponseFinalizeBlock` as bytes and back. Every block makes one message with some fifty texts for each
 * transaction: written out here, it takes a fraction of what a codec by descriptors takes.
 */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type Event, type EventAttribute, type ExecTxResult, type ResponseFinalizeBlock, ResponseFinalizeBlockSchema, type ValidatorUpdate, ValidatorUpdateSchema,
} from '../proto/tendermint/abci/types_pb.js';
import { type ConsensusParams, ConsensusParamsSchema } from '../proto/tendermint/types/params_pb.js';
import { BackwardWriter } from './backward-writer.js';
import { UnusualBytes, WireReader } from './wire-reader.js';

/** What a block's execution answers, without the app hash, which stands in the next header. */
export interface BlockResults {
  readonly events: readonly Event[];
  readonly txResults: readonly ExecTxResult[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly consensusParamUpdates?: ConsensusParams | undefined;
}

const writer = new BackwardWriter();

/** The bytes that `toBinary` makes. */
export function encodeResults({ events, txResults, validatorUpdates, consensusParamUpdates }: BlockResults): Uint8Array<ArrayBuffer> {
  writer.reset();
  if (consensusParamUpdates !== undefined) putBytes(0x22, paramsBytes(consensusParamUpdates));
  for (const update of validatorUpdates.toReversed()) putBytes(0x1a, toBinary(ValidatorUpdateSchema, update));
  for (let index = txResults.length - 1; index >= 0; index -= 1) putTxResult(txResults[index]);
  putEvents(0x0a, events);
  return writer.finish();
}

/** One result with what all nodes agree on and nothing else: a leaf of `last_results_hash`. */
export function encodeAgreed({ code, data, gasWanted, gasUsed }: Pick<ExecTxResult, 'code' | 'data' | 'gasWanted' | 'gasUsed'>): Uint8Array<ArrayBuffer> {
  writer.reset();
  putGas(gasWanted, gasUsed);
  putOutcome(code, data);
  return writer.finish();
}

function putTxResult(result: ExecTxResult | undefined): void {
  if (result === undefined) return;
  const before = writer.length;
  putText(0x42, result.codespace);
  putEvents(0x3a, result.events);
  putGas(result.gasWanted, result.gasUsed);
  putText(0x22, result.info);
  putText(0x1a, result.log);
  putOutcome(result.code, result.data);
  putHead(0x12, before);
}

function putGas(wanted: bigint, used: bigint): void {
  putNumber(0x30, used);
  putNumber(0x28, wanted);
}

function putOutcome(code: number, data: Uint8Array): void {
  if (data.length > 0) putBytes(0x12, data);
  putNumber(0x08, code);
}

function putEvents(tag: number, events: readonly Event[]): void {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event === undefined) continue;
    const before = writer.length;
    for (let place = event.attributes.length - 1; place >= 0; place -= 1) putAttribute(event.attributes[place]);
    putText(0x0a, event.type);
    putHead(tag, before);
  }
}

function putAttribute(attribute: EventAttribute | undefined): void {
  if (attribute === undefined) return;
  const before = writer.length;
  if (attribute.index) putNumber(0x18, 1);
  putText(0x12, attribute.value);
  putText(0x0a, attribute.key);
  putHead(0x12, before);
}

function putText(tag: number, value: string): void {
  if (value === '') return;
  const before = writer.length;
  writer.text(value);
  putHead(tag, before);
}

function putNumber(tag: number, value: number | bigint): void {
  if (value === 0 || value === 0n) return;
  writer.varint(value);
  writer.byte(tag);
}

function putBytes(tag: number, bytes: Uint8Array): void {
  const before = writer.length;
  writer.raw(bytes);
  putHead(tag, before);
}

/** Length and tag before what was written since `before`. */
function putHead(tag: number, before: number): void {
  writer.varint(writer.length - before);
  writer.byte(tag);
}

/** Parameters stand in every answer and change hardly ever: the same object is encoded once, the same bytes decoded once. */
const encodedParams = new WeakMap<ConsensusParams, Uint8Array>();
let lastParams: { readonly bytes: Uint8Array; readonly params: ConsensusParams } | undefined;

function paramsBytes(params: ConsensusParams): Uint8Array {
  const known = encodedParams.get(params);
  if (known !== undefined) return known;
  const bytes = toBinary(ConsensusParamsSchema, params);
  encodedParams.set(params, bytes);
  return bytes;
}

function readParams(bytes: Uint8Array): ConsensusParams {
  if (lastParams?.bytes.length === bytes.length && lastParams.bytes.every((byte, index) => byte === bytes[index])) return lastParams.params;
  const params = fromBinary(ConsensusParamsSchema, bytes);
  lastParams = { bytes: bytes.slice(), params };
  return params;
}

/** What `fromBinary` makes, by which everything unusual is read: unknown or repeated fields, malformed bytes. Byte fields are views. */
export function decodeResults(bytes: Uint8Array): ResponseFinalizeBlock {
  try {
    return readResults(new WireReader(bytes));
  } catch (error) {
    if (error instanceof UnusualBytes) return fromBinary(ResponseFinalizeBlockSchema, bytes);
    throw error;
  }
}

function readResults(from: WireReader): ResponseFinalizeBlock {
  const results: ResponseFinalizeBlock = {
    $typeName: 'tendermint.abci.ResponseFinalizeBlock', events: [], txResults: [], validatorUpdates: [], appHash: new Uint8Array(0),
  };
  while (from.at < from.end) {
    const tag = from.byte();
    if (tag === 0x0a) results.events.push(readEvent(from));
    else if (tag === 0x12) results.txResults.push(readTxResult(from));
    else if (tag === 0x1a) results.validatorUpdates.push(fromBinary(ValidatorUpdateSchema, from.bytes()));
    else if (tag === 0x22 && results.consensusParamUpdates === undefined) results.consensusParamUpdates = readParams(from.bytes());
    else if (tag === 0x2a) results.appHash = from.bytes();
    else throw new UnusualBytes();
  }
  return results;
}

function readTxResult(from: WireReader): ExecTxResult {
  const result: ExecTxResult = {
    $typeName: 'tendermint.abci.ExecTxResult',
    code: 0, data: new Uint8Array(0), log: '', info: '', gasWanted: 0n, gasUsed: 0n, events: [], codespace: '',
  };
  const outer = from.enter();
  while (from.at < from.end) {
    switch (from.byte()) {
      case 0x08: result.code = from.number() >>> 0; break;
      case 0x12: result.data = from.bytes(); break;
      case 0x1a: result.log = from.text(); break;
      case 0x22: result.info = from.text(); break;
      case 0x28: result.gasWanted = BigInt(from.number()); break;
      case 0x30: result.gasUsed = BigInt(from.number()); break;
      case 0x3a: result.events.push(readEvent(from)); break;
      case 0x42: result.codespace = from.text(); break;
      default: throw new UnusualBytes();
    }
  }
  from.leave(outer);
  return result;
}

function readEvent(from: WireReader): Event {
  const event: Event = { $typeName: 'tendermint.abci.Event', type: '', attributes: [] };
  const outer = from.enter();
  while (from.at < from.end) {
    const tag = from.byte();
    if (tag === 0x0a) event.type = from.text();
    else if (tag === 0x12) event.attributes.push(readAttribute(from));
    else throw new UnusualBytes();
  }
  from.leave(outer);
  return event;
}

function readAttribute(from: WireReader): EventAttribute {
  const attribute: EventAttribute = { $typeName: 'tendermint.abci.EventAttribute', key: '', value: '', index: false };
  const outer = from.enter();
  while (from.at < from.end) {
    const tag = from.byte();
    if (tag === 0x0a) attribute.key = from.text();
    else if (tag === 0x12) attribute.value = from.text();
    else if (tag === 0x18) attribute.index = from.number() !== 0;
    else throw new UnusualBytes();
  }
  from.leave(outer);
  return attribute;
}
