/** Writes of an Ethereum transaction that are refused at its end, with the text of evmd v0.6.0. */
import { expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { accounts } from '../../../../src/core/peers/evmd/accounts.js';
import { encodeAddress, moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { chain, DevChain, refusal } from '../../app/dev-chain.js';
import { evm, tx } from '../../app/ethereum-chain.js';
import { crypto, toHex } from '../../app/support.js';

it('an Ethereum transaction to a module account is refused', async () => {
  const module = moduleAddress(crypto, 'distribution');
  const version = { ...chronicle, rules: new Map([accounts]) };
  const result = new DevChain({ evm, version }).block(
    await tx(0, { nonce: 0, to: `0x${toHex(module)}`, value: 1n, gas: 100_000n }),
  );
  expect(refusal(result)).toBe(
    'sdk 4: failed to execute message; message index: 0: failed to apply transaction: failed to apply ethereum core ' +
      `message: failed to commit stateDB: failed to set account: ${encodeAddress(chain.bech32Prefix, module)} is ` +
      'not allowed to receive funds: unauthorized',
  );
});
