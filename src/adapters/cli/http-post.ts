/**
 * Posts a JSON body and resolves with the text of the answer, whatever its status. Rejects when the server cannot be
 * reached, the connection breaks or the answer takes longer than `timeoutMs`. Not `fetch`, because the first call of
 * `fetch` costs a command four times as much.
 */
export async function postJson(url: URL, body: string, timeoutMs: number): Promise<string> {
  // Loaded with the first request: `dev` sends none.
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
