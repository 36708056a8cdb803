/**
 * JSON of execution results: the full form, the sparse form of Tx events, and /block_results (CometBFT v0.38
 * `rpc/core/types/responses.go`).
 */
import { create } from '@bufbuild/protobuf';
import * as pb from '../../proto/tendermint/abci/types_pb.js';
import type { StoredResults } from '../results-codec.js';
import { fromBase64, toBase64, toBase64OrNull } from '../../bytes/base64.js';
import { consensusParamsFromJson, consensusParamUpdatesToJson } from './params-json.js';
import { validatorUpdateFromJson, validatorUpdateToJson } from './validator-json.js';

export interface EventAttributeJson {
  readonly key: string;
  readonly value: string;
  readonly index: boolean;
}

export interface EventJson {
  readonly type: string;
  readonly attributes?: readonly EventAttributeJson[];
}

/** JSON of a result without zero fields; used only in the Tx event. */
export type SparseTxResultJson = Partial<ExecTxResultJson>;

/** Writes an event of a full result; `attributes` is present even when empty. */
export function eventToJson(event: pb.Event): EventJson {
  return { type: event.type, attributes: event.attributes.map(attributeToJson) };
}

/** Writes an event of a block or sparse result; empty `attributes` are omitted. */
export function sparseEventToJson(event: pb.Event): EventJson {
  return event.attributes.length === 0 ? { type: event.type } : eventToJson(event);
}

/** JSON of a full result: check_tx, tx, tx_search, broadcast_tx_commit, block_results, NewBlock. */
export type ExecTxResultJson = ReturnType<typeof execTxResultToJson>;

/** Writes all fields; empty data is null, gas is a decimal string. */
export function execTxResultToJson(result: pb.ExecTxResult | pb.ResponseCheckTx) {
  return {
    code: result.code,
    data: toBase64OrNull(result.data),
    log: result.log,
    info: result.info,
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: result.events.map(eventToJson),
    codespace: result.codespace,
  };
}

/** Writes the fields that are not zero (Go's `omitempty`). */
export function sparseTxResultToJson(result: pb.ExecTxResult): SparseTxResultJson {
  return {
    ...(result.code !== 0 && { code: result.code }),
    ...(result.data.length > 0 && { data: toBase64(result.data) }),
    ...(result.log !== '' && { log: result.log }),
    ...(result.info !== '' && { info: result.info }),
    ...(result.gasWanted !== 0n && { gas_wanted: String(result.gasWanted) }),
    ...(result.gasUsed !== 0n && { gas_used: String(result.gasUsed) }),
    ...(result.events.length > 0 && { events: result.events.map(sparseEventToJson) }),
    ...(result.codespace !== '' && { codespace: result.codespace }),
  };
}

/** Writes the value of a Tx event; index 0 is omitted. */
export function txResultToJson(height: bigint, index: number, tx: Uint8Array, result: pb.ExecTxResult) {
  return {
    TxResult: {
      height: String(height),
      ...(index !== 0 && { index }),
      tx: toBase64(tx),
      result: sparseTxResultToJson(result),
    },
  };
}

/** JSON of the /block_results result. The next header contains its `app_hash`. */
export type BlockResultsJson = ReturnType<typeof blockResultsToJson>;

/** Writes the /block_results result; empty lists and absent parameter updates are null. */
export function blockResultsToJson(height: bigint, results: StoredResults) {
  const { txResults, events, validatorUpdates, consensusParamUpdates, appHash } = results;
  return {
    height: String(height),
    txs_results: nullIfEmpty(txResults.map(execTxResultToJson)),
    finalize_block_events: nullIfEmpty(events.map(sparseEventToJson)),
    validator_updates: nullIfEmpty(validatorUpdates.map(validatorUpdateToJson)),
    consensus_param_updates:
      consensusParamUpdates === undefined ? null : consensusParamUpdatesToJson(consensusParamUpdates),
    app_hash: toBase64(appHash),
  };
}

/** Writes `result_finalize_block` of the NewBlock event, with sparse events. */
export function finalizeBlockToJson(results: StoredResults) {
  const { txResults, events, validatorUpdates, consensusParamUpdates, appHash } = results;
  return {
    ...(events.length > 0 && { events: events.map(sparseEventToJson) }),
    ...(txResults.length > 0 && { tx_results: txResults.map(execTxResultToJson) }),
    validator_updates: validatorUpdates.map(validatorUpdateToJson),
    ...(consensusParamUpdates && { consensus_param_updates: consensusParamUpdatesToJson(consensusParamUpdates) }),
    ...(appHash.length > 0 && { app_hash: toBase64(appHash) }),
  };
}

/** Reads recorded or trusted /block_results JSON; throws on malformed input. */
export function resultsFromJson(json: BlockResultsJson): pb.ResponseFinalizeBlock {
  return create(pb.ResponseFinalizeBlockSchema, {
    events: (json.finalize_block_events ?? []).map(eventFromJson),
    txResults: (json.txs_results ?? []).map(execTxResultFromJson),
    validatorUpdates: (json.validator_updates ?? []).map(validatorUpdateFromJson),
    ...(json.consensus_param_updates && {
      consensusParamUpdates: consensusParamsFromJson(json.consensus_param_updates),
    }),
    appHash: fromBase64(json.app_hash),
  });
}

/** Reads the full or the sparse form. */
export function execTxResultFromJson(json: SparseTxResultJson): pb.ExecTxResult {
  return create(pb.ExecTxResultSchema, {
    code: json.code ?? 0,
    data: fromBase64(json.data),
    log: json.log ?? '',
    info: json.info ?? '',
    gasWanted: BigInt(json.gas_wanted ?? '0'),
    gasUsed: BigInt(json.gas_used ?? '0'),
    events: (json.events ?? []).map(eventFromJson),
    codespace: json.codespace ?? '',
  });
}

function eventFromJson(json: EventJson): pb.Event {
  return create(pb.EventSchema, {
    type: json.type,
    attributes: (json.attributes ?? []).map(({ key, value, index }) => ({ key, value, index })),
  });
}

function attributeToJson({ key, value, index }: EventAttributeJson): EventAttributeJson {
  return { key, value, index };
}

function nullIfEmpty<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}
