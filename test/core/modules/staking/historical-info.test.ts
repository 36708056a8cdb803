/** Historical infos of staking: their header, the order of validators, and how long they are kept. */
import { fromBinary } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { getHistoricalInfo, trackHistoricalInfo } from '../../../../src/core/modules/staking/historical-info.js';
import { setLastPower } from '../../../../src/core/modules/staking/last-powers.js';
import { getParams, setParams } from '../../../../src/core/modules/staking/params.js';
import { BondStatus, consensusAddressOf } from '../../../../src/core/modules/staking/validator.js';
import { replaceValidator, requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { toHeight } from '../../../../src/core/primitives.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { bytesOf, person } from '../../app/properties/people.js';
import { newStage } from '../../app/refusals/stage.js';
import { crypto, toHex } from '../../app/support.js';

const COIN = 10n ** 18n;
const facts = {
  previousAppHash: new Uint8Array(32).fill(7),
  nextValidatorsHash: new Uint8Array(32).fill(8),
  lastCommitVotes: [],
  misbehavior: [],
};
const proposer = new Uint8Array(20).fill(9);

/** The validators of accounts 0 to 3 with these powers as those of the last block, and the context of a block. */
function blockOf(powers: readonly bigint[]) {
  const { context } = newStage();
  powers.forEach((power, index) => {
    const before = requireValidator(context, bytesOf(person(index)));
    replaceValidator(context, before, { ...before, status: BondStatus.BONDED, tokens: power * COIN });
    setLastPower(context, before.operator, power);
  });
  return { ...context, block: new BlockScope(new Uint8Array(32), proposer, new GasMeter(undefined), facts) };
}

it('a historical info has the previous app hash and the facts of its block', () => {
  const context = blockOf([1n, 1n, 1n, 1n]);
  trackHistoricalInfo(context);
  expect(getHistoricalInfo(context, context.height)?.header).toMatchObject({
    appHash: facts.previousAppHash,
    nextValidatorsHash: facts.nextValidatorsHash,
    proposerAddress: proposer,
    height: context.height,
    chainId: context.chainId,
    validatorsHash: new Uint8Array(),
  });
});

it('a historical info lists validators by falling power, then by consensus address', () => {
  const context = blockOf([5n, 5n, 9n, 5n]);
  trackHistoricalInfo(context);
  const addresses = [0, 1, 3].map((index) =>
    toHex(consensusAddressOf(crypto, requireValidator(context, bytesOf(person(index))))),
  );
  const shown = getHistoricalInfo(context, context.height)?.valset ?? [];
  expect(shown.map(({ tokens }) => BigInt(tokens) / COIN)).toEqual([9n, 5n, 5n, 5n]);
  const keys = shown
    .slice(1)
    .map(({ consensusPubkey }) => fromBinary(PubKeySchema, consensusPubkey?.value ?? new Uint8Array()).key);
  expect(keys.map((key) => toHex(crypto.sha256(key).slice(0, 20)))).toEqual(addresses.toSorted());
});

it('historical infos are kept for as many blocks as the parameters say, also after a decrease', () => {
  const context = blockOf([1n, 1n, 1n, 1n]);
  const kept = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
      (height) => getHistoricalInfo(context, BigInt(height)) !== undefined,
    );
  const track = (height: number): void => trackHistoricalInfo({ ...context, height: toHeight(BigInt(height)) });
  for (let height = 10; height < 16; height += 1) track(height);
  expect(kept(10, 16)).toEqual([13, 14, 15]);
  setParams(context, { ...getParams(context), historicalEntries: 1 });
  track(16);
  expect(kept(10, 16)).toEqual([16]);
  setParams(context, { ...getParams(context), historicalEntries: 0 });
  track(17);
  // pruning ends at the first height without one, which is the running height
  expect(kept(10, 17)).toEqual([16]);
});
