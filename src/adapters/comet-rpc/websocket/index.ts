/** Subscriptions and calls over `/websocket` of the consensus RPC. */
export { createCometSession, type CometSessionOptions } from './session.js';
