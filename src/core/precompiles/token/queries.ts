/** View methods of the ERC-20 precompile (cosmos/evm v0.6 `precompiles/erc20/query.go`). */
import { getMetadata, getSupply } from '../../modules/bank/balances.js';
import { getSpendable } from '../../modules/bank/spendable.js';
import { spendableBalance } from '../../modules/evm/coins.js';
import { evmDenom } from '../../sdk/coins/evm-coin.js';
import { getAllowance } from '../../modules/erc20/store.js';
import type { Metadata } from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { text } from '../abi/compounds.js';
import { address, uint, uint256 } from '../abi/words.js';
import { type Method, viewMethod } from '../contract.js';

/** Metadata of a coin. Without metadata the call reverts, as in a contract without that function. */
function requireMetadata(context: Context, denom: string): Metadata {
  const metadata = getMetadata(context, denom);
  if (metadata === undefined) throw plainError('execution reverted');
  return metadata;
}

function decimalsOf({ base, display, denomUnits }: Metadata): bigint {
  const shown = base.startsWith('ibc/') ? display.split('/').at(-1) : display;
  const unit = denomUnits.findLast(({ denom }) => denom === shown);
  if (unit === undefined || unit.exponent > 255) throw plainError('execution reverted');
  return BigInt(unit.exponent);
}

/** Spendable balance; for the native coin the balance that the EVM sees. */
function spendableOf(context: Context, account: Uint8Array, denom: string): bigint {
  return denom === evmDenom(context) ? spendableBalance(context, account) : getSpendable(context, account, denom);
}

/** View methods for a denom. */
export function tokenQueries(denom: string): readonly Method[] {
  return [
    viewMethod('name', [], [text], (context) => [requireMetadata(context, denom).name]),
    viewMethod('symbol', [], [text], (context) => [requireMetadata(context, denom).symbol]),
    viewMethod('decimals', [], [uint(8)], (context) => [decimalsOf(requireMetadata(context, denom))]),
    viewMethod('totalSupply', [], [uint256], (context) => [getSupply(context, denom)]),
    viewMethod('balanceOf', [address], [uint256], (context, [account]) => [spendableOf(context, account, denom)]),
    viewMethod('allowance', [address, address], [uint256], (context, [owner, spender], call) => [
      getAllowance(context, [call.address, owner, spender]),
    ]),
  ];
}
