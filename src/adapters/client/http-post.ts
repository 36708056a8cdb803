/** An answer took too long. */
export class AnswerTimedOut extends Error {
  constructor(readonly timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000} s`);
  }
}

/**
 * Posts a JSON body and resolves with the text of the answer, whatever its status. Rejects when the server cannot be
 * reached or the connection breaks, with AnswerTimedOut when the answer takes longer than `timeoutMs`. Not `fetch`,
 * because the first call of `fetch` costs a command four times as much.
 */
export async function postJson(url: URL, body: string, timeoutMs: number): Promise<string> {
  // Loaded with the first request: `dev` sends none.
  const { request } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(signal.aborted ? new AnswerTimedOut(timeoutMs) : error);
    const outgoing = request(url, { method: 'POST', headers, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', failed);
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}
