/**
 * Subscriptions of both push faces: criteria with their indexes, the table of subscriptions, cursors, and the ring of
 * encoded notifications.
 */
export * from './criteria.js';
export * from './cursor.js';
export * from './matching.js';
export * from './ports.js';
export * from './push-input.js';
export * from './table.js';
export { isInRange } from './log-index.js';
export * from './ring.js';
