/** The ABCI 2.0 socket server, through which a consensus engine in another process drives the application. */
export { abciUrl, type AbciAddress, AddressInUse, AddressRefused, parseAbciAddress } from './address.js';
export type { AbciLog } from './connection.js';
export type { AbciCounts } from './counters.js';
export { type AbciServer, type AbciServerOptions, startAbciServer } from './server.js';
