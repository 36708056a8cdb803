/** `query ibc-transfer ...` (ibc-go v10 `modules/apps/transfer/client/cli/query.go`). */
import { sha256 } from '@noble/hashes/sha2.js';
import { escrowAddress as accountOf } from '../../core/modules/transfer/escrow.js';
import { Query } from '../../core/proto/ibc/applications/transfer/v1/query_pb.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { evmQuery, evmFirstPage } from '../table/query-rows.js';
import { nodePrefix } from '../values/names.js';
import { evmUnary } from '../table/unary.js';

const { method } = Query;

/**
 * `query ibc-transfer escrow-address PORT CHANNEL`: computes the escrow address from the names; the channel need not
 * exist.
 */
const escrowAddress: CommandBody = async (context, [portId = '', channelId = '']) => {
  const account = accountOf(sha256, { portId, channelId });
  context.ports.stdout(`${encodeAddress(await nodePrefix(context), account)}\n`);
};

export const commands: readonly CommandRow[] = [
  ask('ibc-transfer params', 'parameters of transfers', evmUnary(method.params, undefined, 'params')),
  evmFirstPage('ibc-transfer denoms', 'tokens of other chains', method.denoms),
  evmQuery('ibc-transfer denom <hash-or-denom>', 'the way of a token', method.denom),
  evmQuery('ibc-transfer denom-hash <trace>', 'the hash of a way', method.denomHash),
  ask(
    'ibc-transfer escrow-address <port-id> <channel-id>',
    'the account that holds the coins that left over a channel',
    escrowAddress,
  ),
  evmQuery('ibc-transfer total-escrow <denom>', 'the coins of a denom that left', method.totalEscrowForDenom),
];
