import { createServer, type Socket } from 'node:net';
import type { OnCall } from '../../core/activity/client-call.js';
import type { AbciApplication } from '../../core/abci/abci-application.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Clock } from '../../core/ports/time.js';
import { abciUrl, type AbciAddress, listen } from './address.js';
import { exception } from './answer.js';
import { type AbciLog, Connection } from './connection.js';
import { ConsensusSeat } from './consensus-seat.js';
import { type AbciCounts, AbciCounters } from './counters.js';
import { frame } from './frames.js';

export interface AbciServerOptions {
  readonly address: AbciAddress;
  readonly app: AbciApplication;
  readonly clock: Clock;
  readonly log: AbciLog;
  /** Called for each call of the engine. */
  readonly onCall?: OnCall | undefined;
  /** Called with an unexpected error of the application (not AbciRefused), after the engine got its response. */
  readonly onFailure?: (error: unknown) => void;
  /** Maximum bytes of a message; by default `abciMessageBytes`. */
  readonly messageBytes?: number;
}

export interface AbciServer {
  /** The bound address. */
  readonly address: AbciAddress;
  readonly counts: AbciCounts;
  /** Closes the listener and every connection; does not wait for running application calls. */
  stop(): Promise<void>;
}

/**
 * Serves an application to a consensus engine over the socket protocol of ABCI 2.0 (CometBFT v0.38 spec,
 * abci/abci++_client_server). The protocol has no authentication: only the engine may reach the address. Rejects with
 * AddressInUse or AddressRefused.
 */
export async function startAbciServer(options: AbciServerOptions): Promise<AbciServer> {
  const { app, log, onCall, onFailure = () => undefined, messageBytes = FIXED_LIMITS.abciMessageBytes } = options;
  const counters = new AbciCounters(options.clock);
  const host = { app, seat: new ConsensusSeat(), counters, log, messageBytes, onFailure, onCall };
  const open = new Map<Socket, Connection>();
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: FIXED_LIMITS.abciKeepAliveMs });
  server.on('connection', (socket) => {
    const peer = peerOf(socket, options.address);
    if (open.size >= FIXED_LIMITS.abciConnections) {
      log.error(`ABCI: more than ${FIXED_LIMITS.abciConnections} connections`, { peer });
      socket.on('error', () => undefined);
      socket.end(frame(exception(`more than ${FIXED_LIMITS.abciConnections} connections`)), () => socket.destroy());
      return;
    }
    open.set(socket, new Connection(socket, host, peer));
    socket.on('close', () => open.delete(socket));
  });
  const address = await listen(server, options.address);
  return {
    address,
    counts: counters,
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const connection of open.values()) connection.end();
      await closed;
    },
  };
}

function peerOf(socket: Socket, address: AbciAddress): string {
  return address.kind === 'unix' ? abciUrl(address) : `${socket.remoteAddress ?? '?'}:${socket.remotePort ?? '?'}`;
}
