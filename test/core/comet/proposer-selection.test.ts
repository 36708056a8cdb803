import { create } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type PublicKeyJson,
  publicKeyFromJson,
  validatorFromJson,
  validatorToJson,
  validatorUpdateFromJson,
} from '../../../src/core/comet/json/validator-json.js';
import { incrementProposerPriority, proposerOf, proposerOfRound } from '../../../src/core/comet/proposer-priority.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { genesisValidatorSet, nextValidatorSet } from '../../../src/core/comet/validator-updates.js';
import { MAX_TOTAL_POWER, quorum, totalPower } from '../../../src/core/comet/validator-set.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../../../src/core/proto/tendermint/crypto/keys_pb.js';
import { type ValidatorSet, ValidatorSetSchema } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { goldenPath, hasGolden } from '../../support/golden.js';
import { nodeCrypto } from './node-crypto.js';
import { recordedHeights } from './recorded-blocks.js';

const update = (key: number, power: bigint): ValidatorUpdate =>
  create(ValidatorUpdateSchema, {
    pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: new Uint8Array(32).fill(key) } }),
    power,
  });

function setOf(result: ReturnType<typeof genesisValidatorSet>): ValidatorSet {
  if (!result.ok) throw new Error(result.reason);
  return result.set;
}

const shown = (set: ValidatorSet) => set.validators.map(validatorToJson);

interface GenesisJson {
  readonly validators: readonly { readonly pub_key: PublicKeyJson; readonly power: string }[];
}

