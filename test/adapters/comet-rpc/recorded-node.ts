/** A `NodeApi` over a recorded chain at the height where its answers were recorded. */
import { create } from '@bufbuild/protobuf';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { blockIdFromJson, type BlockIdJson } from '../../../src/core/comet/json/block-id-json.js';
import { blockFromJson, type BlockJson } from '../../../src/core/comet/json/block-json.js';
import { consensusParamsFromJson, type consensusParamsToJson } from '../../../src/core/comet/json/params-json.js';
import { type BlockResultsJson, resultsFromJson } from '../../../src/core/comet/json/results-json.js';
import { validatorFromJson, type ValidatorJson } from '../../../src/core/comet/json/validator-json.js';
import { fromBase64 } from '../../../src/core/bytes/base64.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { fromTimestamp } from '../../../src/core/comet/time.js';
import { attributesOf } from '../../../src/core/comet/websocket-events.js';
import type { DomainError } from '../../../src/core/errors.js';
import type {
  AbciQuery,
  AbciQueryAnswer,
  ChainQueries,
  CommitEvents,
  NodeApi,
  Outcome,
  StoredTx,
} from '../../../src/core/node-api.js';
import type { StoredBlock } from '../../../src/core/comet/stored-block.js';
import { type Height, toHeight, toPosition } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import type { ResponseCheckTx } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { type ValidatorSet, ValidatorSetSchema } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { matches, parseQuery } from '../../../src/core/query/index.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toBinary } from '@bufbuild/protobuf';
import { goldenLines } from '../../support/golden.js';
import { sliceOfAll } from '../../support/whole-search.js';

interface Line {
  readonly height: number;
  readonly block: { readonly block_id: BlockIdJson; readonly block: BlockJson };
  readonly block_results?: BlockResultsJson;
  readonly validators?: { readonly validators: readonly ValidatorJson[] };
}

