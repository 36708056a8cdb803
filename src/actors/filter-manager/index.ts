/** Polling filters of the Ethereum face. */
export { createFilterManager, type FilterManager, type FilterManagerOptions } from './filter-manager.js';
