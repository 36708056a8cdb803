/** The server did not answer in time. */
export class AnswerTimedOut extends Error {
  constructor(readonly timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000} s`);
  }
}

/**
 * Posts a JSON body; resolves with the response text, whatever its status. Rejects if the server cannot be reached or
 * the connection breaks, and with AnswerTimedOut after `timeoutMs`. It does not use `fetch`, whose first call takes
 * four times as long.
 */
export async function postJson(url: URL, body: string, timeoutMs: number): Promise<string> {
  // Loaded at the first request, because `dev` sends none.
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
