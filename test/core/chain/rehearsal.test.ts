/** A rehearsal reports the changed keys of an upgrade before it happens, and the step at which it would fail. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FinalizeBlockRequest } from '../../../src/core/application-requests.js';
import { equal, utf8 } from '../../../src/core/bytes/bytes.js';
import { hex, upperHex } from '../../../src/core/bytes/hex.js';
import { chronicle } from '../../../src/core/app/presets.js';
import { type Rehearsal, type RehearsalOptions, rehearse } from '../../../src/core/chain/rehearsal.js';
import { CommittedTrees } from '../../../src/core/chain/committed-trees.js';
import { moduleVersions } from '../../../src/core/modules/upgrade/plan-store.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgSubmitProposalSchema } from '../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgDelegateSchema, MsgUndelegateSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { encodeAddress, parseAddress } from '../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../src/core/sdk/module/context.js';
import type { AppVersion } from '../../../src/core/sdk/module/app-version.js';
import { account, chain, DevChain, signed } from '../app/dev-chain.js';
import { crypto } from '../app/support.js';
import { propertyRuns } from '../../support/property-runs.js';

const OPERATOR = encodeAddress('chronvaloper', parseAddress('chron', account(0).address) ?? new Uint8Array());

const schedule = (sequence: bigint, name: string, height: bigint): Uint8Array =>
  signed(0, sequence, MsgSoftwareUpgradeSchema, { authority: account(0).address, plan: { name, height, info: 'i' } });

/** A dev chain that commits its writes to IAVL trees, as a node does. */
class DevTrees {
  readonly dev: DevChain;
  readonly trees = new CommittedTrees({ version: chronicle, crypto, provableHeights: 10 });

  constructor(unsignedTransactions = true) {
    this.dev = new DevChain({}, 3, unsignedTransactions);
    this.trees.genesis(this.dev.genesisWrites);
  }

  /** Executes a block and returns the app hash. */
  execute(request: FinalizeBlockRequest): Uint8Array {
    const result = this.dev.execute(request);
    if (result.kind !== 'executed') throw new Error(result.reason);
    return this.trees.commit(request.height, result.writes);
  }

  run(...txs: readonly Uint8Array[]): void {
    this.execute(this.dev.next(txs));
  }

  /** A copy of the trees, as the rehearsal command makes. */
  copiedTrees(): CommittedTrees {
    const copy = new CommittedTrees({ version: chronicle, crypto, provableHeights: 10 });
    copy.multistore.restore(this.trees.multistore.snapshotBytes());
    return copy;
  }
}

const BLOCKS = 3;

function rehearseOn(
  chained: DevTrees,
  first: FinalizeBlockRequest,
  { version = chronicle, name = 'v2' }: { readonly version?: AppVersion; readonly name?: string } = {},
): Rehearsal {
  const { dev } = chained;
  const application = { version, chain, crypto };
  const trees = chained.copiedTrees();
  const commit: RehearsalOptions['commit'] = (height, writes) => trees.commit(height, writes);
  return rehearse({ application, handlers: [], name, first, blocks: BLOCKS, state: dev.state, commit });
}

function worked(rehearsal: Rehearsal) {
  if (rehearsal.kind === 'fails') throw new Error(`${rehearsal.step}: ${rehearsal.reason}`);
  return rehearsal;
}

/** One transaction of account 1 in a history. */
const actions = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), amount: fc.bigInt({ min: 1n, max: 10n ** 18n }) }),
  fc.record({ kind: fc.constant('delegate' as const), amount: fc.bigInt({ min: 1n, max: 10n ** 20n }) }),
  fc.record({ kind: fc.constant('undelegate' as const), amount: fc.bigInt({ min: 1n, max: 10n ** 18n }) }),
  fc.record({ kind: fc.constant('propose' as const), amount: fc.bigInt({ min: 1n, max: 10n ** 19n }) }),
);
type Action = typeof actions extends fc.Arbitrary<infer Value> ? Value : never;

