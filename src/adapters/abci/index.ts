/** The socket protocol of ABCI 2.0, by which a consensus engine in another process drives an application. */
export { abciUrl, type AbciAddress, AddressInUse, AddressRefused, parseAbciAddress } from './address.js';
export type { AbciLog } from './connection.js';
export type { AbciCounts } from './counters.js';
export { type AbciServer, type AbciServerOptions, startAbciServer } from './server.js';
