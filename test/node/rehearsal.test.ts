/** A rehearsal says what the upgrade then does, key by key, and where one that fails would fail. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FinalizeBlockRequest } from '../../src/core/application.js';
import { equal } from '../../src/core/bytes/bytes.js';
import { hex } from '../../src/core/bytes/hex.js';
import { chronicle } from '../../src/core/app/presets.js';
import { createRehearsal, type Rehearsal } from '../../src/node/chain/rehearsal.js';
import { moduleVersions } from '../../src/core/modules/upgrade/plan-store.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { AppVersion } from '../../src/core/sdk/app-version.js';
import { account, chain, DevChain, signed } from '../core/app/dev-chain.js';
import { crypto } from '../core/app/support.js';

const send = (sequence: bigint, amount: bigint): Uint8Array =>
  signed(1, sequence, MsgSendSchema, {
    fromAddress: account(1).address,
    toAddress: account(0).address,
    amount: [{ denom: 'achr', amount: amount.toString() }],
  });

const schedule = (sequence: bigint, name: string, height: bigint): Uint8Array =>
  signed(0, sequence, MsgSoftwareUpgradeSchema, { authority: account(0).address, plan: { name, height, info: 'i' } });

function run(dev: DevChain, ...txs: readonly Uint8Array[]): void {
  const result = dev.block(...txs);
  if (result.kind !== 'executed') throw new Error(result.reason);
}

function rehearse(
  dev: DevChain,
  first: FinalizeBlockRequest,
  { version = chronicle, name = 'v2' }: { readonly version?: AppVersion; readonly name?: string } = {},
): Rehearsal {
  const application = { version, chain, crypto };
  return createRehearsal({ application, handlers: [], name, first, blocks: 3 })(dev.state);
}

function worked(rehearsal: Rehearsal) {
  if (rehearsal.kind === 'fails') throw new Error(`${rehearsal.step}: ${rehearsal.reason}`);
  return rehearsal;
}

test('over any state it says what the upgrade then does, and leaves that state as it is', () => {
  const histories = fc.record({
    amounts: fc.array(fc.bigInt({ min: 1n, max: 10n ** 18n }), { maxLength: 4 }),
    /** The block of the upgrade holds a transaction. */
    isBusy: fc.boolean(),
    unsignedTransactions: fc.boolean(),
  });
  fc.assert(
    fc.property(histories, ({ amounts, isBusy, unsignedTransactions }) => {
      const dev = new DevChain({}, 2, unsignedTransactions);
      const height = BigInt(amounts.length + 2);
      run(dev, schedule(0n, 'v2', height));
      for (const [index, amount] of amounts.entries()) run(dev, send(BigInt(index), amount));
      const before = dev.state;
      const first = dev.next(isBusy ? [send(BigInt(amounts.length), 5n)] : []);
      const { keys, versions, halt } = worked(rehearse(dev, first));
      expect(halt).toBe(`UPGRADE "v2" NEEDED at height: ${height}: i`);
      expect(dev.state).toBe(before);

      const without = new DevChain({}, 2, unsignedTransactions);
      without.state = before;
      without.height = dev.height;
      without.build({ version: chronicle, skipUpgradeHeights: new Set([height]) });
      dev.build({ version: chronicle, handlers: new Set(['v2']) });
      const upgraded = dev.execute(first);
      const skipped = without.execute(first);
      if (upgraded.kind !== 'executed' || skipped.kind !== 'executed') throw new Error('a block was not executed');
      const name = (store: string, key: Uint8Array): string => `${store} ${hex(key)}`;
      const changed = new Map(keys.map((key) => [name(key.store, key.key), key]));
      for (const { store, key } of [...upgraded.writes, ...skipped.writes]) {
        const expected = changed.get(name(store, key));
        const [now, plain] = [dev.state.get(store, key), without.state.get(store, key)];
        if (expected === undefined) expect(now, name(store, key)).toEqual(plain);
        else expect([expected.before, expected.after]).toEqual([plain, now]);
        expect(expected !== undefined || now === plain || (now && plain && equal(now, plain))).toBe(true);
      }
      const [then, old] = [moduleVersions(dev.state), moduleVersions(before)];
      expect(versions).toEqual([
        { module: 'dev', before: old.get('dev'), after: then.get('dev') },
        { module: 'sample', before: undefined, after: 1n },
      ]);
    }),
    { numRuns: 10 },
  );
});

test('an upgrade that fails says at which step, and why', () => {
  const dev = new DevChain({}, 2);
  run(dev);
  const [devModule] = chronicle.modules.filter(({ name }) => name === 'dev');
  if (devModule === undefined) throw new Error('the preset has the module');
  const upgrade = (modules: AppVersion['modules']): AppVersion => ({
    ...chronicle,
    upgrades: new Map([['v2', { modules, added: [], deleted: [], renamed: [] }]]),
  });
  const failing = (migrate: () => void) =>
    upgrade([{ ...devModule, consensusVersion: 2n, migrations: new Map([[1n, migrate]]) }]);
  const throwing = failing(() => {
    throw new Error('no such row');
  });
  expect(rehearse(dev, dev.next([]), { version: throwing })).toEqual({
    kind: 'fails',
    step: 'migrate',
    reason: 'UPGRADE "v2" FAILED at height: 2: no such row',
  });
  const added = [...(chronicle.upgrades.get('v2')?.modules ?? [])];
  expect(rehearse(dev, dev.next([]), { version: upgrade(added) })).toEqual({
    kind: 'fails',
    step: 'stores',
    reason: 'the upgrade writes to the store sample and does not add it',
  });
  const later = upgrade([
    {
      ...devModule,
      consensusVersion: 2n,
      migrations: new Map([[1n, ({ store }) => store.delete('mint', Uint8Array.of(0))]]),
    },
  ]);
  expect(rehearse(dev, dev.next([]), { version: later })).toMatchObject({ kind: 'fails', step: 'migrate' });
  run(dev, schedule(0n, 'v2', 3n));
  dev.build({ version: chronicle, handlers: new Set(['v2']) });
  run(dev);
  expect(rehearse(dev, dev.next([]))).toEqual({
    kind: 'fails',
    step: 'schedule',
    reason: 'upgrade with name v2 has already been completed: invalid request',
  });
});
