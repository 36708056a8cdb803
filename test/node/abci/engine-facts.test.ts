/** Misbehavior that an engine reports, and consensus parameters that the chain must not send it. */
import { fromBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { createRest } from '../../../src/adapters/rest/index.js';
import { readGenesis } from '../../../src/core/app/chain-of-genesis.js';
import { EMPTY } from '../../../src/core/bytes/bytes.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { MsgUpdateParamsSchema } from '../../../src/core/proto/cosmos/consensus/v1/tx_pb.js';
import { EquivocationSchema } from '../../../src/core/proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { QueryAllEvidenceResponseSchema } from '../../../src/core/proto/cosmos/evidence/v1beta1/query_pb.js';
import { ProposalStatus, VoteOption } from '../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import {
  QueryProposalRequestSchema,
  QueryProposalResponseSchema,
} from '../../../src/core/proto/cosmos/gov/v1/query_pb.js';
import { MsgSubmitProposalSchema, MsgVoteSchema } from '../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import {
  QuerySigningInfoRequestSchema,
  QuerySigningInfoResponseSchema,
} from '../../../src/core/proto/cosmos/slashing/v1beta1/query_pb.js';
import { encodeAddress, moduleAddress } from '../../../src/core/sdk/codec/address.js';
import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import { VERSION } from '../../../src/runtime/host/version.js';
import { MemoryStore } from '../../support/memory-store.js';
import { ask as askRest } from '../../adapters/rest/ask.js';
import { anyOf } from '../../support/sign-tx.js';
import { accounts, signed } from '../simulated-node.js';
import { ask, block, make, started } from './engine-node.js';
import { reopenable } from '../../support/reopenable.js';

test('misbehavior that the engine reports is slashed once, and ABCI queries and REST show its evidence', async () => {
  const store = reopenable();
  const first = await started(store, { absentPower: 5n });
  await make(first, 1n, 2n);
  const [, offender] = first.node.api.queries.chain.validators(toHeight(1n))?.validators ?? [];
  if (offender === undefined) throw new Error('two validators');
  const { address, votingPower: power } = offender;
  const { time } = block(first, 2n);
  const proof = { kind: 'duplicate vote', address, power, height: toHeight(2n), time, totalVotingPower: 15n } as const;
  const proven = { ...block(first, 3n), misbehavior: [proof] };
  const lost = await first.engine.finalizeBlock(proven);
  await first.node.stop();

  // Nothing was committed: the engine sends the block with its offence again.
  const simulated = await started(store);
  const { engine, node } = simulated;
  const results = await engine.finalizeBlock(proven);
  expect(results.appHash).toEqual(lost.appHash);
  const punished = (events: typeof results.events) =>
    events.filter(({ type }) => type === 'slash').map(({ attributes }) => attributes[0]?.value);
  const name = encodeAddress('chronvalcons', address);
  expect(punished(results.events)).toEqual([name, name]);
  expect(results.validatorUpdates.map((update) => update.power)).toEqual([0n]);
  await engine.commit();
  const again = await engine.finalizeBlock({ ...block(simulated, 4n), misbehavior: [proof] });
  expect(punished(again.events)).toEqual([]);
  await engine.commit();
  await make(simulated, 5n, 5n);
  const { value } = await engine.query({
    path: '/cosmos.evidence.v1beta1.Query/AllEvidence',
    data: EMPTY,
    height: toHeight(0n),
    prove: false,
  });
  const { evidence } = fromBinary(QueryAllEvidenceResponseSchema, value);
  expect(evidence.map((one) => fromBinary(EquivocationSchema, one.value))).toMatchObject([
    { height: 2n, power, consensusAddress: name },
  ]);
  const rest = createRest(await node.services(), { version: VERSION });
  const { body } = await askRest(rest, { method: 'GET', path: '/cosmos/evidence/v1beta1/evidence' });
  expect(JSON.parse(body)).toMatchObject({ evidence: [{ height: '2', power: `${power}`, consensus_address: name }] });
  const { valSigningInfo } = await ask(
    simulated,
    '/cosmos.slashing.v1beta1.Query/SigningInfo',
    QuerySigningInfoRequestSchema,
    { consAddress: name },
    QuerySigningInfoResponseSchema,
  );
  expect(valSigningInfo).toMatchObject({ tombstoned: true, jailedUntil: { seconds: 253_402_300_799n } });
  const after = node.api.queries.chain.validators(toHeight(5n))?.validators ?? [];
  expect(after.map(({ votingPower }) => votingPower)).toEqual([10n]);
  await node.stop();
});

test('a proposal that enables vote extensions fails, and the engine gets no such parameter update', async () => {
  const simulated = await started(new MemoryStore());
  const { engine, node } = simulated;
  await make(simulated, 1n, 1n);
  const voter = accounts[0]?.bech32 ?? '';
  const { block: size, evidence, validator } = readGenesis(node.api.queries.chain.genesis().json).consensusParams;
  const update = anyOf(MsgUpdateParamsSchema, {
    authority: encodeAddress('chron', moduleAddress(createPureCrypto(), 'gov')),
    ...(size && { block: size }),
    ...(evidence && { evidence }),
    ...(validator && { validator }),
    abci: { voteExtensionsEnableHeight: 100n },
  });
  const proposal = anyOf(MsgSubmitProposalSchema, {
    proposer: voter,
    initialDeposit: [{ denom: 'achr', amount: `${10n * 10n ** 18n}` }],
    title: 'vote extensions',
    summary: 'from height 100 on',
    messages: [update],
  });
  const vote = anyOf(MsgVoteSchema, { voter, proposalId: 1n, option: VoteOption.YES });
  const sent = [proposal, vote].map((message, at) => signed(0, message, BigInt(at), 0n, 500_000n));
  const { txResults } = await engine.finalizeBlock(block(simulated, 2n, sent));
  expect(txResults.map(({ code, log }) => [code, log])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  await engine.commit();
  const next = block(simulated, 3n);
  const results = await engine.finalizeBlock({ ...next, time: toTimeNs(next.time + 3_600_000_000_000n) });
  expect(results.consensusParamUpdates?.abci?.voteExtensionsEnableHeight).toBe(0n);
  await engine.commit();
  const { proposal: decided } = await ask(
    simulated,
    '/cosmos.gov.v1.Query/Proposal',
    QueryProposalRequestSchema,
    { proposalId: 1n },
    QueryProposalResponseSchema,
  );
  expect(decided).toMatchObject({
    status: ProposalStatus.FAILED,
    failedReason: 'vote extensions are not supported',
  });
  await node.stop();
});
