import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hex } from '../core/bytes/hex.js';
import type { DaemonOptions } from '../config/daemon-options.js';
import { secondChain } from '../config/second-chain.js';
import type { Logger } from '../core/ports/logger.js';
import { invariant } from '../core/errors.js';
import { toHeight } from '../core/primitives.js';
import { failureOf } from '../node/failure-of.js';
import { boundBy, endpointsOf, failureLines } from '../config/index.js';
import { startDaemon, type RunningDaemon } from '../node/daemon.js';
import type { RelayerState } from '../node/relayer/relayer-state.js';
import { createLogger } from '../node/logger.js';
import { daemonOptions } from './daemon-options.js';
import type { FollowOptions } from './blocks.js';
import { createJsonRpcClient } from './json-rpc-client.js';
import type { EthereumMethods } from './methods.js';
import { packetCommands } from './packets.js';
import { createReceipts } from './receipts.js';
import { StartFailed } from './start-failed.js';
import type { Account, BlockFacts, ChronicleNode, NodeEndpoints, SecondChain, StartOptions } from './types.js';

/**
 * Starts a whole dev node in this process and resolves when every face answers. Signals and the exit code remain those
 * of the caller. Throws StartFailed after removing everything that the start made.
 */
export async function startNode(options: StartOptions = {}): Promise<ChronicleNode> {
  const ephemeral = options.ephemeral ?? options.home === undefined;
  const folder = ephemeral ? mkdtempSync(join(tmpdir(), 'chronicle-home-')) : undefined;
  const removeFolder = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const resolved = await daemonOptions(options, folder ?? options.home ?? '', ephemeral);
    const log = await createLogger(resolved.logLevel, 'plain');
    const opened = resolved.ibc ? (await import('../node/relayer/pair.js')).openRelayerState() : undefined;
    const daemon = await startDaemon(resolved, log, undefined, { packets: opened?.packets }).catch((error: unknown) => {
      throw startFailed(error, resolved);
    });
    const second = opened && (await startSecondChain(resolved, daemon, log, opened.relayerState));
    return facade(resolved, daemon, removeFolder, second, resolved.ibc);
  } catch (error) {
    removeFolder();
    throw error;
  }
}

/** Starts the second chain of `ibc: true`; stops the first one if that fails. */
async function startSecondChain(
  options: DaemonOptions,
  first: RunningDaemon,
  log: Logger,
  relayerState: RelayerState,
): Promise<SecondChain> {
  const { startPair } = await import('../node/relayer/pair.js');
  const others = secondChain(options, first.node.chain.chain.chainId);
  try {
    const pair = await startPair(options, first, log, relayerState);
    const both = { ...pair.second, stop: () => pair.stop() };
    return {
      node: facade(others, both, () => undefined, undefined, true),
      get channels() {
        return pair.channels;
      },
    };
  } catch (error) {
    await first.stop();
    throw startFailed(error, others);
  }
}

function facade(
  options: DaemonOptions,
  daemon: RunningDaemon,
  removeFolder: () => void,
  second: SecondChain | undefined,
  isRelayed: boolean,
): ChronicleNode {
  const { node } = daemon;
  const { chainId, evmChainId, bech32Prefix } = node.chain.chain;
  const { mnemonic } = options.accounts;
  const endpoints = endpointsOfNode(options, daemon);
  const ethereum = createJsonRpcClient<EthereumMethods>(endpoints.ethHttp);
  const failed = node.failed.then((reason) => (reason instanceof Error ? reason : new Error(String(reason))));
  const ended = new AbortController();
  void failed.then((reason) => ended.abort(reason));
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    ended.abort(new Error('the node was stopped'));
    return (stopping ??= (async () => {
      await second?.node.stop();
      await daemon.stop();
    })().finally(removeFolder));
  };
  return {
    second,
    packets: isRelayed ? packetCommands(ethereum) : undefined,
    chainId,
    evmChainId,
    endpoints,
    accounts: daemon.accounts(bech32Prefix).map((account): Account => ({
      index: account.index,
      name: account.name,
      hex: `0x${account.hex.slice(2)}`,
      bech32: account.bech32,
      privateKey: `0x${hex(account.privateKey)}`,
    })),
    mnemonic,
    ethereum,
    comet: createJsonRpcClient(endpoints.comet),
    blocks({ from, signal } = {}) {
      const { chain } = node.api.queries;
      const earliest = chain.earliestHeight();
      const first = from ?? chain.head().height + 1n;
      return followLazily({
        commits: node.commits,
        chain,
        from: first < earliest ? earliest : toHeight(first),
        signal: signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]),
      });
    },
    receipt: createReceipts(ethereum, node.api.feeds, ended.signal),
    failed,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Loads `blocks.ts` on the first use, because starting a node does not need it. */
async function* followLazily(options: FollowOptions): AsyncGenerator<BlockFacts, void, undefined> {
  const { followBlocks } = await import('./blocks.js');
  yield* followBlocks(options);
}

function endpointsOfNode(options: DaemonOptions, daemon: RunningDaemon): NodeEndpoints {
  const {
    comet,
    eth_http: ethHttp,
    eth_ws: ethWs,
    grpc,
    rest,
    metrics,
  } = endpointsOf(boundBy(options, daemon.faces.ports));
  invariant(
    comet !== undefined &&
      ethHttp !== undefined &&
      ethWs !== undefined &&
      grpc !== undefined &&
      rest !== undefined &&
      metrics !== undefined,
    'a dev node opens these faces',
  );
  return { comet, cometWs: `${comet.replace('http', 'ws')}/websocket`, ethHttp, ethWs, grpc, rest, metrics };
}

/** StartFailed with the text of the command line for a failure that the user can fix; any other error unchanged. */
function startFailed(error: unknown, options: DaemonOptions): unknown {
  const failure = failureOf(error, options);
  return failure === undefined
    ? error
    : new StartFailed(failure.id, failureLines(failure).join('\n'), { cause: error });
}
