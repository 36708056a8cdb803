/** Websockets of an untrusted server: each step has a time limit. */
import { WebSocket } from 'ws';
import { isObject } from '../../core/text/json-object.js';
import { parsed } from '../json.js';
import { BrokenPromise } from '../model.js';
import type { Wire, WireListener } from '../target.js';
import { within } from '../waiting.js';

/**
 * Opens a websocket; rejects with BrokenPromise when it does not open in time. `cause` returns the side that is ending
 * it at the moment.
 */
export async function openWire(
  url: string,
  listener: WireListener,
  patienceMs: number,
  cause: () => 'server' | 'restart' = () => 'server',
): Promise<Wire> {
  const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: patienceMs });
  socket.on('message', (data: Buffer) => listener.onText(data.toString('utf8')));
  socket.on('close', (code, reason) => listener.onClosed(cause(), code, reason.toString('utf8')));
  const open = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    // Later errors are followed by a close.
    socket.on('error', (error) => reject(new BrokenPromise('answered', `${url}: ${error.message}`)));
  });
  await within(patienceMs, open, `opening ${url}`);
  const whileOpen = (run: () => void): void => {
    if (socket.readyState === WebSocket.OPEN) run();
  };
  return {
    send: (text) => whileOpen(() => socket.send(text)),
    pause: () => whileOpen(() => socket.pause()),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  };
}

/** An error that the server answered. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * JSON-RPC over one websocket. `call` rejects with RpcError when the server refuses, with BrokenPromise when it does
 * not answer.
 */
export interface Rpc {
  call(method: string, params: unknown): Promise<unknown>;
  close(): void;
}

/** Opens a websocket for JSON-RPC. Rejects after `patienceMs` milliseconds. */
export async function openRpc(url: string, patienceMs: number): Promise<Rpc> {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  const wire = await openWire(
    url,
    {
      onText(text) {
        const message = parsed(text);
        if (!isObject(message) || typeof message['id'] !== 'number') return;
        const { id, result, error } = message;
        const caller = waiting.get(id);
        if (!isObject(error)) return caller?.resolve(result);
        caller?.reject(
          new RpcError(Number(error['code']), `${String(error['message'])} ${JSON.stringify(error['data'] ?? '')}`),
        );
      },
      onClosed(_, code) {
        for (const caller of waiting.values())
          caller.reject(new BrokenPromise('answered', `${url} closed with ${code} while a request waited`));
      },
    },
    patienceMs,
  );
  return {
    async call(method, params) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      try {
        return await within(patienceMs, answer, method);
      } finally {
        waiting.delete(id);
      }
    },
    close: () => wire.close(),
  };
}
