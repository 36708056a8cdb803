/** Facts of a coin as a token (cosmos/evm v0.6 `precompiles/erc20/query.go`). */
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
import { method, type Method } from '../contract.js';

/** A coin without metadata reverts as a contract that has no such function. */
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

/** The spendable balance; for the EVM's coin it is the balance that the EVM sees. */
function spendableOf(context: Context, account: Uint8Array, denom: string): bigint {
  return denom === evmDenom(context) ? spendableBalance(context, account) : getSpendable(context, account, denom);
}

/** The functions of a denom that read. */
export function tokenQueries(denom: string): readonly Method[] {
  return [
    method({
      name: 'name',
      inputs: [],
      outputs: [text],
      run: (context) => [requireMetadata(context, denom).name],
    }),
    method({
      name: 'symbol',
      inputs: [],
      outputs: [text],
      run: (context) => [requireMetadata(context, denom).symbol],
    }),
    method({
      name: 'decimals',
      inputs: [],
      outputs: [uint(8)],
      run: (context) => [decimalsOf(requireMetadata(context, denom))],
    }),
    method({
      name: 'totalSupply',
      inputs: [],
      outputs: [uint256],
      run: (context) => [getSupply(context, denom)],
    }),
    method({
      name: 'balanceOf',
      inputs: [address],
      outputs: [uint256],
      run: (context, _, [account]) => [spendableOf(context, account, denom)],
    }),
    method({
      name: 'allowance',
      inputs: [address, address],
      outputs: [uint256],
      run: (context, call, [owner, spender]) => [getAllowance(context, [call.address, owner, spender])],
    }),
  ];
}
