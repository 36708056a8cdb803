/** Block production by local validators. */
export { createConsensus, type Consensus, type ConsensusView, type Lease } from './consensus.js';
export type { BlockRequest, Decision, NextHeight } from '../../core/consensus/local-validators.js';
export type { Available, ConsensusPorts, Preparation, PreparationEnded } from './ports.js';
export type { ConsensusMode } from './production.js';
