import { expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { setBalance } from '../../../../src/core/modules/bank/balances.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { Module } from '../../../../src/core/sdk/module/module.js';
import { account, codes, DevChain, signed } from '../../app/dev-chain.js';
import { addressOf, evm, GWEI, signer, tx } from '../../app/ethereum-chain.js';

/** A module that comes with an upgrade and gives the fourth account its first coins. */
const gift: Module = {
  name: 'gift',
  store: 'gift',
  consensusVersion: 1n,
  initGenesis: (context) => setBalance(context, addressOf(3), 'achr', 10n ** 9n * GWEI),
  exportGenesis: () => null,
  messages: [],
  queries: [],
};

it('the block of an upgrade executes and traces transactions over the state that the upgrade left', async () => {
  const version = { ...chronicle, stores: [...chronicle.stores, 'gift'] };
  const dev = new DevChain({ version, evm }, 2);
  const upgrade = { name: 'v2', height: 3n, info: '' };
  dev.block(signed(0, 0n, MsgSoftwareUpgradeSchema, { authority: account(0).address, plan: upgrade }));
  dev.block();
  dev.build({
    version: { ...version, modules: [...version.modules, gift], initOrder: [...version.initOrder, 'gift'] },
    evm,
    handlers: new Set(['v2']),
  });
  const before = dev.state;
  const request = dev.next([await tx(3, { to: signer(1).address, nonce: 0, value: 5n })]);
  const block = dev.execute(request);
  expect(codes(block)).toEqual([0]);
  expect(block).toMatchObject({ upgradeApplied: 'v2' });
  const [trace] = [...(dev.app.ethereum?.traceTransactions(before, request, [0], '{"tracer":"callTracer"}') ?? [])];
  expect(trace).toMatchObject({ ok: true, json: expect.stringContaining('"value":"0x5"') });
});
