/** The gas limit of a block as the EVM of evmd v0.6.0 sees it, and the gas of a transaction's bytes. */
import { expect, test } from 'vitest';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { consumeSizeGas } from '../../../../src/core/modules/auth/ante/basic.js';
import { getParams, setParams } from '../../../../src/core/modules/auth/accounts.js';
import { setBlockMaxGas } from '../../../../src/core/modules/consensus/module.js';
import { blockRules } from '../../../../src/core/modules/evm/block-rules.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { readTx } from '../../../../src/core/sdk/module/tx.js';
import { account, contextOf, DevChain, signed } from '../../app/dev-chain.js';

const NONE = 2n ** 64n - 1n;

function limited(maxGas: bigint, change: Partial<Pick<Context, 'mode' | 'version'>>): bigint {
  const context: Context = { ...contextOf(new DevChain()), version: evmd, mode: 'deliver', ...change };
  setBlockMaxGas(context, maxGas);
  return blockRules.of(context).gasLimit(context);
}

test('a maximum gas of 0 means no limit in blocks of evmd, and 0 in its CheckTx and queries', () => {
  expect(limited(0n, {})).toBe(NONE);
  expect(limited(0n, { mode: 'check' })).toBe(0n);
  expect(limited(0n, { mode: 'query' })).toBe(0n);
  expect(limited(0n, { version: chronicle })).toBe(0n);
  expect([-1n, 1n, 30_000_000n].map((maxGas) => limited(maxGas, {}))).toEqual([NONE, 1n, 30_000_000n]);
});

test('the gas for the size of a transaction is multiplied in 64 bits, as in the SDK', () => {
  const context = contextOf(new DevChain());
  const send = { fromAddress: account(0).address, toAddress: account(1).address, amount: [] };
  const tx = readTx(signed(0, 0n, MsgSendSchema, send), context.router, 'chron');
  setParams(context, { ...getParams(context), txSizeCostPerByte: 2n ** 60n + 3n });
  const before = context.gas.consumed;
  consumeSizeGas(context, { ...tx, size: 320 });
  expect(context.gas.consumed - before).toBe(960n);
});