export interface Exchange {
  readonly name: string;
  readonly req: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly res: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export interface RecordedNodeOptions {
  /** Golden file of the chain's blocks. */
  readonly blocks: string;
  readonly chainId: string;
  readonly head: bigint;
  /** The application's protocol version. */
  readonly appVersion: bigint;
}

export const HEAD = 400n;
/** Where faces/comet-rpc.jsonl was recorded. */
const CHAIN_A: RecordedNodeOptions = { blocks: 'chain-a/blocks.jsonl', chainId: '9001', head: HEAD, appVersion: 0n };
/** Where most of simple-kv/single-rpc.jsonl was recorded: CometBFT's own key-value application. */
export const SINGLE: RecordedNodeOptions = {
  blocks: 'simple-kv/single-blocks.jsonl',
  chainId: 'simple-kv',
  head: 9n,
  appVersion: 1n,
};

/** Controls of a test: answers of the application and the mempool, and the next inclusion. */
export interface Steering {
  admission: Outcome<ResponseCheckTx>;
  abci: (query: AbciQuery) => AbciQueryAnswer;
  pending: readonly Uint8Array[];
  /** Included in a block as soon as a caller waits for it. */
  included: StoredTx | undefined;
  readonly asked: { broadcast: Uint8Array[]; abci: AbciQuery[] };
  commit(): void;
  readonly listeners: Set<(commit: CommitEvents) => void>;
}

/** Builds the node and its controls from the recorded files. */
export function recordedNode(
  exchanges: readonly Exchange[],
  { blocks: file, chainId, head: HEAD, appVersion }: RecordedNodeOptions = CHAIN_A,
): { readonly api: NodeApi; readonly steering: Steering } {
  const recorded = (path: string): { readonly result: unknown } =>
    JSON.parse(exchanges.find((entry) => entry.req.path === path && entry.res.status === 200)?.res.body ?? '') as {
      result: unknown;
    };
  const lines = goldenLines<Line>(file).filter(({ height }) => BigInt(height) <= HEAD + 1n);
  const blocks = new Map<bigint, StoredBlock>();
  const results = new Map<bigint, EncodedResults>();
  const sets = new Map<bigint, ValidatorSet>();
  const txs: StoredTx[] = [];
  let set: ValidatorSet | undefined;
  for (const line of lines) {
    const block = blockFromJson(line.block.block);
    const height = BigInt(line.height);
    if (line.validators !== undefined) {
      const validators = line.validators.validators.map(validatorFromJson);
      set = create(ValidatorSetSchema, { validators, ...(validators[0] && { proposer: validators[0] }) });
    }
    if (set !== undefined) sets.set(height, set);
    blocks.set(height, {
      block,
      blockId: blockIdFromJson(line.block.block_id),
      size: toBinary(BlockSchema, block).length,
    });
    if (line.block_results === undefined || height > HEAD) continue;
    const executed = resultsFromJson(line.block_results);
    results.set(height, EncodedResults.of(executed).withAppHash(executed.appHash));
    block.data?.txs.forEach((tx, index) => {
      const result = executed.txResults[index];
      if (result !== undefined) txs.push({ hash: sha256(tx), height: toHeight(height), index, tx, result });
    });
  }
  const block = (height: Height): StoredBlock | undefined => (height <= HEAD ? blocks.get(height) : undefined);
  const params = consensusParamsFromJson(
    (recorded('/consensus_params').result as { consensus_params: ReturnType<typeof consensusParamsToJson> })
      .consensus_params,
  );
  const genesis = fromBase64((recorded('/genesis_chunked').result as { data: string }).data);
  const status = recorded('/status').result as {
    node_info: { id: string; listen_addr: string; version: string; moniker: string; other: { rpc_address: string } };
  };
  const failed = (error: DomainError): { readonly ok: false; readonly error: DomainError } => ({ ok: false, error });

  const listeners = new Set<(commit: CommitEvents) => void>();
  let visible: StoredTx | undefined;
  const steering: Steering = {
    admission: failed({ code: 'busy', what: 'nothing steered' }),
    abci: () => {
      throw new Error('no answer steered');
    },
    pending: [],
    included: undefined,
    asked: { broadcast: [], abci: [] },
    commit() {
      visible = steering.included;
      for (const listener of [...listeners]) listener({ position: toPosition(1n), events: [] });
    },
    listeners,
  };

  const chain: ChainQueries = {
    tip: () => toHeight(HEAD),
    head: () => {
      const head = blocks.get(HEAD);
      return {
        height: toHeight(HEAD),
        position: toPosition(1n),
        blockHash: head?.blockId.hash ?? new Uint8Array(),
        appHash: blocks.get(HEAD + 1n)?.block.header?.appHash ?? new Uint8Array(),
        time: fromTimestamp(head?.block.header?.time),
      };
    },
    earliestHeight: () => toHeight(1n),
    earliestState: () => toHeight(0n),
    genesis: () => ({ json: genesis, chainId, initialHeight: toHeight(1n) }),
    block,
    heightByHash: (hash) => {
      for (const [height, stored] of blocks)
        if (height <= HEAD && upperHex(stored.blockId.hash) === upperHex(hash)) return toHeight(height);
      return undefined;
    },
    results: (height) => results.get(height),
    touched: () => [],
    commit: (height) => {
      const commit = blocks.get(height + 1n)?.block.lastCommit;
      return commit && { commit, canonical: height < HEAD };
    },
    validators: (height) => sets.get(height),
    consensusParams: () => params,
    tx: (hash) =>
      [...txs, ...(visible === undefined ? [] : [visible])].find((tx) => upperHex(tx.hash) === upperHex(hash)),
    place: (hash) => txs.find((tx) => upperHex(tx.hash) === upperHex(hash)),
    txAt: (height, index) => txs.find((tx) => tx.height === height && tx.index === index),
    searchTxs: async (text, slice) => {
      const parsed = parseQuery(text);
      if (!parsed.ok) return failed({ code: 'bad-query', message: parsed.message });
      const attributes = (tx: StoredTx): ReadonlyMap<string, readonly string[]> =>
        new Map<string, readonly string[]>([
          ...attributesOf(tx.result.events),
          ['tx.height', [String(tx.height)]],
          ['tx.hash', [upperHex(tx.hash), upperHex(tx.hash).toLowerCase()]],
        ]);
      return {
        ok: true,
        value: sliceOfAll(
          txs.filter((tx) => matches(parsed.query, attributes(tx))),
          slice,
        ),
      };
    },
    searchBlocks: async (text, slice) => {
      const parsed = parseQuery(text);
      if (!parsed.ok) return failed({ code: 'bad-query', message: parsed.message });
      const heights = [...blocks.keys()].filter((height) => height <= HEAD);
      const attributes = (height: bigint): ReadonlyMap<string, readonly string[]> =>
        new Map<string, readonly string[]>([
          ...attributesOf(results.get(height)?.events ?? []),
          ['block.height', [String(height)]],
        ]);
      const found = heights.filter((height) => matches(parsed.query, attributes(height))).map(toHeight);
      return { ok: true, value: sliceOfAll(found, slice) };
    },
  };

  const api: NodeApi = {
    commands: {
      broadcastTx: async (tx) => {
        steering.asked.broadcast.push(tx);
        if (steering.included !== undefined) queueMicrotask(() => steering.commit());
        return steering.admission;
      },
      checkTx: async () => steering.admission,
      broadcastEvidence: () => ({ kind: 'refused', reason: 'nothing steered' }),
    },
    queries: {
      chain,
      app: {
        paths: new Set(),
        query: () => Promise.reject(new Error('no application')),
        simulate: () => Promise.reject(new Error('no application')),
      },
      status: () => ({
        moniker: status.node_info.moniker,
        nodeId: status.node_info.id,
        version: status.node_info.version,
        listenAddress: status.node_info.listen_addr,
        rpcAddress: status.node_info.other.rpc_address,
        validator: sets.get(HEAD)?.validators[0],
        catchingUp: false,
        mode: 'running',
        halt: undefined,
        appVersion,
      }),
      abciQuery: async (query) => {
        steering.asked.abci.push(query);
        return { ok: true, value: steering.abci(query) };
      },
      unconfirmedTxs: () => ({
        txs: steering.pending,
        totalBytes: BigInt(steering.pending.reduce((sum, tx) => sum + tx.length, 0)),
      }),
      roundState: () => ({ height: toHeight(HEAD + 1n), round: 0, step: 1 }),
    },
    feeds: {
      onCommit(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
  return { api, steering };
}
