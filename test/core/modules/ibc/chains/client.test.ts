/** Tendermint clients of another chain in this process: headers that they accept and refuse, and misbehaviour. */
import { create, fromBinary } from '@bufbuild/protobuf';
import { AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { toTimestamp } from '../../../../../src/core/comet/time.js';
import { clientKey, clientStateKey, consensusStateKey } from '../../../../../src/core/modules/ibc/keys.js';
import { toTimeNs } from '../../../../../src/core/primitives.js';
import {
  MsgSubmitMisbehaviourSchema,
  MsgUpdateClientSchema,
} from '../../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import {
  ClientStateSchema,
  type Header,
  HeaderSchema,
  MisbehaviourSchema,
} from '../../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { packAny } from '../../../../../src/core/sdk/codec/any.js';
import { anyOf, commitOf, IbcChain, type Shown, Signer } from './chain.js';
import { createClient, headerOf, heightOf, updateClient } from './relay.js';

const CLIENT = '07-tendermint-0';
const HOUR = 3_600n;

/** Chain `here` with a client of chain `there`; both have made further blocks. */
function stage(validators: readonly number[] = [1, 2, 3]) {
  const [here, there] = [new IbcChain('alpha-1'), new IbcChain('beta-4', { validators })];
  there.block();
  here.block();
  expect(here.send([createClient(here, there)]).log).toBe('');
  const trusted = there.height;
  there.block();
  there.block();
  return { here, there, trusted };
}

const refused = ({ codespace, code, log }: ExecTxResult): string => `${codespace} ${code}: ${log}`;
const events = ({ events: list }: ExecTxResult): readonly string[] =>
  list.map(({ type, attributes }) => `${type} ${attributes.map(({ key, value }) => `${key}=${value}`).join(' ')}`);

function stateOf(chain: IbcChain) {
  const state = anyUnpack(
    fromBinary(AnySchema, chain.value(clientStateKey(CLIENT)) ?? new Uint8Array()),
    ClientStateSchema,
  );
  if (state === undefined) throw new Error('no client');
  return state;
}

/** A forged block: the header with changes, signed by `signers`. */
function forged(of: Shown, change: Partial<Shown['header']>, signers: readonly Signer[]): Shown {
  const header = { ...of.header, ...change };
  return { header, commit: commitOf(header, signers) };
}

const OTHER_HASH = { appHash: new Uint8Array(32).fill(5) };

