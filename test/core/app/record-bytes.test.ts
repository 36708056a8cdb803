/** Hand-written encoders of records that each block writes produce the bytes of the generated codec. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BytesValueSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerBytes } from '../../../src/core/comet/block-bytes.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import { setPreviousProposer } from '../../../src/core/modules/distribution/allocation.js';
import { setValidatorUpdates } from '../../../src/core/modules/staking/last-powers.js';
import { toTimeNs } from '../../../src/core/primitives.js';
import { ValidatorUpdatesSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { HeaderSchema } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { emptyContext } from '../modules/staking/context.js';

const context = emptyContext();
const int64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
const time = fc.bigInt({ min: -62_135_596_800_000_000_000n, max: 1n << 62n }).map(toTimeNs);
const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('a hand-written encoder produces the bytes of the generated codec', () => {
  it('for the header of a historical info', () => {
    fc.assert(
      fc.property(int64, time, text, bytes, (height, when, chainId, hash) => {
        const header = create(HeaderSchema, {
          version: {},
          chainId,
          height,
          time: toTimestamp(when),
          lastBlockId: { partSetHeader: {} },
          appHash: hash,
          proposerAddress: hash,
        });
        expect(headerBytes(header)).toEqual(toBinary(HeaderSchema, header));
      }),
    );
  });

  it('for the previous proposer and the validator updates', () => {
    const written: Uint8Array[] = [];
    const store = {
      ...context.store,
      set: (_store: string, _key: Uint8Array, value: Uint8Array) => written.push(value),
    };
    const proposer = new Uint8Array(20).fill(9);
    const updates = [create(ValidatorUpdateSchema, { power: 7n })];
    setPreviousProposer({ ...context, store }, proposer);
    setPreviousProposer({ ...context, store }, new Uint8Array());
    setValidatorUpdates({ ...context, store }, []);
    setValidatorUpdates({ ...context, store }, updates);
    const [of = new Uint8Array(), ofNobody, ofNone, ofSome = new Uint8Array()] = written;
    expect(fromBinary(BytesValueSchema, of).value).toEqual(proposer);
    expect(of).toHaveLength(22);
    expect([ofNobody, ofNone]).toEqual([new Uint8Array(), new Uint8Array()]);
    expect(fromBinary(ValidatorUpdatesSchema, ofSome).updates).toEqual(updates);
  });
});
