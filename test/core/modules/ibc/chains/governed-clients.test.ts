/** MsgRecoverClient by governance, and clients that follow the upgrade of their chain. */
import { fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { AnySchema, anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { toDuration } from '../../../../../src/core/comet/time.js';
import { clientStateKey } from '../../../../../src/core/modules/ibc/keys.js';
import { zeroCustomFields } from '../../../../../src/core/modules/ibc/client/tendermint-upgrade.js';
import { MsgSubmitProposalSchema, MsgVoteSchema } from '../../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { VoteOption } from '../../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import {
  QueryUpgradedClientStateRequestSchema,
  QueryUpgradedClientStateResponseSchema,
} from '../../../../../src/core/proto/ibc/core/client/v1/query_pb.js';
import {
  MsgIBCSoftwareUpgradeSchema,
  MsgRecoverClientSchema,
  MsgUpgradeClientSchema,
} from '../../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
} from '../../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress, moduleAddress } from '../../../../../src/core/sdk/codec/address.js';
import { packAny } from '../../../../../src/core/sdk/codec/any.js';
import { crypto } from '../../../app/support.js';
import { anyOf, IbcChain, utf8 } from './chain.js';
import { clientStateOf, createClient, headerOf, updateClient } from './relay.js';

const HOUR = 3_600n;
const NANOS = 1_000_000_000n;

const gov = (chain: IbcChain): string => encodeAddress(chain.prefix, moduleAddress(crypto, 'gov'));

/** Passes a proposal of one message with the vote of the chain's only validator. */
function pass(chain: IbcChain, message: Any, id = 1n): void {
  const propose = anyOf(MsgSubmitProposalSchema, {
    messages: [message],
    initialDeposit: [{ denom: chain.denom, amount: `${10n ** 21n}` }],
    proposer: chain.account(0),
    title: 'clients',
    summary: 'clients',
  });
  expect(chain.send([propose]).log).toBe('');
  const vote = anyOf(MsgVoteSchema, { proposalId: id, voter: chain.account(0), option: VoteOption.YES });
  expect(chain.send([vote]).log).toBe('');
  chain.block([], 30n);
}

const refused = ({ codespace, code, log }: ExecTxResult): string => `${codespace} ${code}: ${log}`;

const stateOf = (chain: IbcChain, id: string) =>
  anyUnpack(fromBinary(AnySchema, chain.value(clientStateKey(id)) ?? new Uint8Array()), ClientStateSchema);

test('governance recovers an expired client with the state of a substitute for the same chain', () => {
  const [here, there] = [new IbcChain('alpha-1'), new IbcChain('beta-4')];
  there.block();
  here.block();
  expect(here.send([createClient(here, there)]).log).toBe('');
  here.block([], 2n * HOUR);
  there.block([], 2n * HOUR);
  const recover = anyOf(MsgRecoverClientSchema, {
    subjectClientId: '07-tendermint-0',
    substituteClientId: '07-tendermint-1',
    signer: gov(here),
  });
  const unmatched = { ...clientStateOf(there, 1n), maxClockDrift: toDuration(1n) };
  expect(here.send([createClient(here, there, { maxClockDrift: unmatched.maxClockDrift })]).log).toBe('');
  pass(here, recover);
  expect(stateOf(here, '07-tendermint-0')?.latestHeight?.revisionHeight).toBe(1n);
  expect(here.send([createClient(here, there, { trustingPeriod: toDuration(HOUR * NANOS) })]).log).toBe('');
  const good = anyOf(MsgRecoverClientSchema, {
    subjectClientId: '07-tendermint-0',
    substituteClientId: '07-tendermint-2',
    signer: gov(here),
  });
  pass(here, good, 2n);
  expect(stateOf(here, '07-tendermint-0')).toMatchObject({
    latestHeight: { revisionNumber: 4n, revisionHeight: 2n },
    trustingPeriod: { seconds: HOUR },
  });
  there.block();
  expect(here.send([updateClient(here, '07-tendermint-0', headerOf(there, 2n))]).log).toBe('');
});

test('MsgUpgradeClient moves a client to the next revision, with proofs of the upgraded state', () => {
  const [here, there] = [new IbcChain('alpha-1'), new IbcChain('beta-4')];
  there.block();
  here.block();
  expect(here.send([createClient(here, there)]).log).toBe('');
  const height = there.height + 8n;
  const next = {
    ...clientStateOf(there, 1n),
    chainId: 'beta-5',
    latestHeight: { $typeName: 'ibc.core.client.v1.Height' as const, revisionNumber: 5n, revisionHeight: height },
    unbondingPeriod: toDuration((3n * HOUR * NANOS) / 2n),
  };
  const upgrade = anyOf(MsgIBCSoftwareUpgradeSchema, {
    plan: { name: 'five', height },
    upgradedClientState: packAny(ClientStateSchema, next),
    signer: gov(there),
  });
  pass(there, upgrade);
  const told = there.query(
    '/ibc.core.client.v1.Query/UpgradedClientState',
    QueryUpgradedClientStateRequestSchema,
    {},
    QueryUpgradedClientStateResponseSchema,
  );
  expect(told.upgradedClientState?.value).toEqual(toBinary(ClientStateSchema, zeroCustomFields(next)));
  while (there.height < height - 1n) there.block();
  there.decide();
  here.block([], 60n);
  const last = height - 1n;
  const header = headerOf(there, 1n, there.shown(height));
  expect(here.send([updateClient(here, '07-tendermint-0', header)]).log).toBe('');
  const left = fromBinary(
    AnySchema,
    there.value(utf8(`upgradedIBCState/${height}/upgradedConsState`), 'upgrade') ?? new Uint8Array(),
  );
  const consensus = anyUnpack(left, ConsensusStateSchema);
  expect(consensus?.nextValidatorsHash).toEqual(there.shown(last).header.nextValidatorsHash);
  const proof = (part: string) => there.prove(utf8(`upgradedIBCState/${height}/${part}`), last, 'upgrade');
  const message = (change: Partial<MessageInitShape<typeof MsgUpgradeClientSchema>> = {}) =>
    anyOf(MsgUpgradeClientSchema, {
      clientId: '07-tendermint-0',
      clientState: packAny(ClientStateSchema, next),
      consensusState: left,
      proofUpgradeClient: proof('upgradedClient'),
      proofUpgradeConsensusState: proof('upgradedConsState'),
      signer: here.account(0),
      ...change,
    });
  const wrong = packAny(ClientStateSchema, { ...next, chainId: 'beta-6' });
  expect(refused(here.send([message({ clientState: wrong })]))).toContain(
    'commitment 2: failed to execute message; message index: 0: cannot upgrade client with ID 07-tendermint-0: client state proof failed. Path:',
  );
  expect(refused(here.send([message({ proofUpgradeClient: proof('upgradedConsState') })]))).toContain('commitment 2');
  const done = here.send([message()]);
  expect(done.log).toBe('');
  expect(done.events.find(({ type }) => type === 'upgrade_client')?.attributes[2]?.value).toBe(`5-${height}`);
  expect(stateOf(here, '07-tendermint-0')).toMatchObject({
    chainId: 'beta-5',
    trustingPeriod: { seconds: HOUR },
    maxClockDrift: { seconds: 10n },
  });
});
