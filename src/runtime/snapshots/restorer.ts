import { fromBinary } from '@bufbuild/protobuf';
import type { AbciChunk, AbciChunkAnswer, AbciSnapshot, SnapshotVerdict } from '../../core/abci/abci-application.js';
import { equal } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import type { SnapshotContent } from '../../core/multistore/snapshot-trees.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';
import { MetadataSchema } from '../../core/proto/cosmos/store/snapshots/v1/snapshot_pb.js';
import type { Logger } from '../../core/ports/logger.js';
import { readChunks, SNAPSHOT_FORMAT, type SnapshotChunks } from './chunks.js';

/** A snapshot whose content matches its app hash. */
export type ProvenSnapshot = SnapshotChunks & { readonly format: number };

export interface SnapshotRestorerOptions {
  readonly crypto: Crypto;
  readonly log: Logger;
  /** True when the log has blocks; its state is then never replaced. */
  readonly hasBlocks: () => boolean;
  readonly initialHeight: Height;
  /** Replaces the node's state by the snapshot, in one batch. */
  readonly restore: (snapshot: ProvenSnapshot, content: SnapshotContent) => Promise<void>;
}

/** The accepted snapshot, with the chunks received so far. */
interface Accepted {
  readonly height: Height;
  readonly appHash: Uint8Array;
  readonly hashes: readonly Uint8Array[];
  readonly chunks: Uint8Array[];
  bytes: number;
}

const HASH_BYTES = 32;

/**
 * State sync from another node's snapshot (CometBFT v0.38 spec/abci/abci++_methods.md, OfferSnapshot and
 * ApplySnapshotChunk). The home changes only after all chunks have arrived and match the app hash that the light client
 * verified; a node that ends earlier starts over.
 */
export class SnapshotRestorer {
  readonly #options: SnapshotRestorerOptions;
  #accepted: Accepted | undefined;

  constructor(options: SnapshotRestorerOptions) {
    this.#options = options;
  }

  offer({ height, format, chunks, metadata }: AbciSnapshot, appHash: Uint8Array): SnapshotVerdict {
    const { log, hasBlocks, initialHeight } = this.#options;
    this.#accepted = undefined;
    if (hasBlocks()) {
      log.error('a snapshot is refused: the log of this home has blocks; state sync begins with an empty home', {
        advice: 'chronicled reset',
      });
      return 'abort';
    }
    if (format !== SNAPSHOT_FORMAT) return 'reject format';
    const hashes = chunkHashesOf(metadata);
    const isWhole =
      hashes !== undefined &&
      chunks > 0 &&
      chunks === hashes.length &&
      chunks <= FIXED_LIMITS.snapshotChunks &&
      hashes.every(({ length }) => length === HASH_BYTES);
    if (!isWhole || height < initialHeight || appHash.length !== HASH_BYTES) {
      log.error('a snapshot is refused: what is told of it does not fit together', { height: height.toString() });
      return 'reject';
    }
    this.#accepted = { height, appHash, hashes, chunks: [], bytes: 0 };
    log.info('restoring a snapshot', { height: height.toString(), chunks });
    return 'accept';
  }

  async apply({ index, chunk, sender }: AbciChunk): Promise<AbciChunkAnswer> {
    const accepted = this.#accepted;
    const expected = accepted?.hashes[index];
    if (accepted === undefined || expected === undefined || index !== accepted.chunks.length) return answer('abort');
    const { crypto, log } = this.#options;
    if (!equal(crypto.sha256(chunk), expected)) {
      log.error('a chunk of the snapshot has another hash: it is fetched again', { chunk: index, sender });
      return { result: 'retry', refetchChunks: [index], rejectSenders: sender === '' ? [] : [sender] };
    }
    accepted.bytes += chunk.length;
    if (accepted.bytes > FIXED_LIMITS.snapshotBytes)
      return this.#reject(`more than ${FIXED_LIMITS.snapshotBytes} bytes`);
    accepted.chunks.push(Uint8Array.from(chunk));
    return accepted.chunks.length < accepted.hashes.length ? answer('accept') : this.#restore(accepted);
  }

  async #restore({ height, appHash, chunks }: Accepted): Promise<AbciChunkAnswer> {
    const { crypto, log, restore, hasBlocks } = this.#options;
    const snapshot = { height, appHash, chunks, format: SNAPSHOT_FORMAT };
    let content: SnapshotContent;
    try {
      content = readChunks(crypto, snapshot);
    } catch (error) {
      if (error instanceof SnapshotRefused) return this.#reject(error.message);
      throw error;
    }
    this.#accepted = undefined;
    if (hasBlocks()) return answer('abort');
    await restore(snapshot, content);
    log.info('snapshot restored', { height: height.toString() });
    return answer('accept');
  }

  #reject(reason: string): AbciChunkAnswer {
    this.#options.log.error('the snapshot is refused', { error: reason });
    this.#accepted = undefined;
    return answer('reject snapshot');
  }
}

function answer(result: AbciChunkAnswer['result']): AbciChunkAnswer {
  return { result, refetchChunks: [], rejectSenders: [] };
}

function chunkHashesOf(metadata: Uint8Array): readonly Uint8Array[] | undefined {
  try {
    return fromBinary(MetadataSchema, metadata).chunkHashes;
  } catch {
    return undefined;
  }
}
