/** Configuration of the daemon, and its banner, ready file and failure messages. */
export { announcement, bannerLines, type BannerFacts } from './banner.js';
export { fittedLines } from './fitted-lines.js';
export { FAILURE_EXIT_CODES, type Failure, failureLines } from './failures.js';
export { OPTIONS } from './options.js';
export { boundBy, type Endpoints, endpointsOf, type NodeFacts, readyFile } from './ready-file.js';
export { listenProblem, systemFailure } from './system-failure.js';
export type { ConfigHost } from './option-sources.js';
export { createDaemonConfig } from './resolve.js';
