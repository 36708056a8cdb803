/**
 * Queries of IBC v2, whose packets go from client to client without channels (ibc-go v10
 * `modules/core/02-client/v2/keeper/grpc_query.go` and `modules/core/04-channel/v2/keeper/grpc_query.go`). No client of
 * this build has a counterparty: no packet was sent, received or acknowledged.
 */
import * as channel from '../../proto/ibc/core/channel/v2/query_pb.js';
import * as client from '../../proto/ibc/core/client/v2/query_pb.js';
import { query } from '../../sdk/module/module.js';
import { emptyPage } from '../../sdk/module/pagination.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { requireIdentifier } from './identifiers.js';
import { selfHeight } from './self-height.js';

function requireSequence(sequence: bigint): void {
  if (sequence === 0n) throw grpcError('InvalidArgument', 'packet sequence cannot be 0');
}

/** The refusal of queries about one packet. */
function noPacket({ clientId, sequence }: { clientId: string; sequence: bigint }, what: string): never {
  requireIdentifier('client', clientId);
  requireSequence(sequence);
  throw grpcError('NotFound', `packet ${what} hash not found`);
}

export const v2Queries = [
  query(client.Query, 'counterpartyInfo', (_, { clientId }) => {
    requireIdentifier('client', clientId);
    throw grpcError('NotFound', `client ${clientId} counterparty not found`);
  }),
  query(client.Query, 'config', (_, { clientId }) => {
    requireIdentifier('client', clientId);
    return { config: {} };
  }),
  query(channel.Query, 'nextSequenceSend', (_, { clientId }) => {
    requireIdentifier('client', clientId);
    throw grpcError('NotFound', `client-id ${clientId}: sequence send not found`);
  }),
  query(channel.Query, 'packetCommitment', (_, request) => noPacket(request, 'commitment')),
  query(channel.Query, 'packetCommitments', (context, { clientId, pagination }) => {
    requireIdentifier('client', clientId);
    return {
      pagination: emptyPage(pagination),
      height: selfHeight(context),
    };
  }),
  query(channel.Query, 'packetAcknowledgement', (_, request) => noPacket(request, 'acknowledgement')),
  query(channel.Query, 'packetAcknowledgements', (context, { clientId, packetCommitmentSequences, pagination }) => {
    requireIdentifier('client', clientId);
    return {
      ...(packetCommitmentSequences.length === 0 && { pagination: emptyPage(pagination) }),
      height: selfHeight(context),
    };
  }),
  query(channel.Query, 'packetReceipt', (context, { clientId, sequence }) => {
    requireIdentifier('client', clientId);
    requireSequence(sequence);
    return { proofHeight: selfHeight(context) };
  }),
  query(channel.Query, 'unreceivedPackets', (context, { clientId, sequences }) => {
    requireIdentifier('client', clientId);
    const zero = sequences.indexOf(0n);
    if (zero !== -1) throw grpcError('InvalidArgument', `packet sequence ${zero} cannot be 0`);
    return { sequences, height: selfHeight(context) };
  }),
  query(channel.Query, 'unreceivedAcks', (context, { clientId, packetAckSequences }) => {
    requireIdentifier('client', clientId);
    for (const sequence of packetAckSequences) requireSequence(sequence);
    return { height: selfHeight(context) };
  }),
];
