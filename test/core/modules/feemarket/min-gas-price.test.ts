/** The minimum fee of a Cosmos transaction, with the codes and the gas of evmd v0.6.0. */
import { toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import { genesisTransactions } from '../../../../src/core/genesis/genesis-transactions.js';
import { DEFAULT_PARAMS, toMessage } from '../../../../src/core/modules/feemarket/params.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { requireMinGasPrice } from '../../../../src/core/modules/feemarket/min-gas-price.js';
import { requireMinGasPrice as requiredByEvmd } from '../../../../src/core/peers/evmd/feemarket.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import type { StateReader } from '../../../../src/core/state/state.js';
import { account, chain, signed } from '../../app/dev-chain.js';
import { ethereumChain } from '../../app/ethereum-chain.js';
import { stateOf } from '../../app/support.js';

/** The state with a minimum gas price of 7.5. */
function withLowestPrice(before: StateReader): CacheStore {
  const state = new CacheStore(before);
  const params = { ...DEFAULT_PARAMS, noBaseFee: true, minGasPrice: (15n * 10n ** 18n) / 2n };
  state.set('feemarket', utf8('Params'), toBinary(ParamsSchema, toMessage(params)));
  return state;
}

/** The result of a transaction in a block. */
function delivered(change: { readonly fee: bigint; readonly gas: bigint }) {
  const dev = ethereumChain();
  dev.state = withLowestPrice(dev.state);
  const message = { fromAddress: account(0).address, toAddress: account(1).address };
  const block = dev.block(
    signed(0, 0n, MsgSendSchema, { ...message, amount: [{ denom: 'achr', amount: '1' }] }, change),
  );
  if (block.kind !== 'executed') throw new Error(block.kind);
  const result = block.results.txResult(0);
  if (result === undefined) throw new Error('there is a result');
  return { code: result.code, log: result.log, gasUsed: result.gasUsed };
}

describe('the minimum fee', () => {
  const refused = (log: string) => ({ code: 13, log: `${log}: insufficient fee`, gasUsed: 0n });

  test('is rounded up, and checked before any gas is used', () => {
    const few = 'provided fee < minimum global fee';
    expect(delivered({ fee: 1_500_007n, gas: 200_001n })).toEqual(
      refused(`${few} (1500007achr < 1500008achr). Please increase the gas price.`),
    );
    expect(delivered({ fee: 1_500_008n, gas: 200_001n }).code).toBe(0);
    expect(delivered({ fee: 5n, gas: 0n })).toEqual(refused(`${few} (5achr < ). Please increase the gas price.`));
  });

  const coins = (denom: string) => ({ authInfo: { fee: { amount: [{ denom, amount: '9' }], gasLimit: 2n } } });
  test.each([
    ['other', 'expected only native token achr for fee, but got 9other'],
    ['stake', 'provided fee < minimum global fee (9stake < 15achr)'],
  ])('refuses a fee of 9%s', (denom, refused) => {
    const context = { mode: 'deliver', height: 1n, chain, store: withLowestPrice(stateOf([])) };
    expect(() => requiredByEvmd(context as never, coins(denom) as never)).toThrow(refused);
  });

  test('is required of genesis transactions only in evmd', () => {
    const context = { mode: 'deliver', height: 0n, chain, store: withLowestPrice(stateOf([])) };
    const refused = 'provided fee < minimum global fee (9achr < 15achr)';
    expect(() => requiredByEvmd(context as never, coins('achr') as never)).toThrow(refused);
    expect(() => requireMinGasPrice({ ...context, version: chronicle } as never, coins('achr') as never)).not.toThrow();
  });

  test('may be paid in stake, the coin of tests, when the minimum is 0', () => {
    const context = { mode: 'deliver', height: 1n, chain, store: stateOf([]) };
    expect(() => requiredByEvmd(context as never, coins('stake') as never)).not.toThrow();
    expect(() => requiredByEvmd(context as never, coins('other') as never)).toThrow('expected only native token');
  });

  test('is named in the error for a transaction without a fee', () => {
    const context = { mode: 'deliver', height: 1n, chain, store: withLowestPrice(stateOf([])) };
    const tx = { authInfo: { fee: { amount: [], gasLimit: 200_001n } } };
    expect(() => requiredByEvmd(context as never, tx as never)).toThrow(
      'fee not provided. Please use the --fees flag or the --gas-price flag along with the --gas flag to estimate the fee. The minimum global fee for this tx is: 1500008achr: insufficient fee',
    );
  });
});

describe('the gas of transactions in the genesis', () => {
  const counted = (params: object): bigint | undefined => {
    const gen_txs = ['200000', '5'].map((gas_limit) => ({ auth_info: { fee: { gas_limit } } }));
    const appState = { genutil: { gen_txs }, feemarket: { params } };
    return genesisTransactions({ initialHeight: 1n as never, appState }).genesisTransactions?.gasWanted;
  };

  test('counts for the base fee when base fees are enabled', () => {
    expect(counted({ no_base_fee: false, enable_height: '0' })).toBe(200_005n);
    expect(counted({})).toBe(200_005n);
    expect(counted({ no_base_fee: true })).toBe(0n);
    expect(counted({ enable_height: '1' })).toBe(0n);
  });
});
