import { toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  getStartingInfo,
  setStartingInfo,
  startingInfoMessage,
} from '../../../../src/core/modules/distribution/delegators.js';
import {
  currentMessage,
  encodeCoins,
  getCurrent,
  getHistorical,
  historicalMessage,
  setCurrent,
  setHistorical,
} from '../../../../src/core/modules/distribution/records.js';
import {
  DelegatorStartingInfoSchema,
  ValidatorCurrentRewardsSchema,
  ValidatorHistoricalRewardsSchema,
  ValidatorOutstandingRewardsSchema,
} from '../../../../src/core/proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { prefixRange } from '../../../../src/core/bytes/key-order.js';
import { STORE } from '../../../../src/core/modules/distribution/keys.js';
import { decCoinMessages } from '../../../../src/core/sdk/coins/dec-coins.js';
import { CacheStore, EMPTY_STATE } from '../../../../src/core/state/overlay.js';

const coins = fc.array(
  fc.record({ denom: fc.stringMatching(/^[a-z][a-z0-9/]{2,20}$/), amount: fc.bigInt({ min: 1n, max: 1n << 200n }) }),
  { maxLength: 4 },
);
const uint64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const operator = new Uint8Array(20).fill(3);

/** The one value that `write` writes. */
function written(write: (context: { readonly store: CacheStore }) => void): Uint8Array | undefined {
  const store = new CacheStore(EMPTY_STATE);
  write({ store });
  const [entry] = store.range(STORE, prefixRange(new Uint8Array()));
  return entry?.value;
}

describe('distribution records', () => {
  it('of outstanding and current rewards have the bytes of the generated codec', () => {
    fc.assert(
      fc.property(coins, fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (rewards, period) => {
        expect(encodeCoins(rewards)).toEqual(
          toBinary(ValidatorOutstandingRewardsSchema, {
            $typeName: 'cosmos.distribution.v1beta1.ValidatorOutstandingRewards',
            rewards: decCoinMessages(rewards),
          }),
        );
        const store = new CacheStore(EMPTY_STATE);
        setCurrent({ store }, operator, { rewards, period });
        const [written] = store.range(STORE, prefixRange(new Uint8Array()));
        expect(written?.value).toEqual(toBinary(ValidatorCurrentRewardsSchema, currentMessage({ rewards, period })));
        expect(getCurrent({ store }, operator)).toEqual({ rewards, period });
      }),
    );
  });

  it('of historical rewards have the bytes of the generated codec', () => {
    fc.assert(
      fc.property(coins, uint64, fc.integer({ min: 0, max: 2 }), (ratio, period, references) => {
        const rewards = { ratio, references };
        const bytes = toBinary(ValidatorHistoricalRewardsSchema, historicalMessage(rewards));
        expect(written((context) => setHistorical(context, operator, period, rewards))).toEqual(bytes);
        const store = new CacheStore(EMPTY_STATE);
        setHistorical({ store }, operator, period, rewards);
        expect(getHistorical({ store }, operator, period)).toEqual(rewards);
      }),
    );
  });

  it('of the starting info of delegations have the bytes of the generated codec', () => {
    fc.assert(
      fc.property(uint64, fc.bigInt({ min: 0n, max: 1n << 250n }), uint64, (previousPeriod, stake, height) => {
        const info = { previousPeriod, stake, height };
        const bytes = toBinary(DelegatorStartingInfoSchema, startingInfoMessage(info));
        expect(written((context) => setStartingInfo(context, operator, operator, info))).toEqual(bytes);
        const store = new CacheStore(EMPTY_STATE);
        setStartingInfo({ store }, operator, operator, info);
        expect(getStartingInfo({ store }, operator, operator)).toEqual(info);
      }),
    );
  });
});
