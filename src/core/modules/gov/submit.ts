/** New proposals (cosmos-sdk v0.53 `x/gov/keeper/msg_server.go` SubmitProposal, `proposal.go` SubmitProposal). */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { equal } from '../../bytes/bytes.js';
import { fromDuration, toTimestamp } from '../../comet/time.js';
import { toTimeNs } from '../../primitives.js';
import { ProposalSchema, ProposalStatus, TallyResultSchema, type Proposal } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { MsgExecLegacyContentSchema, type MsgSubmitProposal } from '../../proto/cosmos/gov/v1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress, requireAddress } from '../../sdk/codec/address.js';
import { reencodeAny } from '../../sdk/codec/reencode-any.js';
import { branch } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import type { MessageHandler } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { invalidRequest, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { requireQueriedAddress } from '../queried-address.js';
import { addDeposit, requireDepositDenoms, requireInitialDeposit } from './add-deposit.js';
import { GOV } from './deposits.js';
import { govErrors } from './errors.js';
import { requireMetadataLength, requireSummaryLength, titleAndSummary } from './metadata.js';
import { getParams } from './params.js';
import { enqueue, setProposal, takeId } from './proposals.js';

/** Gas per byte of the proposal, which is written three times (cosmos-sdk v0.53 `x/gov/keeper/msg_server.go`). */
const GAS_PER_BYTE = 3n * 30n;
const LEGACY_URL = `/${MsgExecLegacyContentSchema.typeName}`;

/** Executes the message; returns the proposal's id. */
export function submitProposal(context: Context, message: MsgSubmitProposal): bigint {
  const { title, summary, metadata, messages, initialDeposit, expedited } = message;
  if (title === '') throw invalidRequest('proposal title cannot be empty');
  if (summary === '') throw invalidRequest('proposal summary cannot be empty');
  const proposer = requireAddress(context.chain.bech32Prefix, message.proposer, 'invalid proposer address');
  if (messages.length === 0 && metadata === '')
    throw new SdkError(govErrors.noMessages, 'either metadata or Msgs length must be non-nil');
  requireSameTexts(message);
  const params = getParams(context);
  requireInitialDeposit(params, initialDeposit, expedited);
  requireDepositDenoms(params, initialDeposit);

  const proposal = addProposal(context, message, proposer);
  context.gas.consume(GAS_PER_BYTE * BigInt(toBinary(ProposalSchema, proposal).length), 'submit proposal');
  const begins = addDeposit(context, proposal.id, proposer, initialDeposit);
  if (begins) emit(context, 'submit_proposal', () => [['voting_period_start', proposal.id.toString()]]);
  return proposal.id;
}

/** Requires that metadata in the recommended JSON form repeats title and summary. */
function requireSameTexts({ title, summary, metadata }: MsgSubmitProposal): void {
  const texts = titleAndSummary(metadata);
  if (texts === undefined) return;
  const check = (name: string, own: string, other: string): void => {
    if (own !== other)
      throw new SdkError(govErrors.invalidContent, `metadata ${name} '${other}' must equal proposal ${name} '${own}'`);
  };
  check('title', title, texts.title);
  check('summary', summary, texts.summary);
}

function addProposal(context: Context, message: MsgSubmitProposal, proposer: Uint8Array): Proposal {
  const { title, summary, metadata, expedited } = message;
  requireMetadataLength(metadata);
  requireSummaryLength(summary);
  requireMetadataLength(title);
  const messages = message.messages.map((any) => proposedMessage(context, any));

  const id = takeId(context);
  const depositEnd = toTimeNs(context.time + fromDuration(getParams(context).maxDepositPeriod));
  const name = encodeAddress(context.chain.bech32Prefix, proposer);
  const proposal = create(ProposalSchema, {
    id,
    messages,
    status: ProposalStatus.DEPOSIT_PERIOD,
    finalTallyResult: create(TallyResultSchema, {
      yesCount: '0',
      abstainCount: '0',
      noCount: '0',
      noWithVetoCount: '0',
    }),
    submitTime: toTimestamp(context.time),
    depositEndTime: toTimestamp(depositEnd),
    metadata,
    title,
    summary,
    proposer: name,
    expedited,
  });
  setProposal(context, proposal);
  enqueue(context, 'inactive', depositEnd, id);
  for (const { afterProposalSubmission } of versionOf(context).hooks.gov) afterProposalSubmission?.(context, id);
  emit(context, 'submit_proposal', () => [
    ['proposal_id', id.toString()],
    ['proposal_proposer', name],
    // Each type URL is preceded by a comma.
    ['proposal_messages', messages.map(({ typeUrl }) => `,${typeUrl}`).join('')],
  ]);
  return proposal;
}

/** The message as Go re-encodes it. Gov must be its only signer; only legacy contents are executed as a trial. */
function proposedMessage(context: Context, { typeUrl, value }: Any): Any {
  const handler = context.router.find(typeUrl);
  requireValid(context, handler, value);
  requireGovernanceSigns(context, handler, value);
  if (handler.typeUrl === LEGACY_URL) tryContent(context, handler, value);
  return reencodeAny(context.router.types, create(AnySchema, { typeUrl: handler.typeUrl, value }));
}

/** Validates a message; SDK error 2 for malformed bytes, like the SDK's decoder. */
function requireValid(context: Context, handler: MessageHandler, value: Uint8Array): void {
  try {
    handler.validate?.(value, context);
  } catch (error) {
    if (!isReturned(error)) throw error;
    if (error.registered === sdkErrors.txDecode) throw error;
    throw new SdkError(govErrors.invalidMessage, error.message);
  }
}

function requireGovernanceSigns(context: Context, handler: MessageHandler, value: Uint8Array): void {
  const prefix = context.chain.bech32Prefix;
  const signers = handler.signers(value, prefix);
  const [signer] = signers;
  if (signer === undefined || signers.length > 1) throw new SdkError(govErrors.invalidSigner);
  const address = requireQueriedAddress(prefix, signer);
  if (!equal(address, ensureModuleAccount(context, GOV)))
    throw new SdkError(govErrors.invalidSigner, encodeAddress(prefix, address));
}

function tryContent(context: Context, handler: MessageHandler, value: Uint8Array): void {
  try {
    handler.handle(branch(context).context, value);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(govErrors.invalidContent, error.message);
  }
}
