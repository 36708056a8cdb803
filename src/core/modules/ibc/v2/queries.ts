/**
 * Queries of IBC v2, whose packets go between clients without channels (ibc-go v10
 * `modules/core/02-client/v2/keeper/grpc_query.go` and `modules/core/04-channel/v2/keeper/grpc_query.go`). ibc-go's
 * lists fail for sequences that contain the byte of a slash (such as 47); these do not.
 */
import { readBe64 } from '../../../bytes/big-endian.js';
import type { PageRequest } from '../../../proto/cosmos/base/query/v1beta1/pagination_pb.js';
import * as channel from '../../../proto/ibc/core/channel/v2/query_pb.js';
import * as client from '../../../proto/ibc/core/client/v2/query_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { has } from '../../../sdk/module/gas.js';
import { query } from '../../../sdk/module/module.js';
import { paginate } from '../../../sdk/module/pagination.js';
import { grpcError } from '../../../sdk/module/sdk-error.js';
import { requireIdentifier } from '../identifiers.js';
import { nextSequenceSendKeyV2, packetKeyV2, packetsPrefixV2 } from '../keys.js';
import { selfHeight } from '../self-height.js';
import { STORE } from '../store.js';
import { getConfig, getCounterparty } from './counterparties.js';

type Kind = Parameters<typeof packetKeyV2>[0];

function requireSequence(sequence: bigint): void {
  if (sequence === 0n) throw grpcError('InvalidArgument', 'packet sequence cannot be 0');
}

/** Stored hash of one packet; throws when there is none. */
function valueOf(
  { store }: Context,
  kind: 'commitments' | 'acks',
  { clientId, sequence }: { readonly clientId: string; readonly sequence: bigint },
): Uint8Array {
  requireIdentifier('client', clientId);
  requireSequence(sequence);
  const found = store.get(STORE, packetKeyV2(kind, clientId, sequence));
  const what = kind === 'acks' ? 'acknowledgement' : 'commitment';
  if (found === undefined) throw grpcError('NotFound', `packet ${what} hash not found`);
  return found;
}

/** One page of a client's packet records. */
function packetsOf(context: Context, kind: Kind, clientId: string, request: PageRequest | undefined) {
  const prefix = packetsPrefixV2(kind, clientId);
  return paginate({ context, store: STORE, prefix }, request, ({ key, value }) => ({
    clientId,
    sequence: readBe64(key, prefix.length),
    data: value,
  }));
}

export const v2Queries = [
  query(client.Query, 'counterpartyInfo', (context, { clientId }) => {
    requireIdentifier('client', clientId);
    const counterpartyInfo = getCounterparty(context, clientId);
    if (counterpartyInfo === undefined) throw grpcError('NotFound', `client ${clientId} counterparty not found`);
    return { counterpartyInfo };
  }),
  query(client.Query, 'config', (context, { clientId }) => {
    requireIdentifier('client', clientId);
    return { config: getConfig(context, clientId) };
  }),
  query(channel.Query, 'nextSequenceSend', (context, { clientId }) => {
    requireIdentifier('client', clientId);
    const next = context.store.get(STORE, nextSequenceSendKeyV2(clientId));
    if (next === undefined) throw grpcError('NotFound', `client-id ${clientId}: sequence send not found`);
    return { nextSequenceSend: readBe64(next), proofHeight: selfHeight(context) };
  }),
  query(channel.Query, 'packetCommitment', (context, request) => ({
    commitment: valueOf(context, 'commitments', request),
    proofHeight: selfHeight(context),
  })),
  query(channel.Query, 'packetCommitments', (context, { clientId, pagination }) => {
    requireIdentifier('client', clientId);
    const { rows, page } = packetsOf(context, 'commitments', clientId, pagination);
    return { commitments: rows, pagination: page, height: selfHeight(context) };
  }),
  query(channel.Query, 'packetAcknowledgement', (context, request) => ({
    acknowledgement: valueOf(context, 'acks', request),
    proofHeight: selfHeight(context),
  })),
  query(channel.Query, 'packetAcknowledgements', (context, { clientId, packetCommitmentSequences, pagination }) => {
    requireIdentifier('client', clientId);
    if (packetCommitmentSequences.length > 0) {
      const acknowledgements = packetCommitmentSequences.flatMap((sequence) => {
        const data = context.store.get(STORE, packetKeyV2('acks', clientId, sequence));
        return data === undefined ? [] : [{ clientId, sequence, data }];
      });
      return { acknowledgements, height: selfHeight(context) };
    }
    const { rows, page } = packetsOf(context, 'acks', clientId, pagination);
    return { acknowledgements: rows, pagination: page, height: selfHeight(context) };
  }),
  query(channel.Query, 'packetReceipt', (context, { clientId, sequence }) => {
    requireIdentifier('client', clientId);
    requireSequence(sequence);
    const received = has(context.store, STORE, packetKeyV2('receipts', clientId, sequence));
    return { received, proofHeight: selfHeight(context) };
  }),
  query(channel.Query, 'unreceivedPackets', (context, { clientId, sequences }) => {
    requireIdentifier('client', clientId);
    const zero = sequences.indexOf(0n);
    if (zero !== -1) throw grpcError('InvalidArgument', `packet sequence ${zero} cannot be 0`);
    return {
      sequences: sequences.filter((each) => !has(context.store, STORE, packetKeyV2('receipts', clientId, each))),
      height: selfHeight(context),
    };
  }),
  query(channel.Query, 'unreceivedAcks', (context, { clientId, packetAckSequences }) => {
    requireIdentifier('client', clientId);
    for (const sequence of packetAckSequences) requireSequence(sequence);
    const sequences = packetAckSequences.filter((each) =>
      has(context.store, STORE, packetKeyV2('commitments', clientId, each)),
    );
    return { sequences, height: selfHeight(context) };
  }),
];