describe('a Tendermint client', () => {
  test('accepts headers that skip heights or fill a gap, and emits an event', () => {
    const { here, there, trusted } = stage();
    const gap = there.height;
    there.block();
    const taken = here.send([updateClient(here, CLIENT, headerOf(there, trusted))]);
    expect(taken.log).toBe('');
    expect(events(taken).slice(-2)).toEqual([
      `update_client client_id=${CLIENT} client_type=07-tendermint consensus_height=4-4 consensus_heights=4-4 msg_index=0`,
      'message module=ibc_client msg_index=0',
    ]);
    expect(stateOf(here).latestHeight).toMatchObject({ revisionNumber: 4n, revisionHeight: 4n });
    expect(here.send([updateClient(here, CLIENT, headerOf(there, trusted, there.shown(gap)))]).log).toBe('');
    expect(stateOf(here).latestHeight).toMatchObject({ revisionHeight: 4n });
    for (const height of [1n, 3n, 4n])
      expect(here.value(consensusStateKey(CLIENT, heightOf(there, height)))).toBeDefined();
    // the same header again changes nothing
    const before = here.value(clientStateKey(CLIENT));
    expect(here.send([updateClient(here, CLIENT, headerOf(there, trusted, there.shown(gap)))]).code).toBe(0);
    expect(here.value(clientStateKey(CLIENT))).toEqual(before);
  });

  test('accepts a header of new validators when more than a third of the trusted power signed it', () => {
    const { here, there, trusted } = stage([1, 2, 3]);
    const before = there.validators;
    const send = (signers: readonly number[]): string => {
      const next = new IbcChain('beta-4', { validators: signers });
      const header = {
        ...there.shown(there.height).header,
        validatorsHash: hashOf(next),
        nextValidatorsHash: hashOf(next),
      };
      const shown = { header, commit: commitOf(header, next.ordered) };
      return refused(here.send([updateClient(here, CLIENT, headerOf(there, trusted, shown, next.validators, before))]));
    };
    expect(send([3, 8, 9])).toContain(
      'undefined 1: failed to execute message; message index: 0: failed to verify header: cant trust new val set: invalid commit -- insufficient voting power: got 10, needed more than 10',
    );
    expect(send([2, 3, 9])).toBe(' 0: ');
  });

  test('prunes its lowest consensus state once that has expired', () => {
    const { here, there, trusted } = stage();
    const step = (seconds: bigint): void => {
      const latest = stateOf(here).latestHeight?.revisionHeight ?? 0n;
      there.block([], seconds);
      here.block([], seconds);
      expect(here.send([updateClient(here, CLIENT, headerOf(there, latest))]).log).toBe('');
    };
    const first = heightOf(there, trusted);
    step(HOUR);
    expect(here.value(consensusStateKey(CLIENT, first))).toBeDefined();
    step(HOUR + 600n);
    expect(here.value(consensusStateKey(CLIENT, first))).toBeUndefined();
    expect(here.value(clientKey(CLIENT, `consensusStates/4-${trusted}/processedTime`))).toBeUndefined();
  });

  test('expires after its trusting period without headers, and refuses further ones', () => {
    const { here, there, trusted } = stage();
    here.block([], 2n * HOUR);
    there.block([], 2n * HOUR);
    expect(refused(here.send([updateClient(here, CLIENT, headerOf(there, trusted))]))).toBe(
      `client 29: failed to execute message; message index: 0: cannot update client (${CLIENT}) with status Expired: client state is not active`,
    );
  });
});

function hashOf(chain: IbcChain): Uint8Array {
  chain.block();
  return chain.shown(chain.height).header.validatorsHash;
}

