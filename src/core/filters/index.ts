/** Polling filters of Ethereum JSON-RPC: pure rules. The filter manager owns the table, the store owns the rows. */
export {
  blocksDue,
  deadlineAfter,
  FILTER_IDLE_MS,
  idleTimeLeft,
  nothingNew,
  onBranch,
  termsOf,
  type Filter,
  type FilterHead,
} from './filter.js';
export { RecentAdmissions, type Admissions } from './recent-admissions.js';
export {
  createFilterTable,
  decide,
  evolve,
  filterOf,
  idText,
  own,
  put,
  type FilterCommand,
  type FilterDecision,
  type FilterLimits,
  type FilterTable,
} from './table.js';
