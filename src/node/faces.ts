import { dirname } from 'node:path';
import { createGrpcServer } from '../adapters/grpc/index.js';
import { createPump, createPushEngine, type Delivery } from '../adapters/push/index.js';
import { REST_BODY_TOO_LARGE } from '../adapters/rest/body-too-large.js';
import {
  connectionsOfProcess,
  createServer,
  type Exposure,
  type StreamingHttpHandler,
  LargeRequests,
  MessageBudget,
  type ListenResult,
  type Server,
} from '../adapters/transport/index.js';
import type { DaemonOptions, Face, ListenAddress } from '../config/daemon-options.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../core/limits/limits.js';
import { cometServer } from './comet-server.js';
import { ethereumServers } from './ethereum/servers.js';
import { callsOf, reportingRequests, type FacesHost } from './faces-host.js';
import { onFirstCall } from '../core/on-first-call.js';
import { metricsHandler, type MeasuredNode } from './metrics.js';
import { proxiedFaceNames, type ProxiedFaces } from './proxied-faces.js';
import { LINKED_PAGES, withPlainPage } from './pages.js';
import { VERSION } from '../runtime/host/version.js';
import { homePaths } from '../runtime/home/home.js';

export interface OpenFaces {
  /** Ports as bound. */
  readonly ports: Partial<Readonly<Record<Face, number>>>;
  close(): Promise<void>;
}

/** A face could not listen. */
export class FaceFailed extends Error {
  override readonly name = 'FaceFailed';

  constructor(
    readonly face: Face,
    readonly result: Extract<ListenResult, { ok: false }>,
  ) {
    super(`${face}: ${result.host}:${result.port} ${result.code}`);
  }
}

/** A listening server. */
interface Listener {
  listen(host: string, port: number): Promise<ListenResult>;
  close(): Promise<void>;
}

/** Opens all faces of a running node; if one fails, closes those already open. */
export async function openFaces(options: DaemonOptions, node: MeasuredNode, host: FacesHost): Promise<OpenFaces> {
  const { timers, clock, onDefect } = host;
  const limits = DEFAULT_LIMITS;
  const pump = createPump<Delivery>({ limits, timers, clock });
  const engine = createPushEngine({ subscriptions: node.subscriptions, pump, timers, limits, onDefect });
  const exposure: Exposure = {
    hosts: options.allowedHosts,
    origins: options.corsAllowedOrigins,
    onRefused: once(host.onForeignPage),
  };
  const connections = connectionsOfProcess(host.openFiles());
  const shared = { connections, exposure, large: new LargeRequests(timers), messages: new MessageBudget() };
  const ports: Partial<Record<Face, number>> = {};
  const proxied: ProxiedFaces = {};
  const plain = (
    http: StreamingHttpHandler,
    tooLarge?: Parameters<typeof createServer>[0]['tooLarge'],
  ): Promise<Server> =>
    createServer({
      ...shared,
      http,
      limits: { bodyBytes: DEFAULT_LIMITS.httpBodyBytes, messageBytes: 0, webSockets: 0 },
      timers: host.timers,
      onDefect: host.onDefect,
      ...host.transport,
      ...(tooLarge && { tooLarge }),
    });
  const [comet, ethereum] = await Promise.all([
    options.engine === undefined ? cometServer(node, engine, host, shared) : undefined,
    node.ethereum === undefined || !options.jsonRpc.enabled
      ? undefined
      : ethereumServers(node, node.ethereum, engine, options, host, {
          ...shared,
          exposure: { ...exposure, pages: LINKED_PAGES },
          ports,
          proxied,
        }),
  ]);
  const gateway = onFirstCall(async () => {
    // One after the other, so that the event loop runs in between.
    const services = await node.services();
    await timers.yield();
    const { createRest } = await import('../adapters/rest/index.js');
    await timers.yield();
    return createRest(services, { version: VERSION, onCall: callsOf(host, 'REST') });
  });
  const rest = withPlainPage('openapi', ports, async (request) => (await gateway())(request));
  const folder = options.ephemeral ? undefined : dirname(homePaths(options.home).database);
  const metrics = withPlainPage(
    'metrics',
    ports,
    reportingRequests(metricsHandler(node, folder), callsOf(host, 'metrics')),
  );
  const served: ProxiedFaces = { rest, metrics, ...(comet && { comet: comet.http }) };
  for (const name of proxiedFaceNames(options)) if (served[name] !== undefined) proxied[name] = served[name];
  const grpc = createGrpcServer(node.api, {
    services: node.services,
    timers,
    connections,
    onCall: callsOf(host, 'gRPC'),
    onDefect,
  });
  const alias = options.jsonRpc.webSocketAlias;
  const listeners: readonly (readonly [Face, Listener, ListenAddress?])[] = [
    ...(comet === undefined ? [] : ([['comet', closing(comet.server)]] as const)),
    ...(ethereum === undefined
      ? []
      : ([
          ['eth_http', closing(ethereum.http)],
          ['eth_ws', closing(ethereum.webSocket)],
        ] as const)),
    ...(ethereum?.webSocketAlias === undefined || alias === undefined
      ? []
      : ([['eth_ws', closing(ethereum.webSocketAlias), alias]] as const)),
    ['grpc', grpc],
    ['rest', closing(await plain(rest, REST_BODY_TOO_LARGE))],
    ['rest_alias', closing(await plain(rest, REST_BODY_TOO_LARGE))],
    ['metrics', closing(await plain(metrics))],
  ];

  const open: Listener[] = [];
  const close = async (): Promise<void> => {
    comet?.endSessions();
    ethereum?.endSessions();
    await Promise.all(open.map((listener) => listener.close()));
    engine.stop();
    pump.stop();
  };
  for (const [face, listener, { host: address, port } = options.listen[face]] of listeners) {
    const result = await listener.listen(address, port);
    if (!result.ok) {
      await close();
      throw new FaceFailed(face, result);
    }
    open.push(listener);
    ports[face] ??= result.port;
  }
  if (ports.comet !== undefined) node.listening(ports.comet);
  return { ports, close };
}

/** Calls `tell` once per text; remembers a bounded number of texts. */
function once(tell: (text: string) => void): (text: string) => void {
  const shown = new Set<string>();
  return (text) => {
    if (shown.has(text) || shown.size >= FIXED_LIMITS.loggedRefusedOrigins) return;
    shown.add(text);
    tell(text);
  };
}

/** A listener whose close finishes answers in progress and ends idle connections. */
function closing(server: Server): Listener {
  return { listen: (host, port) => server.listen(host, port), close: () => server.close(true) };
}
