/** `query ibc-transfer ...` (ibc-go v10 `modules/apps/transfer/client/cli/query.go`). */
import { sha256 } from '@noble/hashes/sha2.js';
import { escrowAddress as accountOf } from '../../core/modules/transfer/escrow.js';
import { Query } from '../../core/proto/ibc/applications/transfer/v1/query_pb.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { CommandBody } from '../command-table.js';
import { firstPage } from '../first-page.js';
import { nodePrefix } from '../names.js';
import { evmUnary } from '../unary.js';

const { method } = Query;

export const params = evmUnary(method.params, () => ({}), 'params');
export const denoms = evmUnary(method.denoms, firstPage);
export const denom = evmUnary(method.denom, ({ text }) => ({ hash: text(0) }));
export const denomHash = evmUnary(method.denomHash, ({ text }) => ({ trace: text(0) }));
export const totalEscrow = evmUnary(method.totalEscrowForDenom, ({ text }) => ({ denom: text(0) }));

/** `query ibc-transfer escrow-address PORT CHANNEL`: computed from the names, also of a channel that is not there. */
export const escrowAddress: CommandBody = async (context, [portId = '', channelId = '']) => {
  const account = accountOf(sha256, { portId, channelId });
  context.ports.stdout(`${encodeAddress(await nodePrefix(context), account)}\n`);
};
