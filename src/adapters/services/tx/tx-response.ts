/** A stored transaction as the SDK's TxResponse (cosmos-sdk v0.53 `types/result.go`). */
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { decodeTx } from '../../../core/sdk/codec/decode-tx.js';
import { SdkError } from '../../../core/sdk/module/sdk-error.js';
import { fromTimestamp, formatTime } from '../../../core/comet/time.js';
import { upperHex } from '../../../core/bytes/hex.js';
import type { ChainQueries, StoredTx } from '../../../core/node-api.js';
import { NS_PER_SECOND, toTimeNs, type Height } from '../../../core/primitives.js';
import type { TxResponseSchema } from '../../../core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import type { EncodedResults } from '../../../core/comet/encoded-results.js';
import { type Tx, TxSchema } from '../../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { registeredError, type Refusal } from '../status.js';

/** Decodes a transaction; errors are those of the SDK's decoder. */
export function readTx(bytes: Uint8Array): { readonly ok: true; readonly tx: Tx } | Refusal {
  try {
    const { body, authInfo, signatures } = decodeTx(bytes);
    return { ok: true, tx: create(TxSchema, { body, authInfo, signatures: [...signatures] }) };
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    const { text } = error.registered;
    // The decoder wraps the error twice; use only the outer error.
    const detail = error.message.replaceAll(`: ${text}`, '');
    return registeredError(error.registered, detail);
  }
}

/** A mined transaction with its `tx_response`. */
export interface MinedTx {
  readonly ok: true;
  readonly tx: Tx;
  /** The encoded transaction. */
  readonly encoded: Uint8Array;
  readonly response: MessageInitShape<typeof TxResponseSchema>;
}

/** Builds the `tx_response` of a mined transaction, with the transaction. */
export function txResponse(chain: ChainQueries, stored: StoredTx): MinedTx | Refusal {
  const read = readTx(stored.tx);
  if (!read.ok) return read;
  const { result } = stored;
  const encoded = toBinary(TxSchema, read.tx);
  return {
    ok: true,
    tx: read.tx,
    encoded,
    response: {
      height: stored.height,
      txhash: upperHex(stored.hash),
      codespace: result.codespace,
      code: result.code,
      data: upperHex(result.data),
      rawLog: result.log,
      info: result.info,
      gasWanted: result.gasWanted,
      gasUsed: result.gasUsed,
      tx: { typeUrl: `/${TxSchema.typeName}`, value: encoded },
      timestamp: blockTime(chain, stored.height),
      events: result.events,
    },
  };
}

/** Creates a reader of transactions that decodes the results of a block once for consecutive reads. */
export function txReader(chain: ChainQueries): (height: Height, index: number) => StoredTx | undefined {
  let last: { readonly height: Height; readonly results: EncodedResults | undefined } | undefined;
  return (height, index) => {
    if (last?.height !== height) last = { height, results: chain.results(height) };
    const tx = chain.block(height)?.block.data?.txs[index];
    const result = last.results?.txResult(index);
    return tx === undefined || result === undefined ? undefined : { hash: sha256(tx), height, index, tx, result };
  };
}

/** Block time in RFC 3339 with whole seconds. */
function blockTime(chain: ChainQueries, height: Height): string {
  const time = fromTimestamp(chain.block(height)?.block.header?.time);
  return formatTime(toTimeNs(time - (time % NS_PER_SECOND)));
}
