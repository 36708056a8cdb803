/** Subscriptions of consensus clients: pure rules and the port of the registry. */
export * from './ports.js';
export { cursorText, parseCursor, unseen, type Cursor } from './cursor.js';
export { deliveriesOf } from './deliveries.js';
export {
  createRegistryTable,
  decide,
  evolve,
  match,
  type RegistryCommand,
  type RegistryEvent,
  type RegistryLimits,
  type RegistryTable,
} from './registry.js';
export { DeliveryRing, type RingFrame, type RingLimits, type RingPlace, type RingReader } from './ring.js';
