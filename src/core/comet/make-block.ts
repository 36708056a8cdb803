/**
 * Builds a block like a proposer: the body, then the header with its hashes (CometBFT v0.38 `MakeBlock` in
 * `state/state.go`).
 */
import { create } from '@bufbuild/protobuf';
import type { Height, TimeNs } from '../primitives.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { Evidence } from '../proto/tendermint/types/evidence_pb.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';
import { type BlockID, type Commit, CommitSchema, type Header } from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';
import { commitHash, consensusParamsHash, dataHash, evidenceListHash } from './body-hash.js';
import { emptyBlockId } from './complete.js';
import type { Sha256 } from './merkle.js';
import { toTimestamp } from './time.js';
import { validatorSetHash } from './validator-set.js';
import { BLOCK_PROTOCOL } from './versions.js';

export interface BlockContents {
  readonly chainId: string;
  readonly height: Height;
  readonly time: TimeNs;
  readonly txs: readonly Uint8Array[];
  /** Commit of the previous block; `emptyCommit()` for the first block. */
  readonly lastCommit: Commit;
  /** Id of the previous block; undefined for the first block. */
  readonly lastBlockId: BlockID | undefined;
  readonly evidence?: readonly Evidence[];
  /** Validator sets of this height and of the next. */
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
  readonly consensusParams: ConsensusParams;
  /** App hash after the previous block, of any length; that of InitChain for the first block. */
  readonly appHash: Uint8Array;
  /** `resultsHash` of the previous block; that of no results for the first block. */
  readonly lastResultsHash: Uint8Array;
  readonly proposerAddress: Uint8Array;
  /** App version in the header; default: `consensusParams.version.app`. */
  readonly appVersion?: bigint;
}

/** Creates the empty commit of the first block. */
export function emptyCommit(): Commit {
  return create(CommitSchema, { blockId: emptyBlockId() });
}

/** Builds the block. Its app version is `appVersion`, else that of the parameters, else 0. */
export function makeBlock(crypto: Sha256, contents: BlockContents): Block {
  const evidence = [...(contents.evidence ?? [])];
  const txs = [...contents.txs];
  const header: Header = {
    $typeName: 'tendermint.types.Header',
    version: {
      $typeName: 'tendermint.version.Consensus',
      block: BLOCK_PROTOCOL,
      app: contents.appVersion ?? contents.consensusParams.version?.app ?? 0n,
    },
    chainId: contents.chainId,
    height: contents.height,
    time: toTimestamp(contents.time),
    lastBlockId: contents.lastBlockId ?? emptyBlockId(),
    lastCommitHash: commitHash(crypto, contents.lastCommit),
    dataHash: dataHash(crypto, txs),
    validatorsHash: validatorSetHash(crypto, contents.validators),
    nextValidatorsHash: validatorSetHash(crypto, contents.nextValidators),
    consensusHash: consensusParamsHash(crypto, contents.consensusParams),
    appHash: contents.appHash,
    lastResultsHash: contents.lastResultsHash,
    evidenceHash: evidenceListHash(crypto, evidence),
    proposerAddress: contents.proposerAddress,
  };
  return {
    $typeName: 'tendermint.types.Block',
    header,
    data: { $typeName: 'tendermint.types.Data', txs },
    evidence: { $typeName: 'tendermint.types.EvidenceList', evidence },
    lastCommit: contents.lastCommit,
  };
}
