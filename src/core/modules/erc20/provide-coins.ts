import { MAX_UINT256 } from '../../bigint.js';
import { Owner } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import type { MsgTransfer } from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { requireAddress } from '../../sdk/codec/address.js';
import { parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { getSpendable } from '../bank/spendable.js';
import { convertTokens } from './convert.js';
import { contractOf, getFlag, tokenPairOfDenom } from './store.js';

/**
 * Before a transfer, converts as many tokens of a contract as the sender lacks coins (evmos v9
 * `x/ibc/transfer/keeper/msg_server.go`). The amount that means the entire balance converts nothing.
 */
export function convertMissingCoins(context: Context, { sender: name, token }: MsgTransfer): void {
  const { denom = '', amount = '' } = token ?? {};
  const pair = tokenPairOfDenom(context, denom);
  const needed = parseAmount(amount) ?? 0n;
  if (pair?.contractOwner !== Owner.EXTERNAL || !pair.enabled || needed === MAX_UINT256) return;
  const contract = contractOf(pair.erc20Address);
  if (contract === undefined || !getFlag(context, 'enableErc20')) return;
  const sender = requireAddress(context.chain.bech32Prefix, name, 'invalid sender address');
  const missing = needed - getSpendable(context, sender, denom);
  if (missing > 0n) convertTokens(context, { token: contract, amount: missing, sender, receiver: sender });
}
