import { randomUUID } from 'node:crypto';
import { createEthereumRpc, ETHEREUM_BODY_TOO_LARGE } from '../../adapters/eth-rpc/index.js';
import { createEthereumSubscriptions } from '../../adapters/eth-rpc/subscriptions/index.js';
import type { PushEngine } from '../../adapters/push/index.js';
import { withSourcify } from '../../adapters/sourcify/index.js';
import { createServer, type Server, type SharedByServers } from '../../adapters/transport/index.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import { DEFAULT_NAMESPACES, DEV_NAMESPACES, INSPECTION_NAMESPACE } from '../../core/ethereum/namespaces.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import { callsOf, type FacesHost } from '../faces-host.js';
import { formatTime } from '../../core/comet/time.js';
import { homePaths } from '../../runtime/home/home.js';
import { createHostRandomness } from '../../runtime/host/randomness.js';
import type { RunningNode } from '../node.js';
import { type ProxiedFaces, isEthereumLocal } from '../proxied-faces.js';
import { type BoundPorts, withStartPage } from '../pages.js';
import { VERSION } from '../../runtime/host/version.js';
import { type AddressTextsOptions, openAddressTexts } from '../verification/address-texts.js';
import { machineCompilers } from '../verification/compilers.js';
import { createVerification } from '../verification/verification.js';
import { CompiledContracts } from '../verification/compiled-contracts.js';
import { knownContracts } from '../verification/known-contracts.js';
import { SuppliedContracts } from '../verification/supplied-contracts.js';
import { verifiedContracts } from '../verification/verified-contracts.js';
import { artifactFolders } from '../activity/artifact-files.js';
import { matchQuery } from '../inspection/match-query.js';
import { createRehearsals } from '../inspection/rehearse-upgrade.js';
import { inspectSubscriptions } from '../inspection/subscriptions.js';
import type { ComposedEthereum } from './compose.js';

export interface EthereumServers {
  /** JSON-RPC over HTTP and websocket on one port. */
  readonly http: Server;
  /** The server on the standard websocket port (8546). */
  readonly webSocket: Server;
  /** The server on a second websocket port, if configured. */
  readonly webSocketAlias: Server | undefined;
  endSessions(): void;
}

/** The servers of the Ethereum face: two ports, one registry of methods. */
export async function ethereumServers(
  node: RunningNode,
  ethereum: ComposedEthereum,
  engine: PushEngine,
  options: Pick<DaemonOptions, 'jsonRpc' | 'listen' | 'home' | 'ephemeral' | 'branch' | 'abi'>,
  host: FacesHost,
  { ports, proxied, ...shared }: SharedByServers & { readonly ports: BoundPorts; readonly proxied: ProxiedFaces },
): Promise<EthereumServers> {
  const limits = DEFAULT_LIMITS;
  const { timers, onDefect } = host;
  const { jsonRpc } = options;
  const namespaces = jsonRpc.namespaces ?? defaultNamespaces(ethereum.api.dev !== undefined, options);
  const verification = createVerification({
    api: ethereum.api,
    crypto: node.crypto,
    compile: machineCompilers(),
    contracts: verifiedContracts(openAddressTexts(textsOf(options, 'verified', FIXED_LIMITS.verifiedContracts))),
    newId: randomUUID,
    now: () => formatTime(host.clock.now()),
    onDefect,
  });
  const suppliedTexts = openAddressTexts(textsOf(options, 'supplied', FIXED_LIMITS.suppliedContracts));
  const supplied = new SuppliedContracts(suppliedTexts, ethereum.api, node.crypto);
  const contract = knownContracts(verification, ethereum.api, compiledLocally(ethereum.api, options, host), supplied);
  const rpc = createEthereumRpc(ethereum.api, {
    crypto: node.crypto,
    limits,
    timers,
    // Hardhat's helpers reject a client version that does not begin with a name they know (HHE60015).
    clientVersion: `${ethereum.api.dev === undefined ? '' : 'anvil/'}chronicled/v${VERSION}/${process.platform}-${process.arch}/node${process.versions.node}`,
    subscriptions: createEthereumSubscriptions(engine, createHostRandomness()),
    namespaces,
    inspection: {
      ...node.inspection(contract),
      contract,
      supplyContract: (address, contractOrNone) => supplied.set(address, contractOrNone),
      rehearseUpgrade: createRehearsals(options.ephemeral ? undefined : options.home),
      matchQuery: (query, blocks) =>
        matchQuery({ history: node.subscriptions.history, chain: node.api.queries.chain, timers }, query, blocks),
      ...inspectSubscriptions({ engine, filters: node.filters, head: () => node.api.queries.chain.head() }),
    },
    large: shared.large,
    onDefect,
    onUnknownMethod: (method) => host.onUnknownMethod?.('Ethereum JSON-RPC', method),
    onCall: callsOf(host, 'Ethereum JSON-RPC'),
    onRefusedSend: host.onRefusedSend,
  });
  const calls = namespaces.includes(INSPECTION_NAMESPACE)
    ? withSourcify(verification, node.crypto, rpc.http)
    : rpc.http;
  const http = withStartPage(node, ethereum.api, { ports, proxied, timers }, calls);
  const server = (): Promise<Server> =>
    createServer({
      http,
      inspect: rpc.inspect,
      ...shared,
      limits: { bodyBytes: limits.httpBodyBytes, messageBytes: limits.httpBodyBytes, webSockets: limits.connections },
      timers,
      tooLarge: ETHEREUM_BODY_TOO_LARGE,
      onDefect,
      ...host.transport,
      webSocket: rpc.webSocket,
    });
  return {
    http: await server(),
    webSocket: await server(),
    webSocketAlias: jsonRpc.webSocketAlias === undefined ? undefined : await server(),
    endSessions: () => rpc.endSessions('node is stopping'),
  };
}

/** Where contract metadata is kept: in the home. A branch also reads that of its original chain. */
function textsOf(
  { home, ephemeral, branch }: Pick<DaemonOptions, 'home' | 'ephemeral' | 'branch'>,
  name: 'verified' | 'supplied',
  maximum: number,
): AddressTextsOptions {
  const folder = homePaths(home)[name];
  return { folder: ephemeral ? undefined : folder, below: branch === undefined ? undefined : folder, maximum };
}

/**
 * Contracts compiled in local folders. Outside of dev mode, the node reads such folders only if options name them.
 */
function compiledLocally(
  { dev }: ComposedEthereum['api'],
  { abi }: Pick<DaemonOptions, 'abi'>,
  { clock }: FacesHost,
): CompiledContracts {
  return new CompiledContracts(dev === undefined ? abi : artifactFolders(abi), clock);
}

/** The default namespaces. If other machines can reach a port, those that inspect the node are left out. */
function defaultNamespaces(isDev: boolean, options: Pick<DaemonOptions, 'jsonRpc' | 'listen'>): readonly string[] {
  const usual = isDev ? DEV_NAMESPACES.filter((name) => name !== INSPECTION_NAMESPACE) : DEFAULT_NAMESPACES;
  return isEthereumLocal(options) ? [...usual, INSPECTION_NAMESPACE] : usual;
}
