/**
 * Reads a recorded chain from a folder: `genesis.json`, and `blocks.jsonl` with one line per height that has the
 * results of CometBFT's routes /block and optionally /block_results. Optional files: `store-hashes.jsonl` (store
 * roots) and `writes.jsonl` (every leaf that a height wrote). Files may be gzipped (`.gz`).
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip, gunzipSync } from 'node:zlib';
import { bytesOfDigits } from '../../core/bytes/hex.js';
import { type BlockIdJson, blockIdFromJson } from '../../core/comet/json/block-id-json.js';
import { blockFromJson, type BlockJson } from '../../core/comet/json/block-json.js';
import { type BlockResultsJson, resultsFromJson } from '../../core/comet/json/results-json.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ResponseFinalizeBlock } from '../../core/proto/tendermint/abci/types_pb.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { BlockID } from '../../core/proto/tendermint/types/types_pb.js';
import type { StateWrite } from '../../core/state/state.js';

/** A recording that cannot be read; the message names file, line and reason. */
export class RecordingRefused extends Error {
  override readonly name = 'RecordingRefused';
}

export interface RecordedBlock {
  readonly block: Block;
  readonly blockId: BlockID;
  /** Undefined if the recording has no results. */
  readonly results: ResponseFinalizeBlock | undefined;
}

/** The store roots that changed at a height, and its app hash; upper-case hex. */
export interface RecordedRoots {
  readonly height: number;
  readonly appHash: string;
  readonly stores: ReadonlyMap<string, string>;
}

export interface RecordedWrites {
  readonly height: number;
  readonly writes: readonly StateWrite[];
}

/** Reads entries in height order, in step with the blocks. */
class ByHeight<Entry extends { readonly height: number }> {
  readonly #entries: AsyncIterator<Entry>;
  #next: Entry | undefined;

  constructor(entries: AsyncIterable<Entry>) {
    this.#entries = entries[Symbol.asyncIterator]();
  }

  /** The entry of a height, which must not be below the last requested one; undefined if there is none. */
  async at(height: bigint): Promise<Entry | undefined> {
    for (;;) {
      if (this.#next === undefined) {
        const { done, value } = await this.#entries.next();
        if (done === true) return undefined;
        this.#next = value;
      }
      if (this.#next.height >= Number(height)) return this.#next.height === Number(height) ? this.#next : undefined;
      this.#next = undefined;
    }
  }
}

export interface RecordedChain {
  readonly genesis: Uint8Array;
  blocks(): AsyncGenerator<RecordedBlock>;
  /** Undefined if the file is missing. */
  readonly roots: ByHeight<RecordedRoots> | undefined;
  readonly writes: ByHeight<RecordedWrites> | undefined;
}

/** Opens the files of a folder. Throws RecordingRefused if genesis or blocks are missing. */
export function openRecordedChain(folder: string): RecordedChain {
  const genesis = fileOf(folder, 'genesis.json');
  const blocks = fileOf(folder, 'blocks.jsonl');
  if (genesis === undefined) throw new RecordingRefused(`${folder} has no genesis.json`);
  if (blocks === undefined) throw new RecordingRefused(`${folder} has no blocks.jsonl`);
  const roots = fileOf(folder, 'store-hashes.jsonl');
  const writes = fileOf(folder, 'writes.jsonl');
  const bytes = readFileSync(genesis);
  return {
    genesis: genesis.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: FIXED_LIMITS.recordingLineBytes }) : bytes,
    blocks: () => parsed(blocks, blockOf),
    roots: roots === undefined ? undefined : new ByHeight(parsed(roots, rootsOf)),
    writes: writes === undefined ? undefined : new ByHeight(parsed(writes, writesOf)),
  };
}

function fileOf(folder: string, name: string): string | undefined {
  return [join(folder, name), join(folder, `${name}.gz`)].find((path) => existsSync(path));
}

/** Yields the parsed lines of a file. Any error of `read` becomes RecordingRefused with the line number. */
async function* parsed<Line, Result>(path: string, read: (line: Line) => Result): AsyncGenerator<Result> {
  const file = createReadStream(path);
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1;
    if (line === '') continue;
    yield readLine(path, number, line, read);
  }
}

function readLine<Line, Result>(path: string, number: number, text: string, read: (line: Line) => Result): Result {
  if (text.length > FIXED_LIMITS.recordingLineBytes)
    throw new RecordingRefused(
      `${path}, line ${number}: longer than ${FIXED_LIMITS.recordingLineBytes} characters (limit recordingLineBytes)`,
    );
  try {
    return read(JSON.parse(text));
  } catch (error) {
    throw new RecordingRefused(`${path}, line ${number}: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

interface BlockLine {
  readonly block: { readonly block_id: BlockIdJson; readonly block: BlockJson };
  readonly block_results?: BlockResultsJson;
}

function blockOf({ block, block_results: results }: BlockLine): RecordedBlock {
  return {
    block: blockFromJson(block.block),
    blockId: blockIdFromJson(block.block_id),
    results: results && resultsFromJson(results),
  };
}

interface RootsLine {
  readonly height: number;
  readonly app_hash: string;
  readonly stores?: Readonly<Record<string, string>>;
  readonly changed?: Readonly<Record<string, string>>;
}

function rootsOf({ height, app_hash: appHash, stores, changed }: RootsLine): RecordedRoots {
  return { height, appHash, stores: new Map(Object.entries(stores ?? changed ?? {})) };
}

interface WritesLine {
  readonly height: number;
  readonly writes: Readonly<Record<string, readonly (readonly [string, string | null])[]>>;
}

function writesOf({ height, writes }: WritesLine): RecordedWrites {
  const all = Object.entries(writes).flatMap(([store, changes]) =>
    changes.map(([key, value]) => ({ store, key: digits(key), value: value === null ? undefined : digits(value) })),
  );
  return { height, writes: all };
}

function digits(text: string): Uint8Array {
  const bytes = bytesOfDigits(text);
  if (bytes === undefined) throw new RecordingRefused(`not hexadecimal: ${text}`);
  return bytes;
}
