/** `eth_subscribe` on a websocket. */
export type * from './ports.js';
export { createEthereumSubscriptions } from './subscriptions.js';
