/** Polling filters of the Ethereum face. */
export { createFilterManager, type FilterManager, type FilterManagerPorts } from './filter-manager.js';
