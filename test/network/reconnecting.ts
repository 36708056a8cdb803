/** Commands of clients that reconnect to a node whose processes are killed (`restart`). */
import type { ChainAction, Command } from '../../src/testing/index.js';

/**
 * Two clients with cursors and two kills, with and without a transaction between a kill and the reconnection. The
 * second client has this interest.
 */
export const subscribers = (interest: string): readonly Command<ChainAction>[] => [
  { do: 'subscribe', client: 0, interest: 'logs', from: 'now with cursors' },
  { do: 'subscribe', client: 0, interest: 'newHeads', from: 'now with cursors' },
  { do: 'subscribe', client: 1, interest, from: 'now with cursors' },
  { do: 'emit', contract: 0, topics: [1, 2] },
  { do: 'mine' },
  { do: 'settle' },
  { do: 'restart' },
  { do: 'emit', contract: 1, topics: [3] },
  { do: 'reconnect', client: 0, cursors: true },
  { do: 'reconnect', client: 1, cursors: true },
  { do: 'send' },
  { do: 'mine' },
  { do: 'settle' },
  { do: 'restart' },
  { do: 'reconnect', client: 0, cursors: true },
  { do: 'emit', contract: 0, topics: [1] },
];

/** Filters that survive two kills; the third filter has this interest. */
export const filters = (interest: string): readonly Command<ChainAction>[] => [
  { do: 'install', interest: 'logs' },
  { do: 'install', interest: 'newHeads' },
  { do: 'install', interest },
  { do: 'emit', contract: 0, topics: [1, 2] },
  { do: 'restart' },
  { do: 'poll', filter: 0 },
  { do: 'emit', contract: 1, topics: [3] },
  { do: 'mine' },
  { do: 'restart' },
  { do: 'poll', filter: 0 },
  { do: 'poll', filter: 1 },
  { do: 'poll', filter: 2 },
  { do: 'mine' },
  { do: 'poll', filter: 0 },
];
