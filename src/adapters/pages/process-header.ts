/** The header with which the application detects that another process answers (`docs/interfaces/pages.md`). */
import type { StreamingHttpHandler } from '../transport/index.js';

/** Adds `x-node` with this process's name to responses, if the request has the application's header `x-page`. */
export function withProcessHeader(process: string, next: StreamingHttpHandler): StreamingHttpHandler {
  return (request) => {
    const answer = next(request);
    // Fast path for other clients.
    if (!request.headers.has('x-page')) return answer;
    return Promise.resolve(answer).then((one) => ({ ...one, headers: { ...one.headers, 'x-node': process } }));
  };
}
