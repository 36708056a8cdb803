/**
 * Requests to the node that served the application. Another process at the same port may be another chain: what it
 * answers is not shown before a look has told whose it is.
 */

/** The process that the last look heard, by its name; empty before the first, and on faces that do not say it. */
let heard = '';
let onStranger = (): void => undefined;

/** Takes the process that a look heard as that of the application. */
export function acceptProcess(process: string): void {
  heard = process;
}

/** Calls a function whenever another process than the accepted one has answered. */
export function watchProcess(listener: () => void): void {
  onStranger = listener;
}

/** An answer with the name of the process that gave it. */
export async function fetchAny(path: string, init: RequestInit = {}): Promise<readonly [Response, process: string]> {
  const headers = new Headers(init.headers);
  headers.set('x-page', '1');
  const response = await fetch(path, { ...init, headers });
  return [response, response.headers.get('x-node') ?? ''];
}

/** An answer of the accepted process. Throws for one of another. */
export async function fetchNode(path: string, init: RequestInit = {}): Promise<Response> {
  const [response, process] = await fetchAny(path, init);
  if (heard === '' || process === heard) return response;
  onStranger();
  throw new Error('Another process answers at this address: this page looks first whether it is the same chain.');
}
