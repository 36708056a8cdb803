/** The header by which the application knows that its answers come from one process (`docs/interfaces/pages.md`). */
import type { StreamingHttpHandler } from '../transport/index.js';

/** Adds `x-node` with the name of this process to answers to requests of the application, which have `x-page`. */
export function withProcessHeader(process: string, next: StreamingHttpHandler): StreamingHttpHandler {
  return (request) => {
    const answer = next(request);
    // The requests of programs are not looked at any further.
    if (!request.headers.has('x-page')) return answer;
    return Promise.resolve(answer).then((one) => ({ ...one, headers: { ...one.headers, 'x-node': process } }));
  };
}
