/** The gRPC services as one method table, shared by all faces that serve them. */
export { abciAnswer } from './abci.js';
export { aliasedPath } from './aliases.js';
export type { ChainFacts } from './chain-facts.js';
export { describeFiles, type ServedFiles, servedFiles } from './files.js';
export { HEIGHT_HEADER, parseHeight } from './height.js';
export type { ServiceAnswer, ServiceMethod } from './method.js';
export { refusal, refusalOf, STATUS, type Refusal, type StatusCode } from './status.js';
export { createServices, pathOf, unknownMethod, type ServicesOptions, type ServiceTable } from './table.js';
