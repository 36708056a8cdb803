import { fromBinary } from '@bufbuild/protobuf';
import { protoJson } from '../../adapters/rest/json/proto-json.js';
import type { Names } from '../../core/activity/names.js';
import { hex, upperHex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { blockIdOfDecision, traceOf } from '../../core/chain/decision.js';
import { blockToJson } from '../../core/comet/json/block-json.js';
import { commitToJson } from '../../core/comet/json/commit-json.js';
import { finalizeBlockToJson } from '../../core/comet/json/results-json.js';
import { contentOf } from '../../core/ethereum/content.js';
import { pendingTransactionJson } from '../../core/ethereum/json/transaction-json.js';
import { asObject } from '../../core/text/json-object.js';
import { heldChunks, type BlockDecided, type LogEvent, type LoggedChunks } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import { CommitSchema } from '../../core/proto/tendermint/types/types_pb.js';
import { callText, executionTexts } from './decoded-calls.js';

/**
 * Readable forms of the members of an event's data that are bytes, with names for contract calls and logs. Other
 * members need no decoding and are not in the result. Pruned results and traces, which are empty, become null.
 */
export function decodedMembers(event: LogEvent, crypto: Crypto, names: Names): { readonly [name: string]: unknown } {
  switch (event.type) {
    case 'ChainStarted':
      return { genesis: parsed(new TextDecoder().decode(event.data.genesis)) };
    case 'BlockDecided': {
      const block = fromBinary(BlockSchema, event.data.block);
      const json = blockToJson(block);
      const txs = (block.data?.txs ?? []).map((tx) => decodedTransaction(tx, crypto, names));
      return {
        hash: upperHex(blockIdOfDecision(crypto, event, block).hash),
        block: { ...json, data: { txs } },
        ...(event.v !== 2 && {
          commit: commitToJson(fromBinary(CommitSchema, event.data.commit)),
          trace: traceTexts(event),
        }),
      };
    }
    case 'BlockExecuted':
      if (event.data.results.length === 0) return { results: null };
      return {
        results: finalizeBlockToJson(new EncodedResults(event.data.results)),
        evm: executionTexts(event.data.results, names),
      };
    case 'TxAdmitted':
      return { tx: decodedTransaction(event.data.tx, crypto, names) };
    case 'SnapshotRestored':
      return { chunks: chunkTexts(event.data.chunks) };
    case 'TxDropped':
    case 'UpgradeHalted':
    case 'NodeStarted':
    case 'FilterCreated':
    case 'FilterRemoved':
    case 'TimeShifted':
    case 'SnapshotTaken':
    case 'Reverted':
      return {};
  }
}

/** Notices of the consensus step; each decided block has some. */
function traceTexts(event: BlockDecided): readonly object[] | null {
  const trace = traceOf(event);
  return trace.length === 0 ? null : trace.map(({ type, value }) => ({ type, value: parsed(value) }));
}

/**
 * A text for each chunk of a snapshot; undefined for an anchor, whose chunks are not read here. A snapshot has at
 * least one.
 */
function chunkTexts(chunks: LoggedChunks): readonly string[] | undefined {
  const held = heldChunks(chunks) ?? [];
  return held.length === 0 ? undefined : held.map(({ length }) => `${length} bytes`);
}

/**
 * Decodes a transaction: an Ethereum one in the JSON form of a pending transaction, a Cosmos one in the SDK's JSON
 * form, else the bytes in hex.
 */
function decodedTransaction(tx: Uint8Array, crypto: Crypto, names: Names): { readonly [name: string]: unknown } {
  const hash = upperHex(txHash(crypto, tx));
  const content = contentOf(crypto, tx);
  if (content !== undefined) {
    const call = callText(content.transaction, names);
    return { hash, ...(call !== undefined && { call }), ethereum: parsed(pendingTransactionJson(content)) };
  }
  try {
    const json = protoJson(TxSchema, fromBinary(TxSchema, tx));
    return { hash, cosmos: { '@type': '/cosmos.tx.v1beta1.Tx', ...asObject(json) } };
  } catch {
    return { hash, bytes: hex(tx) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
