/** Calls a handler as the transport does. */
import type { HttpHandler } from '../../../src/adapters/transport/index.js';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function ask(face: HttpHandler, { method, path, headers = {}, body = '' }: Asked): Promise<Answered> {
  const [target = '', ...query] = path.split('?');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const answer = await face({
    method,
    path: target,
    query: query.join('?'),
    headers: new Map(Object.entries(headers)),
    body: bytes,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString('latin1'),
  };
}
