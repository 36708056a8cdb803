/** Polling filters of the Ethereum API. */
export { createFilterManager, type FilterManager, type FilterManagerPorts } from './filter-manager.js';
