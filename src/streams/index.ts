/** Streams that connect the parts of a node: log records, derived streams, signals, and the exit from RxJS. */
export { feedEndingOnOverflow } from './feed.js';
export { heardWhen, heardWhile } from './heard-while.js';
export type { ConsumerStream } from './consumer-stream.js';
export { project, projection, type MessageOf, type Message, type Projection } from './projection.js';
export { admissions, type Admitted } from './projections/admissions.js';
export { drops, type Dropped } from './projections/drops.js';
export { executed, type Executed } from './projections/executed.js';
export { halts, type Halted } from './projections/halts.js';
export { reverts, type ChainReverted } from './projections/reverts.js';
export { createRecordStreams, type RecordStreams } from './record-streams.js';
export { createSignal, type Signal } from './signal.js';
export { createRecordDispatcher, type Phase, type Slot, type RecordDispatcher } from './record-dispatcher.js';
export type { Observable } from 'rxjs';
