/**
 * Requests to the node that serves the application. Another process on the same port may have another chain, so its
 * answers are rejected until a poll has identified the chain.
 */

/** Name of the process that answered the last poll; empty before the first, and on faces without process names. */
let heard = '';
let onStranger = (): void => undefined;

/** Accepts the process that a poll has identified. */
export function acceptProcess(process: string): void {
  heard = process;
}

/** Calls `listener` whenever another process than the accepted one answers. */
export function watchProcess(listener: () => void): void {
  onStranger = listener;
}

/** Fetches from any process; returns the response with the process name. */
export async function fetchAny(path: string, init: RequestInit = {}): Promise<readonly [Response, process: string]> {
  const headers = new Headers(init.headers);
  headers.set('x-page', '1');
  const response = await fetch(path, { ...init, headers });
  return [response, response.headers.get('x-node') ?? ''];
}

/** Fetches from the accepted process. Throws if another one answers. */
export async function fetchNode(path: string, init: RequestInit = {}): Promise<Response> {
  const [response, process] = await fetchAny(path, init);
  if (heard === '' || process === heard) return response;
  onStranger();
  throw new Error('Another process answers at this address: this page looks first whether it is the same chain.');
}