describe.skipIf(!hasGolden).each(['net4', 'net4b'])('recorded network %s', (net) => {
  it('has the validator sets, priorities and proposers computed from genesis and power changes', () => {
    const heights = recordedHeights(`simple-kv/${net}-blocks.jsonl`);
    const genesis: GenesisJson = JSON.parse(readFileSync(goldenPath(`simple-kv/${net}-genesis.json`), 'utf8'));
    let current = setOf(
      genesisValidatorSet(
        nodeCrypto,
        genesis.validators.map(({ pub_key: key, power }) =>
          create(ValidatorUpdateSchema, { pubKey: publicKeyFromJson(key), power: BigInt(power) }),
        ),
      ),
    );
    let next = incrementProposerPriority(current, 1);
    let powerChanges = 0;
    for (const [index, { validators, block, commit }] of heights.entries()) {
      expect(shown(current), `height ${block.block.header.height}`).toEqual(validators?.validators);
      const rounds = Array.from({ length: (commit?.signed_header.commit.round ?? 0) + 1 }, (_, round) =>
        upperHex(proposerOfRound(current, round).address),
      );
      expect(rounds).toContain(block.block.header.proposer_address);
      // The updates of block h take effect in the set of h + 2.
      const later = heights[index + 2]?.validators?.validators ?? [];
      const known = new Map(next.validators.map((validator) => [upperHex(validator.address), validator.votingPower]));
      const updates = later
        .map(validatorFromJson)
        .filter(({ address, votingPower }) => known.get(upperHex(address)) !== votingPower)
        .map(({ pubKey, votingPower }) =>
          create(ValidatorUpdateSchema, { ...(pubKey && { pubKey }), power: votingPower }),
        );
      powerChanges += updates.length;
      [current, next] = [next, setOf(nextValidatorSet(nodeCrypto, next, updates))];
    }
    if (net === 'net4') expect(powerChanges).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasGolden)('recorded chain-a', () => {
  it('has the validator sets and priorities computed when a validator joins, is jailed and is removed', () => {
    const heights = recordedHeights('chain-a/blocks.jsonl');
    const first = heights[0]?.validators?.validators.map(validatorFromJson) ?? [];
    let current = setOf(
      genesisValidatorSet(
        nodeCrypto,
        first.map(({ pubKey, votingPower }) =>
          create(ValidatorUpdateSchema, { ...(pubKey && { pubKey }), power: votingPower }),
        ),
      ),
    );
    let next = incrementProposerPriority(current, 1);
    let compared = 0;
    for (const { validators, block, block_results: results } of heights) {
      if (validators !== undefined) {
        expect(shown(current), `height ${block.block.header.height}`).toEqual(validators.validators);
        compared++;
      }
      const updates = (results?.validator_updates ?? []).map(validatorUpdateFromJson);
      [current, next] = [next, setOf(nextValidatorSet(nodeCrypto, next, updates))];
    }
    expect(compared).toBeGreaterThan(4);
  });
});

describe('proposer selection', () => {
  const powers = fc.array(fc.bigInt({ min: 1n, max: 1_000_000n }), { minLength: 1, maxLength: 8 });

  it('makes each validator propose as often as its power, over as many turns as the total power', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 9n }), { minLength: 1, maxLength: 5 }), (weights) => {
        let set = setOf(
          genesisValidatorSet(
            nodeCrypto,
            weights.map((power, key) => update(key + 1, power)),
          ),
        );
        const turns = new Map<string, bigint>();
        for (let turn = 0n; turn < totalPower(set.validators); turn++) {
          const proposer = upperHex(proposerOf(set).address);
          turns.set(proposer, (turns.get(proposer) ?? 0n) + 1n);
          set = incrementProposerPriority(set, 1);
        }
        for (const { address, votingPower } of set.validators) expect(turns.get(upperHex(address))).toBe(votingPower);
      }),
    );
  });

  it('keeps the sum of priorities between 0 and the number of validators, whatever power changes', () => {
    fc.assert(
      fc.property(
        powers,
        fc.array(fc.tuple(fc.nat({ max: 7 }), fc.bigInt({ min: 0n, max: 1_000_000n })), { maxLength: 20 }),
        (weights, changes) => {
          let set = setOf(
            genesisValidatorSet(
              nodeCrypto,
              weights.map((power, key) => update(key + 1, power)),
            ),
          );
          for (const [key, power] of changes) {
            const result = nextValidatorSet(nodeCrypto, set, [update(key + 1, power)]);
            if (!result.ok) continue;
            set = result.set;
            const total = totalPower(set.validators);
            const sum = set.validators.reduce((running, { proposerPriority }) => running + proposerPriority, 0n);
            expect(sum >= 0n && sum < BigInt(set.validators.length)).toBe(true);
            expect(set.totalVotingPower).toBe(total);
            expect(set.proposer).toBeDefined();
          }
        },
      ),
    );
  });

  it('leaves the priority of a single validator at 0, and resets it when others have left', () => {
    const alone = setOf(genesisValidatorSet(nodeCrypto, [update(1, 7n)]));
    expect(incrementProposerPriority(alone, 1)).toBe(alone);
    const two = setOf(genesisValidatorSet(nodeCrypto, [update(1, 7n), update(2, 5n)]));
    const left = setOf(nextValidatorSet(nodeCrypto, two, [update(2, 0n)]));
    expect(shown(incrementProposerPriority(left, 3))).toEqual(shown(alone));
    const owing = {
      ...left,
      validators: left.validators.map((validator) => ({ ...validator, proposerPriority: -3n })),
    };
    expect(shown(incrementProposerPriority(owing, 1))).toEqual(shown(alone));
    const stronger = setOf(nextValidatorSet(nodeCrypto, alone, [update(1, 9n)]));
    expect([stronger.totalVotingPower, proposerOf(stronger).votingPower]).toEqual([9n, 9n]);
  });

  it('orders a set by power, then by address', () => {
    const set = setOf(genesisValidatorSet(nodeCrypto, [update(1, 5n), update(2, 9n), update(3, 5n), update(4, 5n)]));
    expect(set.validators.map(({ votingPower }) => votingPower)).toEqual([9n, 5n, 5n, 5n]);
    const equal = set.validators.slice(1).map(({ address }) => upperHex(address));
    expect(equal).toEqual(equal.toSorted());
  });

  it('gives each of three equal validators one of three rounds', () => {
    const set = setOf(genesisValidatorSet(nodeCrypto, [update(1, 1n), update(2, 1n), update(3, 1n)]));
    const proposers = [0, 1, 2].map((round) => upperHex(proposerOfRound(set, round).address));
    expect(new Set(proposers).size).toBe(3);
    expect(upperHex(proposerOfRound(set, 3).address)).toBe(proposers[0]);
  });
});

describe('validator updates', () => {
  const set = setOf(genesisValidatorSet(nodeCrypto, [update(1, 10n), update(2, 10n)]));
  it.each([
    ['a repeated key', [update(1, 5n), update(1, 6n)], /duplicate entry/],
    ['a negative power', [update(1, -1n)], /can't be negative/],
    ['the removal of an unknown key', [update(9, 0n)], /failed to find validator/],
    ['the removal of everyone', [update(1, 0n), update(2, 0n)], /empty set/],
    ['too much total power', [update(3, MAX_TOTAL_POWER)], /exceeds max/],
  ])('are refused with %s', (_, updates, reason) => {
    const result = nextValidatorSet(nodeCrypto, set, updates);
    expect(result).toMatchObject({ ok: false });
    if (!result.ok) expect(result.reason).toMatch(reason);
  });

  it('are refused at genesis when the set is empty', () => {
    expect(genesisValidatorSet(nodeCrypto, [])).toMatchObject({ ok: false });
  });

  it('give sets whose quorum is strictly more than two thirds', () => {
    expect([1n, 3n, 4n, 6n, 40n].map(quorum)).toEqual([1n, 3n, 3n, 5n, 27n]);
    expect(totalPower(create(ValidatorSetSchema).validators)).toBe(0n);
  });
});
