/**
 * Text that a JSON body was answered with, whatever the status. Rejects when nothing can be reached, the connection breaks
 * or the answer takes longer than `timeoutMs`. Not `fetch`, whose first call costs a command four times as much.
 */
export async function postJson(url: URL, body: string, timeoutMs: number): Promise<string> {
  // Neither is loaded before a command asks: `dev` never does.
  const { request } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
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
