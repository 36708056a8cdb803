import { chainOfGenesis, EvmChainIdNeeded, readGenesis, requireEvmChainId } from '../../core/app/chain-of-genesis.js';
import { evmChainIdOf } from '../../core/genesis/genesis-document.js';
import { upperHex } from '../../core/bytes/hex.js';
import { afterBlock } from '../../core/chain/chain-state.js';
import { emptyCommit } from '../../core/comet/make-block.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Commit } from '../../core/proto/tendermint/types/types_pb.js';
import { toHeight } from '../../core/primitives.js';
import { mergeWrites } from '../../core/state/merge-writes.js';
import { executedBlockOf } from '../../core/chain/execution.js';
import { replayGenesis, type ReExecutedChain } from '../../runtime/re-execution/re-executed-chain.js';
import { logDifference, resultDifference, rootDifference, writeDelta } from './differences.js';
import { RecordingRefused, type RecordedBlock, type RecordedChain } from './recorded-chain.js';
import { loadPreset } from '../../runtime/load-preset.js';

export interface CompareOptions {
  readonly recording: RecordedChain;
  readonly preset: string;
  /** EIP-155 id; by default the number in the chain id, else the preset's default. */
  readonly evmChainId: bigint | undefined;
  readonly crypto: Crypto;
  /** Called after each executed height. */
  readonly progress?: (height: bigint) => void;
}

export interface Comparison {
  /** Number of equal app hashes, from the first height on. */
  readonly equal: number;
  /** Number of app hashes in the recording. */
  readonly recorded: number;
  /** The first difference. Execution stops at a differing app hash, because all later heights depend on it. */
  readonly difference: { readonly height: bigint; readonly texts: readonly string[] } | undefined;
  /** The first differing transaction log. No hash covers logs. */
  readonly remark: { readonly height: bigint; readonly text: string } | undefined;
}

/**
 * Executes a recorded chain from its genesis in memory, and compares every height with the recording: results, events
 * and validators if recorded, writes and store roots if their files exist, and app hashes. The app hash of a height
 * is in the next header. Throws GenesisRefused, RecordingRefused, EvmChainIdNeeded.
 */
export async function compareChain(options: CompareOptions): Promise<Comparison> {
  const { recording, crypto, progress } = options;
  const { chain, genesisWrites, assumedChainId } = await begin(options);
  const counted = { equal: 0, recorded: 0 };
  let difference: Comparison['difference'];
  let remark: Comparison['remark'];
  let isOver = false;
  for await (const { current, next } of pairs(recording.blocks())) {
    const { height } = headerOf(current);
    const roots = await recording.roots?.at(height);
    const writes = await recording.writes?.at(height);
    const appHash = next === undefined ? roots?.appHash : upperHex(headerOf(next).appHash);
    if (appHash !== undefined) counted.recorded += 1;
    if (isOver) continue;
    if (height !== chain.state.height + 1n)
      throw new RecordingRefused(`blocks.jsonl: height ${height} follows height ${chain.state.height}`);
    const executed = executeAsRecorded(chain, appHash, () => executeOn(chain, crypto, current, next?.block.lastCommit));
    if (executed.kind === 'halted') {
      difference ??= { height, texts: [executed.reason] };
      isOver = true;
      continue;
    }
    const { results, appHash: ours } = executed;
    const isFirst = height === chain.state.initialHeight;
    const texts = [
      current.results && resultDifference(results, current.results),
      writes && writeDelta(isFirst ? mergeWrites(genesisWrites, executed.writes) : executed.writes, writes.writes),
      roots && rootDifference(chain.storeRoots, roots.stores),
      appHash === undefined || appHash === ours ? undefined : `app hash: ours ${ours}, recorded ${appHash}`,
    ].filter((text) => text !== undefined);
    if (texts.length > 0 && assumedChainId !== undefined) throw evmChainIdNeeded(options, height, assumedChainId);
    if (texts.length > 0) difference ??= { height, texts };
    const text = current.results && logDifference(results, current.results);
    if (text !== undefined) remark ??= { height, text };
    if (appHash === ours) counted.equal += 1;
    // Stop: all later heights depend on this one.
    else isOver = appHash !== undefined;
    progress?.(height);
  }
  return { ...counted, difference, remark };
}

