/** Proves keys under the app hash, as `abci_query /store/<name>/key` returns them. */
import { toBinary } from '@bufbuild/protobuf';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Sha256 } from '../comet/merkle.js';
import type { DomainError } from '../errors.js';
import type { NodeSlab } from '../iavl/node-slab.js';
import { proveKey } from '../iavl/proof.js';
import { CommitmentProofSchema } from '../proto/cosmos/ics23/v1/proofs_pb.js';
import { proveStore } from './commit-info.js';
import type { ValueReader } from './tree-reader.js';
import { rootIn, type Version } from './versions.js';

/** One op of `proofOps` in `abci_query`, ordered from the key up to the app hash. */
export interface ProofOp {
  readonly type: 'ics23:iavl' | 'ics23:simple';
  readonly key: Uint8Array;
  /** Encoded `cosmos.ics23.v1.CommitmentProof`. */
  readonly data: Uint8Array;
}

export type Proved =
  | { readonly ok: true; readonly ops: readonly ProofOp[] }
  | { readonly ok: false; readonly error: DomainError };

/** Proves presence or absence of a key in a version. Error: bad-query (unknown store). */
export function proveIn(
  trees: { readonly slab: NodeSlab; readonly crypto: Sha256; readonly version: Version },
  store: string,
  key: Uint8Array,
  valueOf: ValueReader,
): Proved {
  const { slab, crypto, version } = trees;
  if (!version.trees.has(store)) return { ok: false, error: { code: 'bad-query', message: `no such store: ${store}` } };
  const inStore = proveKey(slab, rootIn(version, store), key, (each) => valueOf(store, each));
  const ofStore = proveStore(crypto, version.roots, store);
  return {
    ok: true,
    ops: [
      { type: 'ics23:iavl', key, data: toBinary(CommitmentProofSchema, inStore) },
      { type: 'ics23:simple', key: utf8ToBytes(store), data: toBinary(CommitmentProofSchema, ofStore) },
    ],
  };
}
