import { expect, it } from 'vitest';
import { nextBaseFee } from '../../../src/core/peers/evmd/feemarket.js';
import { genesisBaseFee } from '../../../src/core/modules/feemarket/module.js';
import { DEFAULT_PARAMS } from '../../../src/core/modules/feemarket/params.js';
import { DEC_ONE } from '../../../src/core/sdk/coins/dec.js';
import { fromHex, hex } from '../../../src/core/bytes/hex.js';
import { toHeight } from '../../../src/core/primitives.js';
import { MemoryStore } from '../../support/memory-store.js';
import { devOf, value } from '../dev/support.js';
import { simulate } from '../simulated-node.js';

it('Ethereum block 0 has the base fee of the genesis, and the base fee of block 1 follows from it', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  await simulated.mineTo(1n);
  const block = (height: bigint) => simulated.node.ethereum?.api.block(toHeight(height));
  const [genesis, first] = [block(0n), block(1n)];
  expect(genesis?.baseFeePerGas).toBe(1_000_000_000n);
  expect(first?.baseFeePerGas).toBe(
    nextBaseFee({ ...DEFAULT_PARAMS, baseFee: (genesis?.baseFeePerGas ?? 0n) * DEC_ONE }, 0n, genesis?.gasLimit ?? 0n) /
      DEC_ONE,
  );
  await simulated.node.stop();
});

it.each([1n, 100n])(
  'a call on the genesis state before block %s sees the timestamp of the genesis block',
  async (initialHeight) => {
    const simulated = await simulate({ store: new MemoryStore(), initialHeight });
    await simulated.mineTo(initialHeight);
    await value(devOf(simulated).mine(2, 1_700_000_060n));
    const { api } = simulated.node.ethereum ?? {};
    const at = toHeight(initialHeight - 1n);
    // TIMESTAMP PUSH0 MSTORE MSIZE PUSH0 RETURN
    const called = await api?.call({ data: fromHex('425f52595ff3') }, at, [], {});
    const shown =
      called?.ok === true && called.value.kind === 'success' ? BigInt(`0x${hex(called.value.output)}`) : called;
    expect(shown).toBe(api?.block(at)?.timestamp);
    expect(shown).not.toBe(api?.block(toHeight(initialHeight + 2n))?.timestamp);
    await simulated.node.stop();
  },
);

it.each([
  [undefined, 1_000_000_000n],
  [{ params: { base_fee: '7.900000000000000000', min_gas_price: '0', min_gas_multiplier: '0' } }, 7n],
  [{ params: { base_fee: '7', min_gas_price: '0', min_gas_multiplier: '0', no_base_fee: true } }, undefined],
  [{ params: { base_fee: '7', min_gas_price: '0', min_gas_multiplier: '0', enable_height: '2' } }, undefined],
])('a genesis with the fee market section %j gives block 0 the base fee %s', (section, expected) => {
  expect(genesisBaseFee(section)).toBe(expected);
});
