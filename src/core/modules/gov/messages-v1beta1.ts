/** Messages of cosmos.gov.v1beta1, implemented by those of v1 (cosmos-sdk v0.53 `x/gov/keeper/msg_server.go`). */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { WeightedVoteOptionSchema } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { MsgExecLegacyContentSchema, MsgSubmitProposalSchema } from '../../proto/cosmos/gov/v1/tx_pb.js';
import * as pb from '../../proto/cosmos/gov/v1beta1/tx_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { formatDec } from '../../sdk/coins/dec.js';
import { message } from '../../sdk/module/module.js';
import { governance } from '../authority.js';
import { readContent } from './legacy.js';
import { deposit, vote, voteWeighted } from './messages.js';
import { govRules } from './rules.js';
import { submitProposal } from './submit.js';

/** The content becomes the only message of a v1 proposal without metadata. */
const submit = message(pb.Msg, 'submitProposal', (context, { content, initialDeposit, proposer }) => {
  const { title, description, route, check } = readContent(context, content);
  govRules.of(context).requireProposable(route);
  check();
  const wrapped = create(MsgExecLegacyContentSchema, {
    authority: encodeAddress(context.chain.bech32Prefix, governance(context)),
    ...(content && { content }),
  });
  const proposalId = submitProposal(
    context,
    create(MsgSubmitProposalSchema, {
      messages: [
        create(AnySchema, {
          typeUrl: `/${MsgExecLegacyContentSchema.typeName}`,
          value: toBinary(MsgExecLegacyContentSchema, wrapped),
        }),
      ],
      initialDeposit,
      proposer,
      title,
      summary: description,
    }),
  );
  return { proposalId };
});

export const messagesV1beta1 = [
  submit,
  message(pb.Msg, 'vote', (context, { proposalId, voter, option }) => {
    vote(context, { proposalId, voter, option: Number(option), metadata: '' });
  }),
  message(pb.Msg, 'voteWeighted', (context, { proposalId, voter, options }) => {
    const converted = options.map(({ option, weight }) =>
      create(WeightedVoteOptionSchema, { option: Number(option), weight: decimal(weight) }),
    );
    voteWeighted(context, { proposalId, voter, metadata: '' }, converted);
  }),
  message(pb.Msg, 'deposit', (context, request) => {
    deposit(context, request);
  }),
];

/** Decodes v1beta1 weights: integers of 10^-18. */
function decimal(units: string): string {
  if (!/^-?[0-9]{1,78}$/.test(units)) return units === '' ? formatDec(0n) : units;
  return units.startsWith('-') ? `-${formatDec(-BigInt(units))}` : formatDec(BigInt(units));
}
