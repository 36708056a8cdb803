import { request } from 'node:http';

/**
 * Text that a JSON body was answered with, whatever the status. Rejects when nothing can be reached, the connection breaks
 * or the answer takes longer than `timeoutMs`. Not `fetch`, whose first call costs a command four times as much.
 */
export async function postJson(url: URL, body: string, timeoutMs: number): Promise<string> {
  const start = url.protocol === 'https:' ? (await import('node:https')).request : request;
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = start(url, { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
