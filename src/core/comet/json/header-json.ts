/** JSON of headers (CometBFT v0.38 `types/block.go`) and its inverse. */
import { create } from '@bufbuild/protobuf';
import { type Header, HeaderSchema } from '../../proto/tendermint/types/types_pb.js';
import { fromHex, upperHex } from '../../bytes/hex.js';
import { formatTime, fromTimestamp } from '../time.js';
import { blockIdFromJson, blockIdToJson, timestampFromJson } from './block-id-json.js';

/** JSON of a header; `app` is absent when it is 0. */
export type HeaderJson = ReturnType<typeof headerToJson>;

/** Writes hashes and the proposer in upper-case hex; app version 0 is omitted. */
export function headerToJson(header: Header) {
  const { block = 0n, app = 0n } = header.version ?? {};
  return {
    version: { block: String(block), ...(app !== 0n && { app: String(app) }) },
    chain_id: header.chainId,
    height: String(header.height),
    time: formatTime(fromTimestamp(header.time)),
    last_block_id: blockIdToJson(header.lastBlockId),
    last_commit_hash: upperHex(header.lastCommitHash),
    data_hash: upperHex(header.dataHash),
    validators_hash: upperHex(header.validatorsHash),
    next_validators_hash: upperHex(header.nextValidatorsHash),
    consensus_hash: upperHex(header.consensusHash),
    app_hash: upperHex(header.appHash),
    last_results_hash: upperHex(header.lastResultsHash),
    evidence_hash: upperHex(header.evidenceHash),
    proposer_address: upperHex(header.proposerAddress),
  };
}

/** Reads recorded or trusted header JSON; throws on malformed input. */
export function headerFromJson(json: HeaderJson): Header {
  return create(HeaderSchema, {
    version: { block: BigInt(json.version.block), app: BigInt(json.version.app ?? '0') },
    chainId: json.chain_id,
    height: BigInt(json.height),
    time: timestampFromJson(json.time),
    lastBlockId: blockIdFromJson(json.last_block_id),
    lastCommitHash: fromHex(json.last_commit_hash),
    dataHash: fromHex(json.data_hash),
    validatorsHash: fromHex(json.validators_hash),
    nextValidatorsHash: fromHex(json.next_validators_hash),
    consensusHash: fromHex(json.consensus_hash),
    appHash: fromHex(json.app_hash),
    lastResultsHash: fromHex(json.last_results_hash),
    evidenceHash: fromHex(json.evidence_hash),
    proposerAddress: fromHex(json.proposer_address),
  });
}
