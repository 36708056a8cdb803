/** Delivery of notifications to websockets, for every push face. */
export { closeOf, type CutOff } from './cut-off.js';
export { type PushConnection } from './connection.js';
export { createPushEngine, type EndedDelivery, type PushEngine, type PushEngineOptions } from './engine.js';
export { followedBy } from './followed-by.js';
export type { PushAnswer, PushEncoding, PushRequest, PushSocket, PushStart, PushSubscription } from './face.js';
export type { Delivery } from './delivery.js';
export { createPump, type DeliverySocket, type SocketWriter, type Pump, type PumpCounters } from './pump.js';
export { CURSOR_ERRORS, INVALID_CURSOR } from './cursor-errors.js';
