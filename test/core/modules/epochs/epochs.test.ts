/** Epochs: their start and end, their hooks, queries and genesis. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { defaultEpochs, epochAt, type Epoch } from '../../../../src/core/modules/epochs/epoch-info.js';
import { epochsModule } from '../../../../src/core/modules/epochs/module.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import * as pb from '../../../../src/core/proto/evmos/epochs/v1/query_pb.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { GenesisError } from '../../../../src/core/sdk/module/genesis-section.js';
import { SdkError, sdkErrors } from '../../../../src/core/sdk/module/sdk-error.js';
import { versionOfChain } from '../../../../src/core/sdk/module/version-of-chain.js';
import { chain, DevChain } from '../../app/dev-chain.js';
import { contextOver, entriesIn, FACTS } from '../distribution/support.js';

const DAY = 86_400_000_000_000n;
const LATER = { ...chain, genesisModules: ['epochs'] };

const start: Epoch = { ...(defaultEpochs()[1] ?? failed()), startTime: toTimeNs(DAY) };
function failed(): never {
  throw new Error('a day');
}

describe('an epoch', () => {
  it('starts at its start time, and ends after its full duration', () => {
    expect(epochAt(start, toTimeNs(DAY - 1n), 1n)).toBe(start);
    const first = epochAt(start, toTimeNs(DAY + 5n), 2n);
    expect(first).toMatchObject({ current: 1n, currentStartTime: DAY, currentStartHeight: 2n, hasStarted: true });
    expect(epochAt(first, toTimeNs(2n * DAY), 3n)).toBe(first);
    expect(epochAt(first, toTimeNs(2n * DAY + 1n), 4n)).toMatchObject({
      current: 2n,
      currentStartTime: 2n * DAY,
      currentStartHeight: 4n,
    });
  });

  it('advances by at most one epoch in a block, and never goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 5n * DAY), { maxLength: 40 }), (steps) => {
        let [epoch, now] = [start, 0n];
        for (const [height, step] of steps.entries()) {
          now += step;
          const next = epochAt(epoch, toTimeNs(now), BigInt(height));
          expect(next.current - epoch.current).toBeOneOf([0n, 1n]);
          if (next.hasStarted) expect(next.currentStartTime).toBe(DAY + (next.current - 1n) * DAY);
          expect(next.currentStartTime <= now || !next.hasStarted).toBe(true);
          epoch = next;
        }
      }),
    );
  });
});

describe('the epochs module', () => {
  const told: string[] = [];
  const base = versionOfChain(chronicle, LATER);
  const version: AppVersion = {
    ...base,
    hooks: {
      ...base.hooks,
      epochs: [
        {
          afterEpochEnd: ({ store }) => {
            store.set('epochs', Uint8Array.of(9), Uint8Array.of(1));
            throw new SdkError(sdkErrors.logic);
          },
        },
        {
          afterEpochEnd: (_, identifier, epoch) => void told.push(`end ${identifier} ${epoch}`),
          beforeEpochStart: (_, identifier, epoch) => void told.push(`start ${identifier} ${epoch}`),
        },
      ],
    },
  };
  const dev = new DevChain({ version, chain: LATER }, 1);
  const eventsAt = (now: bigint): readonly string[] => {
    dev.now = now;
    const result = dev.block();
    if (result.kind !== 'executed') throw new Error(result.reason);
    return result.results.events
      .filter(({ type }) => type.startsWith('epoch_'))
      .map(({ type, attributes }) => [type, ...attributes.map(({ key, value }) => `${key}=${value}`)].join(' '));
  };
  const begin = 1_700_000_000n * 1_000_000_000n;

  it('calls hooks, drops the writes of a hook that fails, and emits events', () => {
    expect(eventsAt(begin + 1n)).toEqual([
      'epoch_start epoch_number=1 start_time=1700000000 mode=BeginBlock',
      'epoch_start epoch_number=1 start_time=1700000000 mode=BeginBlock',
    ]);
    expect(told.splice(0)).toEqual(['start day 1', 'start week 1']);
    expect(eventsAt(begin + 7n * DAY + 1n)).toHaveLength(4);
    expect(told.splice(0)).toEqual(['end day 2', 'start day 2', 'end week 2', 'start week 2']);
    expect(dev.state.get('epochs', Uint8Array.of(9))).toBeUndefined();
  });

  it('answers queries', () => {
    const { epochs, pagination } = dev.query(
      '/evmos.epochs.v1.Query/EpochInfos',
      pb.QueryEpochsInfoRequestSchema,
      { pagination: { limit: 1n } },
      pb.QueryEpochsInfoResponseSchema,
    );
    expect(epochs).toMatchObject([{ identifier: 'day', currentEpoch: 2n }]);
    expect(pagination?.nextKey).toEqual(new Uint8Array(Buffer.from('week')));
    expect(() =>
      dev.query(
        '/evmos.epochs.v1.Query/CurrentEpoch',
        pb.QueryCurrentEpochRequestSchema,
        { identifier: 'year' },
        pb.QueryCurrentEpochResponseSchema,
      ),
    ).toThrow('rpc error: code = NotFound desc = epoch info not found: year');
  });
});

describe('the genesis of epochs', () => {
  it.each([
    [{ identifier: ' ', duration: '1s' }, 'app_state.epochs.epochs[0]: epoch identifier should NOT be empty'],
    [{ identifier: 'a', duration: '0s' }, 'app_state.epochs.epochs[0]: epoch duration should be positive, got 0'],
    [{ identifier: 'a', duration: '1s', current_epoch: '-1' }, 'current epoch cannot be negative: -1'],
  ])('refuses %o', (epoch, text) => {
    const init = () => epochsModule.initGenesis(contextOver([]), { epochs: [epoch] }, FACTS);
    expect(init).toThrow(GenesisError);
    expect(init).toThrow(text);
  });

  it('refuses the same identifier twice', () => {
    const epoch = { identifier: 'a', duration: '1s' };
    expect(() => epochsModule.initGenesis(contextOver([]), { epochs: [epoch, epoch] }, FACTS)).toThrow(
      'app_state.epochs.epochs[1]: duplicated epoch entry a',
    );
  });

  it('is exported and imported again', () => {
    const context = contextOver([]);
    epochsModule.initGenesis(context, undefined, FACTS);
    const again = contextOver([]);
    epochsModule.initGenesis(again, JSON.parse(JSON.stringify(epochsModule.exportGenesis(context))), FACTS);
    expect(entriesIn(again, 'epochs')).toEqual(entriesIn(context, 'epochs'));
    expect(entriesIn(context, 'epochs')).toHaveLength(2);
  });
});
