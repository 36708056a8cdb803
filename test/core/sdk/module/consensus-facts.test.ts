/** Facts of consensus that modules see, and validators that they choose. */
import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { ValidatorUpdateSchema } from '../../../../src/core/proto/tendermint/abci/types_pb.js';
import { PublicKeySchema } from '../../../../src/core/proto/tendermint/crypto/keys_pb.js';
import type { ConsensusFacts } from '../../../../src/core/sdk/module/block-scope.js';
import type { Module, ValidatorChanges } from '../../../../src/core/sdk/module/module.js';
import { DevChain, chain } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const validator = (byte: number, power: bigint) =>
  create(ValidatorUpdateSchema, {
    pubKey: create(PublicKeySchema, { sum: { case: 'ed25519', value: new Uint8Array(32).fill(byte) } }),
    power,
  });

/** The chronicle preset with a module that decides validators; what it saw of blocks is collected in `seen`. */
function withDecider(atGenesis: ValidatorChanges, atEnd: ValidatorChanges) {
  const seen: ConsensusFacts[] = [];
  const decider: Module = {
    name: 'decider',
    store: 'decider',
    consensusVersion: 1n,
    initGenesis: () => atGenesis,
    exportGenesis: () => ({}),
    messages: [],
    queries: [],
    beginBlock: ({ block }) => void seen.push(block.facts),
    endBlock: () => atEnd,
  };
  const version = {
    ...chronicle,
    modules: [...chronicle.modules, decider],
    initOrder: [...chronicle.initOrder, 'decider'],
    beginBlockOrder: [...chronicle.beginBlockOrder, 'decider'],
    endBlockOrder: [...chronicle.endBlockOrder, 'decider'],
    stores: [...chronicle.stores, 'decider'].toSorted(),
  };
  return { version, seen };
}

test('a module sees votes, offences and the previous app hash, in a block and in a proposal', () => {
  const { version, seen } = withDecider(undefined, undefined);
  const dev = new DevChain({ version });
  const request = {
    ...dev.next([]),
    previousAppHash: new Uint8Array(32).fill(3),
    nextValidatorsHash: new Uint8Array(32).fill(4),
    lastCommitVotes: [{ address: new Uint8Array(20).fill(5), power: 7n, flag: 'nil' as const }],
    misbehavior: [
      {
        kind: 'duplicate vote' as const,
        address: new Uint8Array(20).fill(5),
        power: 7n,
        height: toHeight(1n),
        time: toTimeNs(2n),
        totalVotingPower: 7n,
      },
    ],
  };
  dev.app.prepareProposal(dev.state, { ...request, txs: [] });
  dev.execute(request);
  expect(seen).toHaveLength(2);
  for (const facts of seen) expect(facts).toMatchObject(request);
});

test('the validators that a module changes at the end of a block are in its results', () => {
  const changes = [validator(1, 10n), validator(2, 0n)];
  const { version } = withDecider(undefined, changes);
  const result = new DevChain({ version }).block();
  expect(result.kind === 'executed' && result.results.validatorUpdates).toEqual(changes);
});

test('the validators of the genesis are those that a module chose', () => {
  const begin = (named: ReturnType<typeof validator>[], chosen: ValidatorChanges) => {
    const { version } = withDecider(chosen, undefined);
    const { genesis } = new DevChain({ version: withDecider(chosen, undefined).version }, 4, true, {}, []);
    return createApplication({ version, chain, crypto }).initChain({ ...genesis, validators: named });
  };
  const chosen = [validator(1, 10n), validator(2, 20n)];
  expect(begin([], chosen).validators).toEqual(chosen);
  expect(begin([validator(2, 20n), validator(1, 10n)], chosen).validators).toEqual(chosen);
  expect(begin([validator(3, 1n)], undefined).validators).toEqual([validator(3, 1n)]);
  expect(() => begin([validator(1, 11n), validator(2, 20n)], chosen)).toThrow(
    'consensus.validators: are not the validators that app_state bonds',
  );
});
