import { createEthereumRegistry } from '../../actors/subscription-registry/index.js';
import { createEthereumRpc, ETHEREUM_BODY_TOO_LARGE } from '../../adapters/eth-rpc/index.js';
import { createDeliveryHub } from '../../adapters/eth-rpc/subscriptions/index.js';
import { createServer, type Exposure, type Server } from '../../adapters/transport/index.js';
import { createPump } from '../../adapters/transport/delivery/index.js';
import type { JsonRpcOptions } from '../../core/config/daemon-options.js';
import { DEFAULT_LIMITS } from '../../core/limits.js';
import type { FacesHost } from '../faces-host.js';
import { createHostRandomness } from '../host/randomness.js';
import type { RunningNode } from '../node.js';
import { VERSION } from '../version.js';
import type { ComposedEthereum } from './compose.js';

export interface EthereumServers {
  /** JSON-RPC over HTTP and websocket on one port. */
  readonly http: Server;
  /** The same faces on the port that clients expect for websockets. */
  readonly webSocket: Server;
  /** The same faces on a further port, where the options have one. */
  readonly webSocketAlias: Server | undefined;
  endSessions(): void;
  stop(): void;
}

/** The servers of the Ethereum face: their ports share one registry of methods and one registry of subscriptions. */
export async function ethereumServers(
  node: RunningNode,
  ethereum: ComposedEthereum,
  options: JsonRpcOptions,
  host: FacesHost,
  exposure: Exposure,
): Promise<EthereumServers> {
  const limits = DEFAULT_LIMITS;
  const { timers, clock, onDefect } = host;
  const registry = createEthereumRegistry({
    limits,
    feeds: ethereum.api,
    position: node.eventLog.head().position,
    onDefect,
  });
  const pump = createPump({ limits, timers, clock });
  const subscriptions = createDeliveryHub({
    registry,
    history: ethereum.history,
    pump,
    timers,
    randomness: createHostRandomness(),
    onDefect,
  });
  const rpc = createEthereumRpc(ethereum.api, {
    crypto: node.crypto,
    limits,
    timers,
    clientVersion: `chronicled/v${VERSION}/${process.platform}-${process.arch}/node${process.versions.node}`,
    subscriptions,
    ...(options.namespaces && { namespaces: options.namespaces }),
    onDefect,
  });
  const server = (): Promise<Server> =>
    createServer({
      http: rpc.http,
      exposure,
      limits: { bodyBytes: limits.httpBodyBytes, messageBytes: limits.httpBodyBytes, webSockets: limits.connections },
      timers,
      tooLarge: ETHEREUM_BODY_TOO_LARGE,
      onDefect,
      webSocket: rpc.webSocket,
    });
  return {
    http: await server(),
    webSocket: await server(),
    webSocketAlias: options.webSocketAlias === undefined ? undefined : await server(),
    endSessions: () => rpc.endSessions('node is stopping'),
    stop() {
      subscriptions.stop();
      pump.stop();
      registry.stop();
    },
  };
}
