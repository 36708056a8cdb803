/** `tx gov ...`: proposals, deposits and votes (cosmos-sdk v0.53 `x/gov/client/cli/tx.go`). */
import type { JsonValue } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { VoteOption } from '../../core/proto/cosmos/gov/v1/gov_pb.js';
import * as pb from '../../core/proto/cosmos/gov/v1/tx_pb.js';
import { TextProposalSchema } from '../../core/proto/cosmos/gov/v1beta1/gov_pb.js';
import { MsgSubmitProposalSchema as LegacySubmitSchema } from '../../core/proto/cosmos/gov/v1beta1/tx_pb.js';
import {
  CancelSoftwareUpgradeProposalSchema,
  SoftwareUpgradeProposalSchema,
} from '../../core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { TxBodySchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { formatDec, parseDec } from '../../core/sdk/coins/dec.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { signed } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { protoFromJson } from '../values/proto-from-json.js';
import { asObject } from '../client/rpc-client.js';
import { parseJson } from '../values/tx-json.js';
import { sendOwn } from '../tx/send-as.js';
import { messageAny } from '../tx/draft.js';
import { cancelContent, registerContent } from '../tx/incentive-content.js';
import { planOf } from '../tx/plan.js';
import { depositOf } from '../tx/propose.js';
import { readText } from '../tx/read.js';
import { wholeNumber } from '../values/whole-number.js';

const idOf = (text: string): bigint => wholeNumber(text, 'proposal-id');

const submitProposal: CommandBody = async (context, [file = ''], flags) => {
  const proposal = asObject(parseJson(await readText(context, file), file));
  const { messages } = protoFromJson(TxBodySchema, { messages: jsonList(proposal['messages']) }, file);
  const initialDeposit = await depositOf(context, textIn(proposal, 'deposit'));
  await sendOwn(context, flags, pb.MsgSubmitProposalSchema, (proposer) => ({
    messages,
    initialDeposit,
    proposer,
    metadata: textIn(proposal, 'metadata'),
    title: textIn(proposal, 'title'),
    summary: textIn(proposal, 'summary'),
    expedited: proposal['expedited'] === true,
  }));
};

/**
 * `tx gov submit-legacy-proposal`: proposes a text (from flags or a file), `software-upgrade NAME --upgrade-height
 * H`, `cancel-software-upgrade` (cosmos-sdk v0.46 `x/upgrade/client/cli/tx.go`), or an incentive change.
 */
const submitLegacyProposal: CommandBody = async (context, [type, ...words], flags) => {
  const file = flags.text('proposal');
  const proposal = file === undefined ? undefined : asObject(parseJson(await readText(context, file), file));
  const text = (field: string): string =>
    proposal === undefined ? (flags.text(field) ?? '') : textIn(proposal, field);
  const texts = { title: text('title'), description: text('description') };
  const content = await legacyContent(context, type ?? text('type'), words, texts, flags);
  const initialDeposit = await depositOf(context, text('deposit'));
  await sendOwn(context, flags, LegacySubmitSchema, (proposer) => ({ content, initialDeposit, proposer }));
};

async function legacyContent(
  context: CommandContext,
  type: string,
  words: readonly string[],
  texts: { readonly title: string; readonly description: string },
  flags: Flags,
): Promise<Any> {
  switch (type.toLowerCase()) {
    case 'text':
      return messageAny(TextProposalSchema, texts);
    case 'register-incentive':
      return registerContent(texts, words);
    case 'cancel-incentive':
      return cancelContent(texts, words);
    case 'software-upgrade': {
      const [name] = words;
      if (name === undefined) throw new CommandError(EXIT.usage, 'software-upgrade: the name of the plan is needed');
      return messageAny(SoftwareUpgradeProposalSchema, { ...texts, plan: await planOf(context, name, flags) });
    }
    case 'cancel-software-upgrade':
      return messageAny(CancelSoftwareUpgradeProposalSchema, texts);
    default:
      throw new CommandError(
        EXIT.usage,
        `failed to create proposal content: unknown proposal type ${type} (known: Text, software-upgrade, cancel-software-upgrade, register-incentive, cancel-incentive)`,
      );
  }
}