function transactionOf({ kind, amount }: Action, sequence: bigint): Uint8Array {
  const from = account(1).address;
  const coin = { denom: 'achr', amount: amount.toString() };
  const staking = { delegatorAddress: from, validatorAddress: OPERATOR, amount: coin };
  const gas = { gas: 1_000_000n };
  switch (kind) {
    case 'send':
      return signed(1, sequence, MsgSendSchema, { fromAddress: from, toAddress: account(0).address, amount: [coin] });
    case 'delegate':
      return signed(1, sequence, MsgDelegateSchema, staking, gas);
    case 'undelegate':
      return signed(1, sequence, MsgUndelegateSchema, staking, gas);
    case 'propose':
      return signed(
        1,
        sequence,
        MsgSubmitProposalSchema,
        { proposer: from, initialDeposit: [coin], title: 't', summary: 's' },
        gas,
      );
  }
}

test('a rehearsal on any state predicts what the upgrade writes, and does not change that state', () => {
  const histories = fc.record({
    past: fc.array(actions, { maxLength: 6 }),
    /** Transactions in the block of the upgrade. */
    last: fc.array(actions, { maxLength: 2 }),
    unsignedTransactions: fc.boolean(),
  });
  fc.assert(
    fc.property(histories, ({ past, last, unsignedTransactions }) => {
      const chained = new DevTrees(unsignedTransactions);
      const { dev } = chained;
      const height = BigInt(past.length + 2);
      chained.run(schedule(0n, 'v2', height));
      for (const [index, action] of past.entries()) chained.run(transactionOf(action, BigInt(index)));
      const before = dev.state;
      const first = dev.next(last.map((action, index) => transactionOf(action, BigInt(past.length + index))));
      const { keys, versions, halt, appHash } = worked(rehearseOn(chained, first));
      expect(halt).toBe(`UPGRADE "v2" NEEDED at height: ${height}: i`);
      expect(dev.state).toBe(before);

      const without = new DevChain({}, 3, unsignedTransactions);
      without.state = before;
      without.height = dev.height;
      without.build({ version: chronicle, skipUpgradeHeights: new Set([height]) });
      const skipped = without.execute(first);
      dev.build({ version: chronicle, handlers: new Set(['v2']) });
      const upgraded = dev.execute(first);
      if (upgraded.kind !== 'executed' || skipped.kind !== 'executed') throw new Error('a block was not executed');
      expect(upperHex(appHash)).toBe(upperHex(chained.trees.commit(first.height, upgraded.writes)));
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
    { numRuns: propertyRuns(10) },
  );
});

test('a rehearsal of an upgrade that would fail reports the step and the reason', () => {
  const chained = new DevTrees();
  const { dev } = chained;
  chained.run();
  const [devModule] = chronicle.modules.filter(({ name }) => name === 'dev');
  if (devModule === undefined) throw new Error('the preset has the module');
  const upgrade = (modules: AppVersion['modules']): AppVersion => ({
    ...chronicle,
    upgrades: new Map([['v2', { modules, added: [], deleted: [], renamed: [] }]]),
  });
  const failing = (migrate: (context: Context) => void) =>
    upgrade([{ ...devModule, consensusVersion: 2n, migrations: new Map([[1n, migrate]]) }]);
  const throwing = failing(() => {
    throw new Error('no such row');
  });
  expect(rehearseOn(chained, dev.next([]), { version: throwing })).toEqual({
    kind: 'fails',
    step: 'migrate',
    reason: 'UPGRADE "v2" FAILED at height: 2: no such row',
  });
  const added = [...(chronicle.upgrades.get('v2')?.modules ?? [])];
  expect(rehearseOn(chained, dev.next([]), { version: upgrade(added) })).toEqual({
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
  expect(rehearseOn(chained, dev.next([]), { version: later })).toMatchObject({ kind: 'fails', step: 'migrate' });
  const broken = failing(({ store }) => store.set('bank', Uint8Array.of(0, ...utf8('none')), utf8('1')));
  expect(rehearseOn(chained, dev.next([]), { version: broken })).toEqual({
    kind: 'fails',
    step: 'invariants',
    reason: expect.stringContaining('invariant broken: bank'),
  });
  chained.run(schedule(0n, 'v2', 3n));
  dev.build({ version: chronicle, handlers: new Set(['v2']) });
  chained.run();
  expect(rehearseOn(chained, dev.next([]))).toEqual({
    kind: 'fails',
    step: 'schedule',
    reason: 'upgrade with name v2 has already been completed: invalid request',
  });
});
