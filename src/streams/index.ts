/** RxJS inside, plain listeners and async iterables outside. */
export { createHub, type Hub } from './hub.js';
export { feedEndingOnOverflow, type FeedEnd, type FeedOptions } from './feed.js';