describe('a Tendermint client', () => {
  const attack = (make: (there: IbcChain, trusted: bigint) => Header): string => {
    const { here, there, trusted } = stage();
    const before = here.value(clientStateKey(CLIENT));
    const result = here.send([updateClient(here, CLIENT, make(there, trusted))]);
    expect(here.value(clientStateKey(CLIENT))).toEqual(before);
    expect(here.value(consensusStateKey(CLIENT, heightOf(there, there.height)))).toBeUndefined();
    return refused(result).replace('failed to execute message; message index: 0: ', '');
  };
  const last = (there: IbcChain): Shown => there.shown(there.height);

  test.each<[string, (there: IbcChain, trusted: bigint) => Header, string]>([
    [
      'a header that other validators signed',
      (there, trusted) =>
        headerOf(
          there,
          trusted,
          forged(
            last(there),
            OTHER_HASH,
            [7, 8, 9].map((seed) => new Signer(seed)),
          ),
        ),
      'undefined 1: failed to verify header: cant trust new val set: invalid commit -- insufficient voting power: got 0',
    ],
    [
      'a changed header under an honest commit',
      (there, trusted) =>
        headerOf(there, trusted, { ...last(there), header: { ...last(there).header, ...OTHER_HASH } }),
      'undefined 1: header failed basic validation: commit signs block',
    ],
    [
      'a header with a wrong signature',
      (there, trusted) => {
        const { header, commit } = last(there);
        const signatures = commit.signatures.map((each) => ({ ...each, signature: new Uint8Array(64).fill(1) }));
        return headerOf(there, trusted, { header, commit: { ...commit, signatures } });
      },
      'undefined 1: failed to verify header: wrong signature (#0): 0101',
    ],
    [
      'a header that two thirds of the power did not sign',
      (there, trusted) => {
        const { header, commit } = last(there);
        const signatures = commit.signatures.map((each, at) =>
          at === 0
            ? each
            : {
                ...each,
                blockIdFlag: 1,
                validatorAddress: new Uint8Array(),
                signature: new Uint8Array(),
                timestamp: undefined,
              },
        );
        return headerOf(there, trusted, { header, commit: { ...commit, signatures } });
      },
      'undefined 1: failed to verify header: cant trust new val set: invalid commit -- insufficient voting power: got 10, needed more than 10',
    ],
    [
      'a commit that repeats one signature',
      (there, trusted) => {
        const { header, commit } = last(there);
        const [one] = commit.signatures;
        return headerOf(there, trusted, { header, commit: { ...commit, signatures: one ? [one, one, one] : [] } });
      },
      'undefined 1: failed to verify header: double vote from Validator{',
    ],
    [
      'a header of another chain',
      (there, trusted) => headerOf(there, trusted, forged(last(there), { chainId: 'gamma-4' }, there.ordered)),
      'undefined 1: failed to verify header: invalid header: untrustedHeader.ValidateBasic failed: header belongs to another chain "gamma-4", not "beta-4"',
    ],
    [
      'a header of another revision',
      (there, trusted) => headerOf(there, trusted, forged(last(there), { chainId: 'beta-5' }, there.ordered)),
      '07-tendermint 5: header height revision 5 does not match trusted header revision 4: invalid header height',
    ],
    [
      'a header from the future',
      (there, trusted) =>
        headerOf(
          there,
          trusted,
          forged(last(there), { time: toTimestamp(toTimeNs(1_800_000_000_000_000_000n)) }, there.ordered),
        ),
      'undefined 1: failed to verify header: invalid header: new header has a time from the future 2027-01-15 08:00:00 +0000 UTC',
    ],
    [
      'a header that is not later than the trusted one',
      (there, trusted) =>
        headerOf(there, trusted, forged(last(there), { time: there.shown(trusted).header.time }, there.ordered)),
      'undefined 1: failed to verify header: invalid header: expected new header time',
    ],
    [
      'a trusted height without a consensus state',
      (there) => headerOf(there, there.height - 1n),
      'client 7: could not get trusted consensus state from clientStore for Header at TrustedHeight: 4-2: consensus state not found',
    ],
    [
      'a trusted height above that of the header',
      (there) => headerOf(there, 1n << 63n),
      '07-tendermint 5: TrustedHeight {4 9223372036854775808} must be less than header height {4 3}: invalid header height',
    ],
    [
      'trusted validators that do not match the trusted state',
      (there, trusted) => headerOf(there, trusted, last(there), there.validators, new IbcChain('beta-4').validators),
      '07-tendermint 14: trusted validators validators:<',
    ],
    [
      'a validator set that does not match the header',
      (there, trusted) => headerOf(there, trusted, last(there), new IbcChain('beta-4').validators),
      'client 12: validator set does not match hash: invalid client header',
    ],
    [
      'a validator with the address of another key',
      (there, trusted) => {
        const { validators } = there;
        const [one, ...rest] = validators.validators;
        const wrong = one ? [{ ...one, address: new Uint8Array(20) }, ...rest] : [];
        return headerOf(there, trusted, last(there), { ...validators, validators: wrong });
      },
      'undefined 1: validator set is not tendermint validator set: invalid validator #0: validator address is incorrectly derived',
    ],
    [
      'a validator set with too much voting power',
      (there, trusted) => {
        const { validators } = there;
        const heavy = validators.validators.map((each) => ({ ...each, votingPower: 2n ** 62n }));
        return headerOf(there, trusted, last(there), { ...validators, validators: heavy });
      },
      'undefined 111222: recovered: Total voting power should be guarded to not exceed',
    ],
    [
      'a header without a height',
      (there, trusted) => headerOf(there, trusted, forged(last(there), { height: 0n }, there.ordered)),
      'undefined 1: header is not a tendermint header: zero Height',
    ],
    [
      'an update without a header',
      (there, trusted) => create(HeaderSchema, { ...headerOf(there, trusted), signedHeader: undefined }),
      'client 12: tendermint signed header cannot be nil: invalid client header',
    ],
  ])('refuses %s, and stays unchanged', (_, make, expected) => {
    expect(attack(make)).toContain(expected);
  });

  test('refuses a message of another type, and an update of an absent client', () => {
    const { here, there, trusted } = stage();
    const wrong = anyOf(MsgUpdateClientSchema, {
      clientId: CLIENT,
      clientMessage: packAny(ClientStateSchema, create(ClientStateSchema)),
      signer: here.account(0),
    });
    expect(here.send([wrong], 1).code).toBe(2);
    const header = headerOf(there, trusted);
    expect(refused(here.send([updateClient(here, '07-tendermint-9', header)]))).toContain(
      'client 29: failed to execute message; message index: 0: cannot update client (07-tendermint-9) with status Unknown',
    );
    expect(refused(here.send([updateClient(here, '09-localhost', header)]))).toContain(
      'client 23: failed to execute message; message index: 0: client message verification is unsupported by the localhost client',
    );
    expect(refused(here.send([updateClient(here, '06-solomachine-0', header)]))).toContain('client 32');
  });
});

