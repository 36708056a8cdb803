/** The fee that is charged for a stated fee, as in evmd v0.6.0 (cosmos/evm v0.6 `ante/evm/fee_checker.go`). */
import { describe, expect, test } from 'vitest';
import { chargedFee } from '../../../../src/core/modules/feemarket/dynamic-fee.js';
import { chargedFee as chargedByEvmd } from '../../../../src/core/peers/evmd/feemarket.js';
import { DEFAULT_PARAMS, setParams } from '../../../../src/core/modules/feemarket/params.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { ExtensionOptionDynamicFeeTxSchema } from '../../../../src/core/proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import { DEC_ONE } from '../../../../src/core/sdk/coins/dec.js';
import { readTx } from '../../../../src/core/sdk/module/tx.js';
import { encode } from '../../../support/encode.js';
import { account, contextOf, DevChain, signed } from '../../app/dev-chain.js';

const GAS = 100_000n;
/** The maximum tip for a unit of gas: the largest signed integer of 64 bits. */
const MAX_TIP = 2n ** 63n - 1n;

/** `tip`: value of the dynamic fee option; by default the transaction has no option. */
function charged(rule: typeof chargedFee, fee: bigint, baseFee: bigint, tip?: string): readonly string[] {
  const context = contextOf(new DevChain());
  setParams(context, { ...DEFAULT_PARAMS, noBaseFee: false, baseFee: baseFee * 10n ** 18n });
  const send = { fromAddress: account(0).address, toAddress: account(1).address, amount: [] };
  const typeUrl = '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx';
  const option = () => ({ typeUrl, value: encode(ExtensionOptionDynamicFeeTxSchema, { maxPriorityPrice: tip ?? '' }) });
  const extensionOptions = tip === undefined ? [] : [option()];
  const tx = readTx(signed(0, 0n, MsgSendSchema, send, { fee, gas: GAS, extensionOptions }), context.router, 'chron');
  return rule(context, tx).map(({ denom, amount }) => `${amount}${denom}`);
}

describe('the charged fee without the dynamic fee option', () => {
  test('is the stated fee, which the base fee must not exceed', () => {
    expect(charged(chargedByEvmd, GAS * 7n + 3n, 7n)).toEqual([`${GAS * 7n + 3n}achr`]);
    expect(() => charged(chargedByEvmd, GAS * 7n - 1n, 7n)).toThrow('gas prices too low');
  });

  test('is limited by the maximum tip', () => {
    const most = (7n + MAX_TIP) * GAS;
    expect(charged(chargedByEvmd, most, 7n)).toEqual([`${most}achr`]);
    expect(charged(chargedByEvmd, most + 1n, 7n)).toEqual([`${most}achr`]);
    expect(charged(chargedByEvmd, most * 3n, 7n)).toEqual([`${most}achr`]);
  });

  test('is a coin of amount 0 in evmd when the stated fee is 0', () => {
    expect(charged(chargedByEvmd, 0n, 0n)).toEqual(['0achr']);
  });
});

test('the charged fee of base fee 0 and tip 0 is no coin, and a coin of amount 0 in evmd', () => {
  expect(charged(chargedFee, GAS, 0n, '0')).toEqual([]);
  expect(charged(chargedByEvmd, GAS, 0n, '0')).toEqual(['0achr']);
  expect(charged(chargedFee, GAS, 0n, DEC_ONE.toString())).toEqual([`${GAS}achr`]);
});
