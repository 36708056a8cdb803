/** Legacy parameters of all modules: queries, and changes by proposals of v1beta1. */
import { create, fromBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { applyChanges } from '../../../../src/core/modules/params/changes.js';
import { subspacesOf } from '../../../../src/core/modules/params/subspaces.js';
import { ParameterChangeProposalSchema } from '../../../../src/core/proto/cosmos/params/v1beta1/params_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/params/v1beta1/query_pb.js';
import { MsgVoteSchema } from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/tx_pb.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { PropertyChain, type Settings } from '../../app/properties/chain.js';
import { achr, any, person } from '../../app/properties/people.js';
import { play } from '../../app/properties/play.js';
import { encode } from '../../../support/encode.js';

const SETTINGS: Settings = {
  downtimeFraction: '0.010000000000000000',
  doubleSignFraction: '0.050000000000000000',
  maxValidators: 3,
  unbondingSeconds: 5,
};
const chain = (version: AppVersion = chronicle) => new PropertyChain(version, SETTINGS);

function asked(of: PropertyChain, subspace: string, key: string): string {
  const request = encode(pb.QueryParamsRequestSchema, { subspace, key });
  const answer = of.app.query(of.state, of.at(), '/cosmos.params.v1beta1.Query/Params', request);
  return answer.ok
    ? (fromBinary(pb.QueryParamsResponseSchema, answer.value).param?.value ?? '')
    : `${answer.codespace} ${answer.code}: ${answer.log}`;
}

describe('queries of legacy parameters', () => {
  it.each([
    ['staking', 'UnbondingTime', '"5000000000"'],
    ['staking', 'MaxValidators', '3'],
    ['staking', 'BondDenom', '"achr"'],
    ['staking', 'MinCommissionRate', '"0.000000000000000000"'],
    ['auth', 'MaxMemoCharacters', '"256"'],
    ['bank', 'DefaultSendEnabled', 'true'],
    ['bank', 'SendEnabled', '[]'],
    ['baseapp', 'BlockParams', '{"max_bytes":"22020096","max_gas":"30000000"}'],
    [
      'baseapp',
      'EvidenceParams',
      '{"max_age_num_blocks":"100000","max_age_duration":"172800000000000","max_bytes":"1048576"}',
    ],
    ['baseapp', 'ValidatorParams', '{"pub_key_types":["ed25519"]}'],
    ['evm', 'EVMDenom', '"achr"'],
    ['evm', 'EnableExtraEIPs', '[]'],
    ['feemarket', 'BaseFee', '"1000000000.000000000000000000"'],
    ['feemarket', 'ElasticityMultiplier', '2'],
    ['feemarket', 'EnableHeight', '"0"'],
    ['slashing', 'MinSignedPerWindow', '"0.500000000000000000"'],
    ['slashing', 'DowntimeJailDuration', '"5000000000"'],
    ['distribution', 'communitytax', '"0.020000000000000000"'],
    ['mint', 'GoalBonded', '"0.670000000000000000"'],
    ['crisis', 'ConstantFee', '{"denom":"achr","amount":"1000"}'],
    ['gov', 'votingparams', '{"voting_period":"9000000000"}'],
    [
      'gov',
      'tallyparams',
      '{"quorum":"0.100000000000000000","threshold":"0.500000000000000000","veto_threshold":"0.334000000000000000"}',
    ],
    ['staking', 'Nothing', ''],
    ['nowhere', 'UnbondingTime', 'params 2: nowhere: unknown subspace'],
  ])('answer %s %s', (subspace, key, value) => {
    expect(asked(chain(), subspace, key)).toBe(value);
  });

  it('need a subspace and a key', () => {
    expect(asked(chain(), '', 'x')).toContain('invalid request');
    expect(asked(chain(), 'x', '')).toContain('invalid request');
  });

  it('list the subspaces of the modules that the chain has', () => {
    const of = chain();
    const answer = of.app.query(of.state, of.at(), '/cosmos.params.v1beta1.Query/Subspaces', new Uint8Array(0));
    if (!answer.ok) throw new Error(answer.log);
    const { subspaces } = fromBinary(pb.QuerySubspacesResponseSchema, answer.value);
    expect(subspaces.map(({ subspace }) => subspace)).toEqual([
      'auth',
      'bank',
      'staking',
      'mint',
      'distribution',
      'slashing',
      'gov',
      'crisis',
      'baseapp',
      'evm',
      'feemarket',
    ]);
    expect(subspaces.at(7)?.keys).toEqual(['ConstantFee']);
  });
});

describe('changes of legacy parameters', () => {
  const change = (of: PropertyChain, subspace: string, key: string, value: string): string => {
    const changes = [{ $typeName: 'cosmos.params.v1beta1.ParamChange' as const, subspace, key, value }];
    const context = of.context();
    try {
      applyChanges(context, changes);
      return (
        subspacesOf(context)
          .find(({ name }) => name === subspace)
          ?.read(context, key) ?? ''
      );
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      return `${error.registered.codespace} ${error.registered.code}: ${error.message}`;
    }
  };

  it('to the present value keep every parameter', () => {
    const of = chain();
    const all = subspacesOf(of.context()).flatMap(({ name, keys }) => keys.map((key) => [name, key] as const));
    for (const [subspace, key] of all) {
      const value = asked(of, subspace, key);
      expect(change(of, subspace, key, value)).toBe(value);
    }
  });

  it.each([
    ['staking', 'MaxValidators', '7'],
    ['staking', 'UnbondingTime', '"1500000001"'],
    ['slashing', 'SlashFractionDowntime', '"0.250000000000000000"'],
    ['mint', 'InflationMax', '"0.500000000000000000"'],
    ['bank', 'DefaultSendEnabled', 'false'],
    ['bank', 'SendEnabled', '[{"denom":"achr","enabled":false},{"denom":"other","enabled":true}]'],
    ['baseapp', 'BlockParams', '{"max_bytes":"1048576","max_gas":"-1"}'],
    ['baseapp', 'EvidenceParams', '{"max_age_num_blocks":"5","max_age_duration":"1500000001","max_bytes":"1048576"}'],
    ['feemarket', 'MinGasPrice', '"5.000000000000000000"'],
    ['feemarket', 'BaseFeeChangeDenominator', '16'],
    ['gov', 'depositparams', '{"min_deposit":[{"denom":"achr","amount":"5"}],"max_deposit_period":"1000000000"}'],
    ['crisis', 'ConstantFee', '{"denom":"achr","amount":"5"}'],
  ])('set %s %s to %s', (subspace, key, value) => {
    expect(change(chain(), subspace, key, value)).toBe(value);
  });

  it.each([
    ['nowhere', 'MaxValidators', '7', 'params 2: nowhere: unknown subspace'],
    ['staking', 'Nothing', '7', 'err: parameter Nothing not registered'],
    ['staking', 'MaxValidators', '-1', 'err: staking: '],
    ['staking', 'MaxValidators', '0', 'err: max validators must be positive: 0'],
    ['staking', 'MaxValidators', '{', 'err: not a JSON value: {'],
    ['staking', 'UnbondingTime', '"5s"', 'err: not nanoseconds as text'],
    ['staking', 'UnbondingTime', '"0"', 'err: unbonding time must be positive: 0'],
    ['staking', 'MinCommissionRate', '"1.5"', 'cannot be greater than 100%'],
    ['mint', 'InflationMax', '"9"', 'err: max inflation too large: 9.000000000000000000'],
    ['gov', 'votingparams', '{"voting_time":"1"}', 'err: unknown field voting_time'],
    ['gov', 'votingparams', '7', 'err: not a JSON object'],
    ['gov', 'votingparams', '{"voting_period":"0"}', 'voting period must be positive'],
  ])('are refused: %s %s to %s', (subspace, key, value, text) => {
    const of = chain();
    const before = of.dump();
    expect(change(of, subspace, key, value)).toContain(text);
    expect(of.dump()).toEqual(before);
  });

  it('to any JSON succeed or fail with an SDK error (seed 7)', () => {
    const of = chain();
    const all = subspacesOf(of.context()).flatMap(({ name, keys }) => keys.map((key) => [name, key] as const));
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.oneof(fc.json(), fc.bigInt().map(String)), ([subspace, key], value) => {
        expect(typeof change(of, subspace, key, value)).toBe('string');
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('a parameter change proposal of v1beta1', () => {
  const content = (change: object = {}) => {
    const changes = [{ subspace: 'staking', key: 'MaxValidators', value: '9', ...change }];
    const packed = anyPack(
      ParameterChangeProposalSchema,
      create(ParameterChangeProposalSchema, { title: 't', description: 'd', changes: 'none' in change ? [] : changes }),
    );
    return { ...packed, typeUrl: `/${ParameterChangeProposalSchema.typeName}` };
  };
  const submit = (of: PropertyChain, change: object = {}) => {
    const message = any(MsgSubmitProposalSchema, {
      content: content(change),
      proposer: person(0),
      initialDeposit: [achr(1000n)],
    });
    const [result] = of.block(of.facts(1n, 0, []), [of.tx(0, [message], 0n)]).results;
    return `${result?.codespace} ${result?.code}: ${result?.log}`;
  };

  it('changes parameters when it passes', () => {
    const of = chain();
    play(of, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());
    expect(submit(of)).toBe(' 0: ');
    const vote = (from: number) =>
      of.tx(from, [any(MsgVoteSchema, { proposalId: 1n, voter: person(from), option: 1 })], 0n);
    of.block(of.facts(1n, 0, []), [vote(0), vote(1), vote(2), vote(3)]);
    expect(asked(of, 'staking', 'MaxValidators')).toBe('3');
    of.block(of.facts(20n, 0, []), []);
    expect(asked(of, 'staking', 'MaxValidators')).toBe('9');
  });

  it.each([
    [{ none: true }, 'params 4: failed to execute message; message index: 0: submitted parameter changes are empty'],
    [{ subspace: '' }, 'params 5: failed to execute message; message index: 0: parameter subspace is empty'],
    [{ key: '' }, 'params 6: failed to execute message; message index: 0: parameter key is empty'],
    [{ value: '' }, 'params 7: failed to execute message; message index: 0: parameter value is empty'],
    [{ subspace: 'nowhere' }, 'nowhere: unknown subspace'],
    [{ value: '0' }, 'max validators must be positive: 0'],
  ])('is refused with %o', (change, text) => {
    expect(submit(chain(), change)).toContain(text);
  });

  it('is of an unknown type in a preset without module params', () => {
    // a block of evmd shows nothing of a transaction that it cannot decode
    expect(submit(chain(evmd))).toBe('sdk 2: tx parse error');
  });
});
