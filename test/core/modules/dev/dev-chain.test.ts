import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { parseGenesis } from '../../../../src/core/genesis/genesis-document.js';
import { supplyInvariant } from '../../../../src/core/modules/bank/invariants.js';
import {
  QueryAccountInfoRequestSchema,
  QueryAccountInfoResponseSchema,
} from '../../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import {
  QueryBalanceRequestSchema,
  QueryBalanceResponseSchema,
} from '../../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import { SignMode } from '../../../../src/core/proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import * as upgradeQuery from '../../../../src/core/proto/cosmos/upgrade/v1beta1/query_pb.js';
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
} from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { account, chain, codes, DevChain, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const balance = (dev: DevChain, address: string): bigint =>
  BigInt(
    dev.query(
      '/cosmos.bank.v1beta1.Query/Balance',
      QueryBalanceRequestSchema,
      { address, denom: 'achr' },
      QueryBalanceResponseSchema,
    ).balance?.amount ?? '-1',
  );
const send = (from: number, sequence: bigint, to: number, amount: bigint, change = {}) =>
  signed(
    from,
    sequence,
    MsgSendSchema,
    {
      fromAddress: account(from).address,
      toAddress: account(to).address,
      amount: [{ denom: 'achr', amount: String(amount) }],
    },
    change,
  );
const schedule = (sequence: bigint, name: string, height: bigint, from = 0) =>
  signed(from, sequence, MsgSoftwareUpgradeSchema, {
    authority: account(from).address,
    plan: { name, height, info: 'info' },
  });
const plan = (dev: DevChain) =>
  dev.query(
    '/cosmos.upgrade.v1beta1.Query/CurrentPlan',
    upgradeQuery.QueryCurrentPlanRequestSchema,
    {},
    upgradeQuery.QueryCurrentPlanResponseSchema,
  ).plan;
const applied = (dev: DevChain, name: string) =>
  dev.query(
    '/sdk.upgrade.v1beta1.Query/AppliedPlan',
    upgradeQuery.QueryAppliedPlanRequestSchema,
    { name },
    upgradeQuery.QueryAppliedPlanResponseSchema,
  ).height;

describe('a dev chain', () => {
  it('moves the amount of a send, takes the fee and raises the sequence', () => {
    const dev = new DevChain();
    const before = balance(dev, account(1).address);
    expect(codes(dev.block(send(0, 0n, 1, 5n), send(0, 1n, 9, 7n)))).toEqual([0, 0]);
    expect(balance(dev, account(1).address)).toBe(before + 5n);
    expect(balance(dev, account(9).address)).toBe(7n);
    expect(balance(dev, account(0).address)).toBe(10_000n * 10n ** 18n - 12n - 2n * 300_000n * 2_000_000_000n);
    const info = (address: string) =>
      dev.query(
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        QueryAccountInfoRequestSchema,
        { address },
        QueryAccountInfoResponseSchema,
      ).info;
    expect(info(account(0).address)?.sequence).toBe(2n);
    // numbers 0 to 18 belong to the genesis: to people, to modules, and to the contracts that tools expect
    expect(info(account(9).address)?.accountNumber).toBe(19n);
  });

  it('simulates a transaction without changes, and reports the gas of its execution', () => {
    const dev = new DevChain();
    // from the second block on, distribution empties the fee collector
    dev.block();
    dev.block();
    const simulated = dev.app.simulate(dev.state, dev.at(), send(0, 0n, 1, 5n));
    const executed = dev.block(send(0, 0n, 1, 5n));
    if (!simulated.ok || executed.kind !== 'executed') throw new Error('failed');
    expect(simulated.gasUsed).toBe(executed.results.txResults[0]?.gasUsed);
  });

  it('advances its check state with admitted transactions, and asks for the minimum gas price', () => {
    const dev = new DevChain({ chain: { ...chain, minGasPrice: 1_000_000_000n } });
    const check = dev.app.createCheckState(dev.state, dev.at());
    const code = (tx: Uint8Array) => dev.app.checkTx(check, tx).code;
    expect([
      code(send(0, 0n, 1, 1n)),
      code(send(0, 1n, 1, 1n)),
      code(send(0, 1n, 1, 1n)),
      code(send(0, 2n, 1, 1n, { fee: 1n })),
      code(send(1, 0n, 1, 1n, { chainId: 'other' })),
    ]).toEqual([0, 0, 32, 13, 4]);
  });

  it.each([
    [10n ** 15n, 0],
    [253_402_300_800n, 0],
    [-62_135_596_801n, 0],
    [1n, -5],
    [1n, 1_000_000_000],
  ])('refuses to decode a time of %d s and %d ns, also with an amino signature', (seconds, nanos) => {
    const dev = new DevChain();
    const bytes = signed(
      0,
      0n,
      MsgSoftwareUpgradeSchema,
      { authority: account(0).address, plan: { name: 'a', height: 9n, time: { seconds, nanos } } },
      { mode: SignMode.LEGACY_AMINO_JSON },
    );
    expect(dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), bytes)).toMatchObject({ code: 2 });
    expect(dev.app.simulate(dev.state, dev.at(), bytes).ok).toBe(false);
    expect(codes(dev.block(bytes))).toEqual([2]);
  });

  it('refuses a transaction that wants more gas than a block has', () => {
    const dev = new DevChain();
    const result = dev.block(send(0, 0n, 1, 1n, { gas: 30_000_001n }));
    expect(codes(result)).toEqual([41]);
  });

  it('keeps balances that add up to the supply', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: fc.nat(3), to: fc.nat(6), amount: fc.bigInt(0n, 20_000n * 10n ** 18n) }), {
          maxLength: 6,
        }),
        (sends) => {
          const dev = new DevChain();
          const sequences = [0n, 0n, 0n, 0n];
          dev.block(
            ...sends.map(({ from, to, amount }) => {
              const sequence = sequences[from] ?? 0n;
              sequences[from] = sequence + 1n;
              return send(from, sequence, to, amount);
            }),
          );
          const context = {
            ...dev.at(),
            store: new CacheStore(dev.state),
            gas: new GasMeter(undefined),
            events: [],
            mode: 'query' as const,
            chain,
            version: chronicle,
            crypto,
            router: new MessageRouter(chronicle),
            block: BlockScope.none(),
            evm: undefined,
            txBytes: new Uint8Array(0),
          };
          expect(supplyInvariant.check(context)).toBeUndefined();
        },
      ),
      { numRuns: 15 },
    );
  });

  it('exports a genesis with the same balances', () => {
    const dev = new DevChain();
    dev.block(send(0, 0n, 9, 7n));
    const appState = exportGenesis(dev.state, { version: chronicle, chain, crypto, at: dev.at() });
    const parsed = parseGenesis({
      chain_id: 'x',
      genesis_time: '2026-01-01T00:00:00Z',
      app_state: JSON.parse(JSON.stringify(appState)),
    });
    if (!parsed.ok) throw new Error(parsed.message);
    const { writes } = dev.app.initChain(parsed.genesis);
    const bank = (all: Iterable<{ key: Uint8Array; value: Uint8Array | undefined }>) =>
      Array.from(all, ({ key, value }) => [Buffer.from(key).toString('hex'), Buffer.from(value ?? []).toString('hex')]);
    expect(bank(writes.filter(({ store }) => store === 'bank'))).toEqual(bank(dev.state.range('bank', {})));
  });

  it('names the key of an error in a genesis', () => {
    expect(parseGenesis({ chain_id: 'x', genesis_time: 'yesterday', app_state: {} })).toMatchObject({
      ok: false,
      path: 'genesis_time',
    });
    expect(parseGenesis({ chain_id: '', genesis_time: '2026-01-01T00:00:00Z', app_state: {} })).toMatchObject({
      ok: false,
      path: 'chain_id',
    });
  });
});