describe('misbehaviour', () => {
  test('freezes the client when two blocks of one height are proved', () => {
    const { here, there, trusted } = stage();
    const honest = there.shown(there.height);
    const header1 = headerOf(there, trusted, honest);
    const header2 = headerOf(there, trusted, forged(honest, OTHER_HASH, there.ordered));
    const proof = anyOf(MsgSubmitMisbehaviourSchema, {
      clientId: CLIENT,
      misbehaviour: packAny(MisbehaviourSchema, create(MisbehaviourSchema, { clientId: CLIENT, header1, header2 })),
      signer: here.account(0),
    });
    const result = here.send([proof]);
    expect(result.log).toBe('');
    expect(events(result).at(-2)).toBe(`client_misbehaviour client_id=${CLIENT} client_type=07-tendermint msg_index=0`);
    expect(stateOf(here).frozenHeight).toMatchObject({ revisionNumber: 0n, revisionHeight: 1n });
    expect(refused(here.send([updateClient(here, CLIENT, header1)]))).toContain('with status Frozen');
  });

  test('freezes the client when a header conflicts with a known one, or its time goes back', () => {
    for (const change of [OTHER_HASH, undefined]) {
      const { here, there, trusted } = stage();
      const [low, high] = [there.shown(there.height - 1n), there.shown(there.height)];
      expect(here.send([updateClient(here, CLIENT, headerOf(there, trusted, high))]).code).toBe(0);
      const wrong =
        change === undefined
          ? forged(low, { time: high.header.time }, there.ordered)
          : forged(high, change, there.ordered);
      expect(here.send([updateClient(here, CLIENT, headerOf(there, trusted, wrong))]).code).toBe(0);
      expect(stateOf(here).frozenHeight).toMatchObject({ revisionHeight: 1n });
    }
  });

  test('is not found in two honest headers', () => {
    const { here, there, trusted } = stage();
    const [low, high] = [there.shown(there.height - 1n), there.shown(there.height)];
    const misbehaviour = create(MisbehaviourSchema, {
      clientId: CLIENT,
      header1: headerOf(there, trusted, high),
      header2: headerOf(there, trusted, low),
    });
    const message = anyOf(MsgUpdateClientSchema, {
      clientId: CLIENT,
      clientMessage: packAny(MisbehaviourSchema, misbehaviour),
      signer: here.account(0),
    });
    expect(here.send([message]).code).toBe(0);
    expect(stateOf(here).frozenHeight).toMatchObject({ revisionHeight: 0n });
  });
});
