/** Refused messages of gov, params, upgrade, evidence and crisis. */
import { type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { setEvidence } from '../../../../src/core/modules/evidence/store.js';
import { setProposal, requireProposal } from '../../../../src/core/modules/gov/proposals.js';
import { setCompleted } from '../../../../src/core/modules/upgrade/plan-store.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgVerifyInvariantSchema } from '../../../../src/core/proto/cosmos/crisis/v1beta1/tx_pb.js';
import { CommunityPoolSpendProposalSchema } from '../../../../src/core/proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { EquivocationSchema } from '../../../../src/core/proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { MsgSubmitEvidenceSchema } from '../../../../src/core/proto/cosmos/evidence/v1beta1/tx_pb.js';
import { ProposalStatus } from '../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { TextProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/gov_pb.js';
import { MsgSubmitProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/tx_pb.js';
import { ParameterChangeProposalSchema } from '../../../../src/core/proto/cosmos/params/v1beta1/params_pb.js';
import { MsgUpdateParamsSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import {
  MsgCancelUpgradeSchema,
  MsgSoftwareUpgradeSchema,
} from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { SoftwareUpgradeProposalSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import {
  MsgRegisterPreinstallsSchema,
  MsgUpdateParamsSchema as EvmParamsSchema,
} from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { toTimestamp } from '../../../../src/core/comet/time.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { achr, any, consensusAddress, consensusKey, moduleText, person } from '../properties/people.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { change, inSeconds, later, send, type Refused, type Step } from './stage.js';
import { encode } from '../../../support/encode.js';

const GOV = moduleText('gov');
const proposal = { proposer: person(4), title: 't', summary: 's', metadata: 'm', initialDeposit: [achr(1000n)] };
const submits = (of: Partial<typeof proposal> & { readonly messages?: Any[] }): Step =>
  send(pb.MsgSubmitProposalSchema, { ...proposal, ...of });
const votes = (option: number, proposalId = 1n): Step =>
  send(pb.MsgVoteSchema, { proposalId, voter: person(0), option });
const weighs = (...options: { readonly option: number; readonly weight: string }[]): Step =>
  send(pb.MsgVoteWeightedSchema, { proposalId: 1n, voter: person(0), options });
const deposits = (amount: { denom: string; amount: string }, proposalId = 1n): Step =>
  send(pb.MsgDepositSchema, { proposalId, depositor: person(0), amount: [amount] });
const cancels = (proposer = person(4)): Step => send(pb.MsgCancelProposalSchema, { proposalId: 1n, proposer });
const status = (to: ProposalStatus): Step =>
  change((context) => setProposal(context, { ...requireProposal(context, 1n), status: to }));
const content = (of: Any | undefined): Step =>
  send(MsgSubmitProposalSchema, { proposer: person(4), initialDeposit: [achr(1000n)], content: of });
const text = (title: string, description = 'd'): Any => any(TextProposalSchema, { title, description });
const changes = (...list: { readonly subspace: string; readonly key: string; readonly value: string }[]): Any =>
  any(ParameterChangeProposalSchema, { title: 't', description: 'd', changes: list });
const spends = (of: MessageInitShape<typeof CommunityPoolSpendProposalSchema>): Any =>
  any(CommunityPoolSpendProposalSchema, { title: 't', description: 'd', recipient: person(0), ...of });

export const GOVERNANCE: readonly Refused[] = [
  { steps: [submits({ title: '' })], refused: 'sdk 18: proposal title cannot be empty: invalid request' },
  { steps: [submits({ summary: '' })], refused: 'sdk 18: proposal summary cannot be empty: invalid request' },
  {
    steps: [submits({ metadata: '' })],
    refused: 'gov 11: either metadata or Msgs length must be non-nil: no messages proposed',
  },
  {
    steps: [submits({ proposer: 'x' })],
    refused: 'sdk 7: invalid proposer address: unknown address format: x: unknown address: invalid address',
  },
  {
    steps: [submits({ metadata: 'm'.repeat(256) })],
    refused: 'gov 15: got metadata with length 256: metadata too long',
  },
  {
    steps: [submits({ summary: 's'.repeat(10_201) })],
    refused: 'gov 22: got summary with length 10201: summary too long',
  },
  {
    steps: [submits({ metadata: '{"title":"o","summary":"s"}' })],
    refused: "gov 5: metadata title 'o' must equal proposal title 't': invalid proposal content",
  },
  { steps: [submits({ initialDeposit: [achr(-1n)] })], refused: 'sdk 10: -1achr: invalid coins' },
  {
    steps: [submits({ initialDeposit: [achr(1n)] })],
    refused: 'gov 16: received 1achr but need at least one of the following: 10achr: minimum deposit is too small',
  },
  {
    steps: [submits({ initialDeposit: [{ denom: 'other', amount: '1' }] })],
    refused: 'gov 23: deposited 1other, but gov accepts only the following denom(s): [achr]: invalid deposit denom',
  },
  {
    steps: [submits({ initialDeposit: [achr(10n ** 60n)] })],
    refused:
      'sdk 5: spendable balance 10000000000000000000000achr is smaller than ' +
      '1000000000000000000000000000000000000000000000000000000000000achr: insufficient funds',
  },
  {
    steps: [
      submits({ messages: [any(MsgSendSchema, { fromAddress: person(0), toAddress: person(1), amount: [achr(1n)] })] }),
    ],
    refused: 'gov 13: (account 0): expected gov account as only signer for proposal message',
  },
  {
    steps: [submits({ messages: [{ ...any(MsgSendSchema, {}), typeUrl: '/no.such.Message' }] })],
    refused: 'sdk 2: unable to resolve type URL /no.such.Message: tx parse error: tx parse error',
  },
  {
    steps: [submits({ messages: [{ ...any(MsgSendSchema, {}), value: Uint8Array.of(1) }] })],
    refused: 'sdk 2: cannot decode cosmos.bank.v1beta1.MsgSend: tx parse error',
  },
  {
    steps: [submits({ messages: [any(MsgSubmitEvidenceSchema, {})] })],
    refused: 'sdk 7: empty address string is not allowed: invalid address',
  },
  {
    steps: [submits({ messages: [any(EvmParamsSchema, { authority: 'x' })] })],
    refused:
      'gov 12: invalid authority address: decoding bech32 failed: invalid bech32 string length 1: invalid proposal message',
  },
  { steps: [votes(1)], refused: 'gov 3: 1: inactive proposal' },
  { steps: [submits({}), votes(9)], refused: 'gov 7: 9: invalid vote option' },
  { steps: [submits({}), weighs()], refused: 'sdk 18: null: invalid request' },
  {
    steps: [submits({}), weighs({ option: 1, weight: '0.5' })],
    refused: 'gov 7: total weight lower than 1.00: invalid vote option',
  },
  {
    steps: [submits({}), weighs({ option: 1, weight: '1' }, { option: 2, weight: '0.1' })],
    refused: 'gov 7: total weight overflow 1.00: invalid vote option',
  },
  {
    steps: [submits({}), weighs({ option: 1, weight: '0.5' }, { option: 1, weight: '0.5' })],
    refused: 'gov 7: duplicated vote option: invalid vote option',
  },
  {
    steps: [submits({}), weighs({ option: 1, weight: '-1' })],
    refused: 'gov 7: option:VOTE_OPTION_YES weight:"-1" : invalid vote option',
  },
  {
    steps: [deposits(achr(1n))],
    refused: "undefined 1: collections: not found: key '1' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal",
  },
  { steps: [submits({}), deposits(achr(0n))], refused: 'sdk 10: 0achr: invalid coins' },
  {
    steps: [submits({}), deposits(achr(1n))],
    refused: 'gov 16: received 1achr but need at least one of the following: 10achr: minimum deposit is too small',
  },
  {
    steps: [submits({}), deposits({ denom: 'other', amount: '1' })],
    refused: 'gov 23: deposited 1other, but gov accepts only the following denom(s): [achr]: invalid deposit denom',
  },
  { steps: [submits({}), status(ProposalStatus.PASSED), deposits(achr(100n))], refused: 'gov 3: 1: inactive proposal' },
  {
    steps: [cancels()],
    refused: "undefined 1: collections: not found: key '1' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal",
  },
  { steps: [submits({}), cancels(person(0))], refused: 'gov 18: invalid proposer (account 0): invalid proposer' },
  {
    steps: [submits({}), status(ProposalStatus.PASSED), cancels()],
    refused: 'gov 21: proposal should be in the deposit or voting period: invalid proposal',
  },
  {
    steps: [submits({}), later(60n), cancels()],
    refused: 'gov 20: voting period is already ended for this proposal 1: voting period already ended',
  },
  {
    steps: [
      submits({}),
      change((context) => setProposal(context, { ...requireProposal(context, 1n), proposer: '' })),
      cancels(),
    ],
    refused: "gov 21: proposal 1 doesn't have proposer (account 4), so cannot be canceled: invalid proposal",
  },
  { steps: [content(undefined)], refused: 'gov 5: missing content: invalid proposal content' },
  { steps: [content(text(''))], refused: 'gov 5: proposal title cannot be blank: invalid proposal content' },
  { steps: [content(text('t', ''))], refused: 'gov 5: proposal description cannot be blank: invalid proposal content' },
  {
    steps: [content(text('t'.repeat(141)))],
    refused: 'gov 5: proposal title is longer than max length of 140: invalid proposal content',
  },
  { steps: [content(any(MsgSendSchema, {}))], refused: 'gov 6: cosmos.bank.v1beta1.MsgSend: invalid proposal type' },
  {
    steps: [content({ ...text('t'), value: Uint8Array.of(1) })],
    refused: 'gov 5: cannot decode cosmos.gov.v1beta1.TextProposal: invalid proposal content',
  },
  {
    steps: [send(pb.MsgExecLegacyContentSchema, { authority: person(0), content: text('t') })],
    refused: 'gov 13: expected (gov) got (account 0): expected gov account as only signer for proposal message',
  },
  { steps: [send(pb.MsgUpdateParamsSchema, { authority: GOV })], refused: 'undefined 1: invalid minimum deposit: ' },
  {
    steps: [send(MsgUpdateParamsSchema, { authority: person(0) })],
    refused:
      'gov 13: invalid authority; expected (gov), got (account 0): expected gov account as only ' +
      'signer for proposal message',
  },
  {
    steps: [content(spends({ recipient: '' }))],
    refused: 'distribution 11: invalid community pool spend proposal recipient',
  },
  {
    steps: [content(spends({ amount: [achr(1n), achr(1n)] }))],
    refused: 'distribution 10: invalid community pool spend proposal amount',
  },
  {
    steps: [content(spends({ title: ' ', recipient: '' }))],
    refused: 'gov 5: proposal title cannot be blank: invalid proposal content',
  },
  // The plan is checked before the title.
  {
    steps: [content(any(SoftwareUpgradeProposalSchema, { plan: { name: '', height: 9n } }))],
    refused: 'sdk 18: name cannot be empty: invalid request',
  },
  {
    steps: [content(any(SoftwareUpgradeProposalSchema, { plan: { name: 'v', height: 9n } }))],
    refused: 'gov 5: proposal title cannot be blank: invalid proposal content',
  },
  { steps: [content(changes())], refused: 'params 4: submitted parameter changes are empty' },
  {
    steps: [content(changes({ subspace: '', key: 'k', value: 'v' }))],
    refused: 'params 5: parameter subspace is empty',
  },
  {
    steps: [content(changes({ subspace: 'staking', key: '', value: 'v' }))],
    refused: 'params 6: parameter key is empty',
  },
  {
    steps: [content(changes({ subspace: 'staking', key: 'k', value: '' }))],
    refused: 'params 7: parameter value is empty',
  },
  {
    steps: [content(changes({ subspace: 'no', key: 'k', value: 'v' }))],
    refused:
      'gov 5: failed to run legacy handler params, no: unknown subspace: invalid proposal content: ' +
      'invalid proposal content',
  },
  {
    steps: [content(changes({ subspace: 'staking', key: 'MaxValidators', value: '"x"' }))],
    refused:
      'gov 5: failed to run legacy handler params, key: MaxValidators, value: "x", err: staking: ' +
      'cannot decode field cosmos.staking.v1beta1.Params.max_validators from JSON: expected number (uint32), got "x": failed to set parameter: invalid proposal content: invalid proposal content',
  },
];

const plan = (name: string, height: bigint): Step =>
  send(MsgSoftwareUpgradeSchema, { authority: GOV, plan: { name, height } });

const registers = (address: string, code: string): Step =>
  send(MsgRegisterPreinstallsSchema, { authority: GOV, preinstalls: [{ name: 'n', address, code }] });
const equivocation = {
  height: 1n,
  time: toTimestamp(toTimeNs(1_700_000_000n * 1_000_000_000n)),
  power: 1n,
  consensusAddress: encodeAddress('chronvalcons', consensusAddress(consensusKey(0))),
};
const evidence: Step = send(MsgSubmitEvidenceSchema, {
  submitter: person(0),
  evidence: any(EquivocationSchema, equivocation),
});

export const OTHERS: readonly Refused[] = [
  { steps: [plan('', 9n)], refused: 'sdk 18: name cannot be empty: invalid request' },
  { steps: [plan('v2', 0n)], refused: 'sdk 18: height must be greater than 0: invalid request' },
  { steps: [later(1n), plan('v2', 1n)], refused: 'sdk 18: upgrade cannot be scheduled in the past: invalid request' },
  {
    steps: [change(({ store }) => setCompleted(store, { name: 'v2', height: toHeight(1n) })), plan('v2', 9n)],
    refused: 'sdk 18: upgrade with name v2 has already been completed: invalid request',
  },
  {
    steps: [send(MsgSoftwareUpgradeSchema, { authority: GOV })],
    refused: 'sdk 18: name cannot be empty: invalid request',
  },
  {
    steps: [send(MsgSoftwareUpgradeSchema, { authority: GOV, plan: { name: 'v2', height: 9n, time: inSeconds(1n) } })],
    refused: 'sdk 18: time-based upgrades have been deprecated in the SDK: invalid request',
  },
  {
    steps: [send(MsgCancelUpgradeSchema, { authority: person(0) })],
    refused:
      'upgrade 6: expected (gov) got (account 0): expected authority account as only signer for ' + 'proposal message',
  },
  {
    steps: [send(MsgVerifyInvariantSchema, { sender: person(0), invariantModuleName: 'bank', invariantRoute: 'no' })],
    refused: 'crisis 3: unknown invariant',
  },
  {
    steps: [send(MsgVerifyInvariantSchema, { sender: '', invariantModuleName: 'bank', invariantRoute: 'no' })],
    refused: 'sdk 7: empty address string is not allowed: invalid address',
  },
  {
    steps: [send(MsgSubmitEvidenceSchema, { submitter: person(0) })],
    refused: 'evidence 3: missing evidence: invalid evidence',
  },
  {
    steps: [send(MsgSubmitEvidenceSchema, { submitter: person(0), evidence: any(EquivocationSchema, { height: 1n }) })],
    refused:
      'evidence 3: failed basic validation: invalid equivocation time: 0001-01-01 00:00:00 +0000 UTC: ' +
      'invalid evidence',
  },
  {
    steps: [registers('0x12', '0x00')],
    refused: 'evm 20: preinstall address "0x12" is not a valid hex address: invalid preinstall',
  },
  {
    steps: [registers(`0x${'12'.repeat(20)}`, '0x')],
    refused: 'evm 20: preinstall 0x1212121212121212121212121212121212121212 has no code: invalid preinstall',
  },
  { steps: [evidence], refused: 'evidence 2: equivocation: unregistered handler for evidence type' },
  {
    steps: [change((context) => setEvidence(context, encode(EquivocationSchema, equivocation))), evidence],
    refused: 'evidence 5: 034D08A44206128E1290522B9DC8AE2367A08BF58953372304B64496CD70EF50: evidence already exists',
  },
];
