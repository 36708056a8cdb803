/** Delivery of notifications to many sockets, for every push face. */
export {
  createPump,
  type DeliveryFrame,
  type DeliverySocket,
  type DeliveryTarget,
  type Outlet,
  type Pump,
  type PumpCounters,
  type PumpOptions,
} from './pump.js';
