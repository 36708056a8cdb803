/** Delivery of `eth_subscribe` (the implementation behind `subscription-seam.ts`). */
export { createDeliveryHub, type DeliveryHub, type DeliveryHubOptions } from './hub.js';