const deposit: CommandBody = async (context, [id = '', amount = ''], flags) => {
  const coins = await depositOf(context, amount);
  await sendOwn(context, flags, pb.MsgDepositSchema, (depositor) => ({
    proposalId: idOf(id),
    depositor,
    amount: coins,
  }));
};

const vote: CommandBody = async (context, [id = '', option = ''], flags) => {
  const chosen = optionOf(option);
  await sendOwn(context, flags, pb.MsgVoteSchema, (voter) => ({
    proposalId: idOf(id),
    voter,
    option: chosen,
    metadata: flags.text('metadata') ?? '',
  }));
};

const weightedVote: CommandBody = async (context, [id = '', weights = ''], flags) => {
  const options = weights.split(',').map((part) => {
    const [option = '', weight] = part.split('=');
    const value = weight === undefined ? undefined : parseDec(weight);
    if (value === undefined) throw new CommandError(EXIT.usage, `weight field does not exist for ${option} option`);
    return { option: optionOf(option), weight: formatDec(value) };
  });
  await sendOwn(context, flags, pb.MsgVoteWeightedSchema, (voter) => ({
    proposalId: idOf(id),
    voter,
    options,
    metadata: flags.text('metadata') ?? '',
  }));
};

const cancelProposal: CommandBody = async (context, [id = ''], flags) => {
  await sendOwn(context, flags, pb.MsgCancelProposalSchema, (proposer) => ({ proposalId: idOf(id), proposer }));
};

const OPTIONS: Readonly<Record<string, VoteOption>> = {
  yes: VoteOption.YES,
  abstain: VoteOption.ABSTAIN,
  no: VoteOption.NO,
  no_with_veto: VoteOption.NO_WITH_VETO,
};

/** Parses a vote option as the SDK does: in lower case, or by the protobuf enum name. */
function optionOf(text: string): VoteOption {
  const option =
    OPTIONS[
      text
        .toLowerCase()
        .replace(/^vote_option_/, '')
        .replace('nowithveto', 'no_with_veto')
    ];
  if (option === undefined)
    throw new CommandError(
      EXIT.usage,
      `'${text}' is not a valid vote option, available options: yes/no/no_with_veto/abstain`,
    );
  return option;
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function jsonList(value: unknown): JsonValue[] {
  if (value === undefined || value === null) return [];
  const list: JsonValue = JSON.parse(JSON.stringify(value));
  if (!Array.isArray(list)) throw new CommandError(EXIT.usage, 'messages: a list is expected');
  return list;
}

const METADATA: OptionRow = { flag: '--metadata <text>', doc: 'metadata' };

export const commands: readonly CommandRow[] = [
  signed('gov submit-proposal <file>', 'propose messages, which a JSON file holds', submitProposal),
  signed(
    'gov submit-legacy-proposal [type] [name] [allocations] [epochs]',
    'propose a content of v1beta1: a text, software-upgrade <name>, cancel-software-upgrade, register-incentive <contract> <allocations> <epochs>, cancel-incentive <contract>',
    submitLegacyProposal,
    {
      options: [
        {
          flag: '--proposal <file>',
          doc: 'JSON file with title, description, type and deposit, in place of the flags',
        },
        { flag: '--title <text>', doc: 'title' },
        { flag: '--description <text>', doc: 'description' },
        { flag: '--type <type>', doc: 'type: Text' },
        { flag: '--deposit <coins>', doc: 'first deposit' },
        { flag: '--upgrade-height <height>', doc: 'block of a software-upgrade; +N counts from the last one' },
        { flag: '--upgrade-info <text>', doc: 'text of the plan of a software-upgrade' },
      ],
    },
  ),
  signed('gov deposit <proposal-id> <deposit>', 'add to the deposit of a proposal', deposit),
  signed('gov vote <proposal-id> <option>', 'vote yes, no, no_with_veto or abstain', vote, { options: [METADATA] }),
  signed('gov weighted-vote <proposal-id> <weights>', 'divide a vote, for example yes=0.6,no=0.4', weightedVote, {
    options: [METADATA],
  }),
  signed('gov cancel-proposal <proposal-id>', 'take a proposal back', cancelProposal),
];
