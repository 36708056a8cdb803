/**
 * The streams that connect the parts of a node: the log's records, the streams derived from them, signals, and the way
 * out of RxJS.
 */
export { feedEndingOnOverflow } from './feed.js';
export { heardWhen, heardWhile } from './heard-while.js';
export type { Hearing } from './hearing.js';
export { project, projection, type MadeBy, type Message, type Projection } from './projection.js';
export { admissions, type Admitted } from './projections/admissions.js';
export { drops, type Dropped } from './projections/drops.js';
export { executed, type Executed } from './projections/executed.js';
export { halts, type Halted } from './projections/halts.js';
export { reverts, type ChainReverted } from './projections/reverts.js';
export { createRecordStreams, type RecordStreams } from './record-streams.js';
export { createSignal, type Signal } from './signal.js';
export { createStage, type Phase, type Slot, type Stage } from './stage.js';
export type { Observable } from 'rxjs';
