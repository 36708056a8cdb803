import { createSubscriptionRegistry, type SubscriptionRegistryActor } from '../actors/subscription-registry/index.js';
import { COMET_BODY_TOO_LARGE, createCometRpc } from '../adapters/comet-rpc/index.js';
import { createCometSession, type CometSession } from '../adapters/comet-rpc/websocket/index.js';
import { createServer, plainText, type Exposure, type ListenResult, type Server, type Socket } from '../adapters/transport/index.js';
import type { DaemonOptions, Face } from '../core/config/daemon-options.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { Clock, Timers } from '../core/ports/time.js';
import { replayCommits } from './chain/replay-commits.js';
import { ethereumServers } from './ethereum/servers.js';
import { metricsHandler } from './metrics.js';
import type { RunningNode } from './node.js';
import { VERSION } from './version.js';

export interface FacesHost {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

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

/** Opens the faces that exist over a running node; closes those already open when one fails. */
export async function openFaces(options: DaemonOptions, node: RunningNode, host: FacesHost): Promise<OpenFaces> {
  const registry = createSubscriptionRegistry({ limits: DEFAULT_LIMITS, feeds: node.api.feeds, position: node.eventLog.head().position });
  const exposure: Exposure = { hosts: options.allowedHosts, origins: options.corsAllowedOrigins };
  const comet = await cometServer(node, registry, host, exposure);
  const metrics = await createServer({
    exposure,
    http: metricsHandler(node, registry),
    limits: { bodyBytes: 1_024, messageBytes: 1_024, webSockets: 1 },
    timers: host.timers,
    onDefect: host.onDefect,
    preferred: 'node',
  });
  const ethereum = node.ethereum === undefined ? undefined : await ethereumServers(node, node.ethereum, host, exposure);
  const open: Server[] = [];
  const close = async (): Promise<void> => {
    comet.endSessions();
    ethereum?.endSessions();
    await Promise.all(open.map((server) => server.close(true)));
    ethereum?.stop();
    registry.stop();
  };
  const listen = async (face: Face, server: Server): Promise<number> => {
    const { host: address, port } = options.listen[face];
    const result = await server.listen(address, port);
    if (!result.ok) {
      await close();
      throw new FaceFailed(face, result);
    }
    open.push(server);
    return result.port;
  };
  const ports = {
    comet: await listen('comet', comet.server),
    ...(ethereum && { eth_http: await listen('eth_http', ethereum.http), eth_ws: await listen('eth_ws', ethereum.webSocket) }),
    metrics: await listen('metrics', metrics),
  };
  node.listening(ports.comet);
  return { ports, close };
}

async function cometServer(node: RunningNode, registry: SubscriptionRegistryActor, host: FacesHost, exposure: Exposure) {
  const limits = DEFAULT_LIMITS;
  const rpc = createCometRpc({
    api: node.api,
    limits,
    timers: host.timers,
    clock: host.clock,
    application: { name: 'chronicled', version: VERSION },
    onDefect: host.onDefect,
  });
  const sessions = new Map<Socket, CometSession>();
  const server = await createServer({
    http: rpc.http,
    exposure,
    limits: { bodyBytes: limits.httpBodyBytes, messageBytes: limits.httpBodyBytes, webSockets: limits.connections },
    timers: host.timers,
    tooLarge: COMET_BODY_TOO_LARGE,
    onDefect: host.onDefect,
    webSocket: {
      refuse: ({ path }) => (path === '/websocket' ? undefined : plainText(404, '404 page not found\n')),
      handler: {
        open(socket) {
          sessions.set(socket, createCometSession({
            registry,
            limits,
            callRaw: (method, rawParams) => rpc.callRaw(method, rawParams),
            replay: (from) => replayCommits(node, from),
            socket: {
              send: (text) => socket.send(text),
              bufferedBytes: () => socket.bufferedBytes(),
              cork: (run) => socket.cork(run),
              close: (code, reason) => socket.end(code, reason),
            },
          }));
        },
        message: (socket, text) => sessions.get(socket)?.onMessage(text),
        drain: (socket) => sessions.get(socket)?.onDrain(),
        stalled: (socket) => sessions.get(socket)?.onStalled(),
        close(socket) {
          sessions.get(socket)?.onClose();
          sessions.delete(socket);
        },
      },
    },
  });
  return {
    server,
    endSessions() {
      for (const session of [...sessions.values()]) session.stop('CometBFT exited');
    },
  };
}
