import { toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currentMessage,
  encodeCoins,
  getCurrent,
  setCurrent,
} from '../../../../src/core/modules/distribution/records.js';
import {
  ValidatorCurrentRewardsSchema,
  ValidatorOutstandingRewardsSchema,
} from '../../../../src/core/proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { prefixRange } from '../../../../src/core/bytes/key-order.js';
import { STORE } from '../../../../src/core/modules/distribution/keys.js';
import { decCoinMessages } from '../../../../src/core/sdk/dec-coins.js';
import { CacheStore, EMPTY_STATE } from '../../../../src/core/state/overlay.js';

const coins = fc.array(
  fc.record({ denom: fc.stringMatching(/^[a-z][a-z0-9/]{2,20}$/), amount: fc.bigInt({ min: 1n, max: 1n << 200n }) }),
  { maxLength: 4 },
);
const operator = new Uint8Array(20).fill(3);

describe('records of rewards', () => {
  it('have the bytes of the generated codec', () => {
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
});