describe('a software upgrade', () => {
  it('is scheduled by the authority only, replaced and cancelled', () => {
    const dev = new DevChain();
    expect(codes(dev.block(schedule(0n, 'v2', 10n), schedule(0n, 'v2', 10n, 1)))).toEqual([0, 6]);
    expect(codes(dev.block(schedule(1n, 'v3', 12n), schedule(2n, 'past', 1n)))).toEqual([0, 18]);
    expect(plan(dev)?.name).toBe('v3');
    dev.block(signed(0, 3n, MsgCancelUpgradeSchema, { authority: account(0).address }));
    expect(plan(dev)).toBeUndefined();
  });

  it('halts a build without its handler, is applied by the next, and refuses the old build afterwards', () => {
    const dev = new DevChain();
    const scheduled = dev.block(schedule(0n, 'v2', 3n));
    expect(scheduled.kind === 'executed' && scheduled.upgradeHeight).toBe(3n);
    dev.build({ handlers: new Set(['v2']) });
    expect(codes(dev.block())).toBe(
      'BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2" - in binary but not executed on chain. Downgrade your binary',
    );
    dev.build({});
    dev.block();
    expect(codes(dev.block())).toBe('UPGRADE "v2" NEEDED at height: 3: info');
    dev.build({ handlers: new Set(['v2']) });
    const result = dev.block();
    expect(result.kind === 'executed' && result.upgradeApplied).toBe('v2');
    expect([applied(dev, 'v2'), plan(dev)]).toEqual([3n, undefined]);
    dev.build({});
    expect(codes(dev.block())).toBe('wrong app version 1, upgrade handler is missing for v2 upgrade plan');
  });

  it('needs its handler in every build after it was applied', () => {
    const dev = new DevChain();
    dev.block(schedule(0n, 'v2', 2n));
    dev.build({ handlers: new Set(['v2']) });
    expect([codes(dev.block()), codes(dev.block()), codes(dev.block())]).toEqual([[], [], []]);
    dev.build({});
    const refused = 'wrong app version 1, upgrade handler is missing for v2 upgrade plan';
    expect([codes(dev.block()), codes(dev.block())]).toEqual([refused, refused]);
  });

  it('is dropped when its height is skipped', () => {
    const dev = new DevChain();
    dev.block(schedule(0n, 'v2', 2n));
    dev.build({ skipUpgradeHeights: new Set([2n]) });
    expect(codes(dev.block())).toEqual([]);
    expect([applied(dev, 'v2'), plan(dev)]).toEqual([0n, undefined]);
  });
});
