import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { base64 } from '@scure/base';
import { utf8 } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';
import { CommitmentProofSchema } from '../../core/proto/cosmos/ics23/v1/proofs_pb.js';
import { MerkleProofSchema } from '../../core/proto/ibc/core/commitment/v1/commitment_pb.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { asObject, type JsonObject, textOf } from './rpc-client.js';
import { type RevisionHeight, revisionOf } from '../../core/modules/ibc/self-height.js';

/** A value of the ibc store with its proof, in the form that another chain's light client verifies. */
export interface ProvenValue {
  /** Undefined if it is a proof of absence. */
  readonly value: Uint8Array | undefined;
  /** An encoded `MerkleProof`: of the key in its store, and of the store in the app hash. */
  readonly proof: Uint8Array;
  /** Height of the header with the app hash that the proof is for. */
  readonly proofHeight: RevisionHeight;
}

/** Error text of a chain without the ibc store (`src/node/api/abci-query.ts`). */
const NO_STORE = /^no such store/;
/** Lowest height with a proof: the headers of blocks 1 and 2 have no app hash of a committed state. */
const FIRST_PROVABLE = 3n;

/**
 * Queries a key of the ibc store (ibc-go v10 `QueryTendermintProof` in `modules/core/client/query.go`): at the latest
 * height, or so that the proof is for the header of `height`.
 */
export async function provenValue(
  { rpc }: CommandContext,
  key: string | Uint8Array,
  height: bigint | undefined,
): Promise<ProvenValue> {
  if (height !== undefined && height < FIRST_PROVABLE)
    throw new CommandError(EXIT.usage, 'proof queries at height <= 2 are not supported');
  const result = await rpc.call('abci_query', {
    path: '/store/ibc/key',
    data: hex(typeof key === 'string' ? utf8(key) : key),
    prove: true,
    ...(height !== undefined && { height: (height - 1n).toString() }),
  });
  const response = asObject(result['response']);
  if (response['code'] !== 0 && response['code'] !== undefined) {
    const log = String(response['log']);
    if (NO_STORE.test(log)) throw new CommandError(EXIT.notAvailable, 'the chain of this node has no module ibc');
    throw new CommandError(EXIT.failed, log);
  }
  const status = asObject((await rpc.call('status'))['node_info']);
  return {
    value: bytesOf(response, 'value'),
    proof: merkleProof(response),
    proofHeight: {
      revisionNumber: revisionOf(textOf(status, 'network')),
      revisionHeight: BigInt(textOf(response, 'height')) + 1n,
    },
  };
}

function bytesOf(object: JsonObject, name: string): Uint8Array | undefined {
  const text = textOf(object, name);
  return text === '' ? undefined : base64.decode(text);
}

/** The proof's operations, from the key to the app hash, as one message. */
function merkleProof(response: JsonObject): Uint8Array {
  const proofOps = response['proofOps'] === null ? {} : asObject(response['proofOps']);
  const ops: unknown = proofOps['ops'];
  const proofs = (Array.isArray(ops) ? ops : []).map((op: unknown) =>
    fromBinary(CommitmentProofSchema, bytesOf(asObject(op), 'data') ?? new Uint8Array()),
  );
  return toBinary(MerkleProofSchema, create(MerkleProofSchema, { proofs }));
}