type Outcome = ReturnType<typeof executeOn>;

/**
 * Executes a block. If an upgrade is due, the recording does not say whether its node applied or skipped it
 * (`--unsafe-skip-upgrades`): tries the upgrade first, and skips it if the app hash differs.
 */
function executeAsRecorded(chain: ReExecutedChain, appHash: string | undefined, execute: () => Outcome): Outcome {
  const { height } = chain.state;
  const outcome = execute();
  if (outcome.kind === 'executed') return outcome;
  const { name } = outcome.plan;
  const last = chain.appVersion;
  const started = { version: '', skipUpgradeHeights: [] };
  for (const node of [
    { ...started, appVersion: name },
    { ...started, appVersion: last, skipUpgradeHeights: [toHeight(height + 1n)] },
  ]) {
    chain.nodeStarted(node);
    const again = execute();
    if (again.kind === 'executed' && (appHash === undefined || again.appHash === appHash)) return again;
    if (again.kind === 'executed') chain.revert(height);
  }
  chain.nodeStarted({ ...started, appVersion: name });
  return execute();
}

function executeOn(chain: ReExecutedChain, crypto: Crypto, recorded: RecordedBlock, commit: Commit | undefined) {
  const result = chain.finalize({ block: recorded.block });
  if (result.kind === 'halted') return result;
  const before = chain.state;
  const decided = { block: recorded.block, blockId: recorded.blockId, commit: commit ?? emptyCommit() };
  const executed = executedBlockOf(before, decided, result.results);
  const after = chain.commit(result.writes, (appHash) => afterBlock(crypto, before, { ...executed, appHash }));
  return {
    kind: 'executed',
    results: result.results,
    writes: result.writes,
    appHash: upperHex(after.appHash),
  } as const;
}

async function begin({ recording, preset, evmChainId, crypto }: CompareOptions) {
  const { genesis } = recording;
  const document = readGenesis(genesis);
  const version = await loadPreset(preset);
  requireEvmChainId(document.chainId, evmChainId, version.evm.defaultChainId);
  const { chain, begun } = chainOfGenesis({
    document,
    version,
    evmChainId,
    minGasPrice: 0n,
    crypto,
  });
  const { chainId, bech32Prefix } = chain;
  const started = {
    chainId,
    evmChainId: chain.evmChainId,
    bech32Prefix,
    preset,
    genesis,
    initialHeight: document.initialHeight,
    validators: new Uint8Array(),
    consensusParams: new Uint8Array(),
    writes: begun.writes,
  };
  return {
    chain: (await replayGenesis(crypto, started, 1)).chain,
    genesisWrites: begun.writes,
    // The default of the preset.
    assumedChainId: (evmChainId ?? evmChainIdOf(chainId)) === undefined ? chain.evmChainId : undefined,
  };
}

function evmChainIdNeeded({ recording, preset }: CompareOptions, height: bigint, assumed: bigint): EvmChainIdNeeded {
  const { chainId } = readGenesis(recording.genesis);
  return new EvmChainIdNeeded(
    chainId,
    `the chain id ${JSON.stringify(chainId)} has no EIP-155 id in it, and height ${height} differs with ${assumed}, the default of preset ${preset}: give the id with --evm-chain-id`,
  );
}

/** Yields each block with the next one, whose header has its app hash. */
async function* pairs(
  blocks: AsyncIterable<RecordedBlock>,
): AsyncGenerator<{ readonly current: RecordedBlock; readonly next: RecordedBlock | undefined }> {
  let current: RecordedBlock | undefined;
  for await (const next of blocks) {
    if (current !== undefined) yield { current, next };
    current = next;
  }
  if (current !== undefined) yield { current, next: undefined };
}

function headerOf({ block }: RecordedBlock) {
  if (block.header === undefined) throw new RecordingRefused('blocks.jsonl: a block without a header');
  return block.header;
}
