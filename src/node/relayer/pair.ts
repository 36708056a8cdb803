import type { Worker } from 'node:worker_threads';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { boundBy, endpointsOf } from '../../config/index.js';
import { secondChain } from '../../config/second-chain.js';
import { invariant } from '../../core/errors.js';
import type { PacketCommands } from '../../core/ethereum/packet-commands.js';
import type { Logger } from '../../core/ports/logger.js';
import { type RunningDaemon, startDaemon } from '../daemon.js';
import { packetCommands } from './commands.js';
import { RelayerState } from './relayer-state.js';
import type { RelayedChain } from './remote.js';
import { startRelayer } from './relayer.js';

/** The second chain of `dev --ibc`, and the relayer between the two. */
export interface ChainPair {
  readonly second: RunningDaemon;
  /** Channel ids on the first (`here`) and second chain (`there`); undefined until a channel is open. */
  readonly channels: { readonly here: string; readonly there: string } | undefined;
  /** Stops the relayer, then the second chain. */
  stop(): Promise<void>;
}

/**
 * Creates the relayer's shared state, and the packet commands for the first chain, which starts before the second
 * one.
 */
export function openRelayerState(): { readonly relayerState: RelayerState; readonly packets: PacketCommands } {
  const relayerState = new RelayerState();
  return { relayerState, packets: packetCommands(relayerState, 'a') };
}

/**
 * Starts the second chain and the relayer, and waits for the channel. `thread`: the second executor's thread, which
 * is already loading. Rejects as `startDaemon` does.
 */
export async function startPair(
  options: DaemonOptions,
  first: RunningDaemon,
  log: Logger,
  relayerState: RelayerState,
  thread?: Worker,
): Promise<ChainPair> {
  const others = secondChain(options, first.node.chain.chain.chainId);
  const second = await startDaemon(others, log, thread, { packets: packetCommands(relayerState, 'b') });
  const relayer = startRelayer(
    { a: relayed(options, first), b: relayed(others, second) },
    { crypto: first.node.crypto, log, relayerState },
  );
  await relayer.opened;
  return {
    second,
    get channels() {
      const ends = relayerState.path?.ends;
      return ends && { here: ends.a.channelId, there: ends.b.channelId };
    },
    async stop() {
      await relayer.stop();
      await second.stop();
    },
  };
}

/** A chain as the relayer needs it. The last funded account pays fees, because tests use the first ones. */
function relayed(options: DaemonOptions, daemon: RunningDaemon): RelayedChain {
  const { chainId, bech32Prefix } = daemon.node.chain.chain;
  const { comet, eth_http: ethHttp } = endpointsOf(boundBy(options, daemon.faces.ports));
  const account = daemon.accounts(bech32Prefix).at(-1);
  invariant(comet !== undefined && account !== undefined, 'a dev node has a consensus RPC and an account');
  return {
    chainId,
    comet,
    ethereum: ethHttp,
    account,
    denom: options.baseDenom,
    minGasPrice: options.minGasPrice,
    isMinedAtOnce: options.mining.kind === 'instant',
  };
}
