import { expect, test } from 'vitest';
import { ed25519Address } from '../../../../src/core/comet/address.js';
import { DevChain } from '../../app/dev-chain.js';
import { evm } from '../../app/ethereum-chain.js';
import { crypto, fromHex, toHex } from '../../app/support.js';

test('COINBASE is the address of the proposer’s consensus key, as the header shows it', () => {
  const dev = new DevChain({ evm });
  const proposer = ed25519Address(crypto, new Uint8Array(32).fill(7));
  const to = new Uint8Array(20).fill(0xee);
  const seen = dev.app.ethereum?.call(
    dev.state,
    { ...dev.at(), hash: new Uint8Array(32), proposer },
    { to },
    [{ address: to, code: fromHex('4160005260206000f3') }],
    {},
  );
  if (seen?.kind !== 'success') throw new Error(seen?.kind);
  expect(toHex(seen.output)).toBe(toHex(proposer).padStart(64, '0'));
});
