/** Dispatches an ABCI request to the application and encodes the response. */
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { AbciApplication, AbciChunkAnswer, SnapshotVerdict, Verdict } from '../../core/abci/abci-application.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import { concatAll } from '../../core/bytes/bytes.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import {
  CheckTxType,
  type Request,
  RequestSchema,
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  ResponseProcessProposal_ProposalStatus as ProposalStatus,
  ResponseSchema,
  ResponseVerifyVoteExtension_VerifyStatus as VerifyStatus,
} from '../../core/proto/tendermint/abci/types_pb.js';
import { hasMoreParts } from '../../core/sdk/codec/message-parts.js';
import { MalformedMessage, varint } from './frames.js';
import { blockOf, heightOf, initChainOf, offeredSnapshot } from './read-request.js';

/** A decoded request with its method. */
export type AbciRequest = Exclude<Request['value'], { readonly case: undefined }>;
/** Name of an ABCI method, such as `finalizeBlock`. */
export type AbciMethod = AbciRequest['case'];

/** Decodes a request. Throws MalformedMessage. */
export function readRequest(message: Uint8Array): AbciRequest {
  if (hasMoreParts(RequestSchema, message, FIXED_LIMITS.abciMessageParts))
    throw new MalformedMessage(`a request with more than ${FIXED_LIMITS.abciMessageParts} fields`);
  let value: Request['value'];
  try {
    ({ value } = fromBinary(RequestSchema, message));
  } catch {
    throw new MalformedMessage('not a request of ABCI');
  }
  if (value.case === undefined) throw new MalformedMessage('a request without a method of ABCI 2.0');
  return value;
}

/**
 * Calls the application; resolves with an encoded `tendermint.abci.Response`. Rejects with the application's error.
 */
export async function answer(app: AbciApplication, request: AbciRequest): Promise<Uint8Array> {
  switch (request.case) {
    case 'echo':
      return response({ case: 'echo', value: { message: request.value.message } });
    case 'flush':
      return response({ case: 'flush', value: {} });
    case 'info':
      return response({ case: 'info', value: await app.info() });
    case 'query':
      return queryAnswer(await app.query(request.value));
    case 'checkTx': {
      const kind = request.value.type === CheckTxType.RECHECK ? 'recheck' : 'new';
      return response({ case: 'checkTx', value: await app.checkTx(request.value.tx, kind) });
    }
    case 'initChain': {
      const { validators, consensusParams, appHash } = await app.initChain(initChainOf(request.value));
      const value = { validators: [...validators], ...(consensusParams && { consensusParams }), appHash };
      return response({ case: 'initChain', value });
    }
    case 'prepareProposal':
      return response({
        case: 'prepareProposal',
        value: { txs: [...(await app.prepareProposal(request.value))] },
      });
    case 'processProposal': {
      const status = PROPOSAL[await app.processProposal(blockOf(request.value))];
      return response({ case: 'processProposal', value: { status } });
    }
    case 'extendVote':
      return response({
        case: 'extendVote',
        value: { voteExtension: await app.extendVote(blockOf(request.value)) },
      });
    case 'verifyVoteExtension': {
      const status = EXTENSION[await app.verifyVoteExtension(request.value.voteExtension)];
      return response({ case: 'verifyVoteExtension', value: { status } });
    }
    case 'finalizeBlock':
      return finalized(await app.finalizeBlock(blockOf(request.value)));
    case 'commit':
      return response({ case: 'commit', value: await app.commit() });
    case 'listSnapshots':
      return response({ case: 'listSnapshots', value: { snapshots: [...(await app.listSnapshots())] } });
    case 'offerSnapshot': {
      const result = OFFER[await app.offerSnapshot(offeredSnapshot(request.value), request.value.appHash)];
      return response({ case: 'offerSnapshot', value: { result } });
    }
    case 'loadSnapshotChunk': {
      const { height, format, chunk } = request.value;
      const value = { chunk: await app.loadSnapshotChunk({ height: heightOf(height), format, chunk }) };
      return response({ case: 'loadSnapshotChunk', value });
    }
    case 'applySnapshotChunk': {
      const { result, refetchChunks, rejectSenders } = await app.applySnapshotChunk(request.value);
      const value = { result: CHUNK[result], refetchChunks: [...refetchChunks], rejectSenders: [...rejectSenders] };
      return response({ case: 'applySnapshotChunk', value });
    }
  }
}

/** The encoded exception response, after which the connection is closed. */
export function exception(message: string): Uint8Array {
  return response({ case: 'exception', value: { error: message } });
}

type ResponseValue = NonNullable<MessageInitShape<typeof ResponseSchema>['value']>;

function response(value: ResponseValue): Uint8Array {
  return toBinary(ResponseSchema, create(ResponseSchema, { value }));
}

function queryAnswer({ proofOps, ...rest }: Awaited<ReturnType<AbciApplication['query']>>): Uint8Array {
  const value = { ...rest, ...(proofOps && { proofOps: { ops: proofOps.map((op) => ({ ...op })) } }) };
  return response({ case: 'query', value });
}

/** Tag of `Response.finalize_block`, and of `ResponseFinalizeBlock.app_hash`. */
const FINALIZE_BLOCK = varint(21 * 8 + 2);
const APP_HASH = varint(5 * 8 + 2);

/** Builds the response from already encoded results, with the app hash as the last field. */
function finalized({ bytes, appHash }: EncodedResults): Uint8Array {
  const hash = appHash.length === 0 ? [] : [APP_HASH, varint(appHash.length), appHash];
  const length = hash.reduce((sum, part) => sum + part.length, bytes.length);
  return concatAll([FINALIZE_BLOCK, varint(length), bytes, ...hash]);
}

const PROPOSAL: Readonly<Record<Verdict, ProposalStatus>> = {
  accept: ProposalStatus.ACCEPT,
  reject: ProposalStatus.REJECT,
};

const EXTENSION: Readonly<Record<Verdict, VerifyStatus>> = { accept: VerifyStatus.ACCEPT, reject: VerifyStatus.REJECT };

const OFFER: Readonly<Record<SnapshotVerdict, OfferResult>> = {
  accept: OfferResult.ACCEPT,
  abort: OfferResult.ABORT,
  reject: OfferResult.REJECT,
  'reject format': OfferResult.REJECT_FORMAT,
  'reject sender': OfferResult.REJECT_SENDER,
};

const CHUNK: Readonly<Record<AbciChunkAnswer['result'], ChunkResult>> = {
  accept: ChunkResult.ACCEPT,
  abort: ChunkResult.ABORT,
  retry: ChunkResult.RETRY,
  'retry snapshot': ChunkResult.RETRY_SNAPSHOT,
  'reject snapshot': ChunkResult.REJECT_SNAPSHOT,
};
