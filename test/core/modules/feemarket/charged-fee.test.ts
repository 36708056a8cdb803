/** The fee that is charged for a stated fee, as in evmd v0.6.0 (cosmos/evm v0.6 `ante/evm/fee_checker.go`). */
import { describe, expect, test } from 'vitest';
import { chargedFee } from '../../../../src/core/modules/feemarket/dynamic-fee.js';
import { chargedFee as chargedByEvmd } from '../../../../src/core/peers/evmd/feemarket.js';
import { DEFAULT_PARAMS, setParams } from '../../../../src/core/modules/feemarket/params.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { readTx } from '../../../../src/core/sdk/module/tx.js';
import { account, contextOf, DevChain, signed } from '../../app/dev-chain.js';

const GAS = 100_000n;
/** The maximum tip for a unit of gas: the largest signed integer of 64 bits. */
const MAX_TIP = 2n ** 63n - 1n;

function charged(rule: typeof chargedFee, fee: bigint, baseFee: bigint): readonly string[] {
  const context = contextOf(new DevChain());
  setParams(context, { ...DEFAULT_PARAMS, noBaseFee: false, baseFee: baseFee * 10n ** 18n });
  const send = { fromAddress: account(0).address, toAddress: account(1).address, amount: [] };
  const tx = readTx(signed(0, 0n, MsgSendSchema, send, { fee, gas: GAS }), context.router, 'chron');
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
    expect(charged(chargedFee, 0n, 0n).filter((one) => !one.startsWith('0'))).toEqual([]);
  });
});
