/** Evidence of validator misbehavior (cosmos-sdk v0.53 `x/evidence`). */
import { toBinary } from '@bufbuild/protobuf';
import { bytesOfDigits, upperHex } from '../../bytes/hex.js';
import {
  EquivocationSchema,
  file_cosmos_evidence_v1beta1_evidence,
} from '../../proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { GenesisStateSchema } from '../../proto/cosmos/evidence/v1beta1/genesis_pb.js';
import * as pb from '../../proto/cosmos/evidence/v1beta1/query_pb.js';
import { file_cosmos_evidence_v1beta1_tx } from '../../proto/cosmos/evidence/v1beta1/tx_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { hexProblem } from '../../sdk/go/go-text.js';
import { query, type Module } from '../../sdk/module/module.js';
import { paginateCollection } from '../../sdk/module/pagination.js';
import { grpcError, plainError } from '../../sdk/module/sdk-error.js';
import { beginBlock } from './equivocation.js';
import { allEvidence, decodeEvidence, EVIDENCE_PREFIX, getEvidence, setEvidence, STORE } from './store.js';
import { equivocationOf, equivocationProblem, submitEvidence } from './submit.js';

/** Parses a hash in a query; throws with Go's text (`encoding/hex` DecodeString). */
function requireHash(hash: string): Uint8Array {
  if (hash === '') throw grpcError('InvalidArgument', 'invalid request; hash is empty');
  const bytes = bytesOfDigits(hash);
  if (bytes !== undefined) return bytes;
  const reason = hexProblem(hash);
  throw plainError(`invalid evidence hash: encoding/hex: ${reason}`);
}

const queries = [
  query(pb.Query, 'evidence', (context, { hash }) => {
    const evidence = getEvidence(context, requireHash(hash));
    if (evidence === undefined) throw grpcError('NotFound', `evidence ${hash} not found`);
    return { evidence };
  }),
  query(pb.Query, 'allEvidence', (context, { pagination }) =>
    paginateCollection({ context, store: STORE, prefix: EVIDENCE_PREFIX }, pagination, ({ value }) =>
      decodeEvidence(value),
    ),
  ),
];

function initGenesis(context: Context, section: unknown): void {
  const { evidence } = readSection('app_state.evidence', GenesisStateSchema, section ?? {}, context.router.types);
  evidence.forEach((any, index) => {
    const path = `app_state.evidence.evidence[${index}]`;
    const equivocation = equivocationOf(any);
    if (equivocation === undefined) throw new GenesisError(path, 'expected evidence');
    const problem = equivocationProblem(equivocation);
    if (problem !== undefined) throw new GenesisError(path, problem);
    const bytes = toBinary(EquivocationSchema, equivocation);
    const hash = context.crypto.sha256(bytes);
    if (getEvidence(context, hash) !== undefined)
      throw new GenesisError(path, `evidence with hash ${upperHex(hash)} already exists`);
    setEvidence(context, bytes);
  });
}

function exportGenesis(context: Context): unknown {
  return writeSection(GenesisStateSchema, { evidence: [...allEvidence(context)] }, context.router.types);
}

export const evidenceModule: Module = {
  name: 'evidence',
  store: STORE,
  consensusVersion: 1n,
  initGenesis,
  exportGenesis,
  messages: [submitEvidence],
  queries,
  types: [file_cosmos_evidence_v1beta1_tx, file_cosmos_evidence_v1beta1_evidence],
  beginBlock,
};
