/** Bank precompile: balances and supplies of coins by ERC-20 address (cosmos/evm v0.6 `precompiles/bank`). */
import { allBalances, getSupply, STORE, SUPPLY_PREFIX, decodeAmount } from '../../modules/bank/balances.js';
import { contractOfDenom } from '../../modules/erc20/token-address.js';
import { tokenPairOfContract } from '../../modules/erc20/store.js';
import { text } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import type { Context } from '../../sdk/module/context.js';
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { listOf, tuple } from '../abi/compounds.js';
import { address, uint256 } from '../abi/words.js';
import { contractAddress, pricedContract, viewMethod } from '../contract.js';

/** Gas for one balance and for one supply. */
const BALANCE_GAS = 2_851n;
const SUPPLY_GAS = 2_477n;

const balanceList = listOf(tuple({ contractAddress: address, amount: uint256 }));

interface HolderBalance {
  readonly denom: string;
  readonly amount: bigint;
}

/** Converts coins to tokens; coins without a token are left out. Each coin after the first costs `price` gas. */
function tokensOf(context: Context, coins: Iterable<HolderBalance>, price: bigint, location: string) {
  const tokens: { readonly contractAddress: Uint8Array; readonly amount: bigint }[] = [];
  let isFirst = true;
  for (const { denom, amount } of coins) {
    if (!isFirst) context.gas.consume(price, location);
    isFirst = false;
    const contract = contractOfDenom(context, denom);
    if (contract !== undefined) tokens.push({ contractAddress: contract, amount });
  }
  return tokens;
}

const balances = viewMethod('balances', [address], [balanceList], (context, [owner]) => [
  tokensOf(
    context,
    allBalances(context, owner).map(({ denom, amount }) => ({ denom, amount: BigInt(amount) })),
    BALANCE_GAS,
    'ERC-20 extension balances method',
  ),
]);

const totalSupply = viewMethod('totalSupply', [], [balanceList], (context) => [
  tokensOf(context, supplies(context), SUPPLY_GAS, 'ERC-20 extension totalSupply method'),
]);

const supplyOf = viewMethod('supplyOf', [address], [uint256], (context, [contract]) => {
  const pair = tokenPairOfContract(context, contract);
  return [pair === undefined ? 0n : getSupply(context, pair.denom)];
});

function* supplies({ store }: Context): Generator<HolderBalance> {
  for (const { key, value } of store.range(STORE, prefixRange(SUPPLY_PREFIX)))
    yield { denom: text(key.subarray(SUPPLY_PREFIX.length)), amount: decodeAmount(value) };
}

export const bankContract: StatefulPrecompile = pricedContract(
  contractAddress(0x804),
  [balances, totalSupply, supplyOf],
  { balances: BALANCE_GAS, totalSupply: SUPPLY_GAS, supplyOf: SUPPLY_GAS },
);
