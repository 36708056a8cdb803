/**
 * Contents of v1beta1 proposals (cosmos-sdk v0.53 `x/gov/types/v1beta1/proposal.go`, `x/upgrade/types/proposal.go`,
 * `x/distribution/types/proposal.go`, `x/params/types/proposal/proposal.go`; evmos v3.0.0
 * `x/incentives/types/proposal.go`). Each content is executed as the message that replaced it.
 */
import { create, type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { CommunityPoolSpendProposalSchema } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import { MsgCommunityPoolSpendSchema } from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { TextProposalSchema } from '../../proto/cosmos/gov/v1beta1/gov_pb.js';
import { ParameterChangeProposalSchema } from '../../proto/cosmos/params/v1beta1/params_pb.js';
import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../proto/cosmos/upgrade/v1beta1/tx_pb.js';
import {
  CancelSoftwareUpgradeProposalSchema,
  PlanSchema,
  SoftwareUpgradeProposalSchema,
} from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import {
  CancelIncentiveProposalSchema,
  RegisterIncentiveProposalSchema,
} from '../../proto/evmos/incentives/v1/incentives_pb.js';
import { utf8 } from '../../bytes/bytes.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { areValidCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { distributionErrors } from '../distribution/errors.js';
import { cancelIncentive, registerIncentive, requireContract, validateRegister } from '../incentives/proposals.js';
import { applyChanges, requireChanges } from '../params/changes.js';
import { requirePlan } from '../upgrade/schedule.js';
import { governance } from '../authority.js';
import { govErrors } from './errors.js';
import { govRules } from './rules.js';
import { execute } from '../../sdk/module/execute-message.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { typeNameOf } from '../../sdk/codec/any.js';

const MAX_TITLE = 140;
const MAX_DESCRIPTION = 10_000;

interface Texts {
  readonly title: string;
  readonly description: string;
}

/** A content ready for execution; `route` is the SDK's name of its handler. */
export interface Content extends Texts {
  readonly route: string;
  /** Stateless validation; throws SdkError. A v1 message that contains a content skips it. */
  readonly check: () => void;
  readonly run: (context: Context) => void;
}

interface ContentType {
  readonly schema: DescMessage;
  readonly read: (value: Uint8Array) => Content;
}

function contentType<Desc extends DescMessage>(
  schema: Desc,
  route: string,
  texts: (content: MessageShape<Desc>) => Texts,
  run: (context: Context, content: MessageShape<Desc>) => void,
  check: (content: MessageShape<Desc>) => void = (content) => requireTexts(texts(content)),
): ContentType {
  return {
    schema,
    read: (value) => {
      const content = fromBinary(schema, value);
      const { title, description } = texts(content);
      return { title, description, route, check: () => check(content), run: (context) => run(context, content) };
    },
  };
}

const authority = (context: Context): string => encodeAddress(context.chain.bech32Prefix, governance(context));

const CONTENT_TYPES: readonly ContentType[] = [
  contentType(
    TextProposalSchema,
    'gov',
    (content) => content,
    () => {},
  ),
  contentType(
    SoftwareUpgradeProposalSchema,
    'upgrade',
    (content) => content,
    (context, { plan }) =>
      execute(context, MsgSoftwareUpgradeSchema, { authority: authority(context), ...(plan && { plan }) }),
    (content) => {
      requirePlan(content.plan ?? create(PlanSchema));
      requireTexts(content);
    },
  ),
  contentType(
    CancelSoftwareUpgradeProposalSchema,
    'upgrade',
    (content) => content,
    (context) => execute(context, MsgCancelUpgradeSchema, { authority: authority(context) }),
  ),
  contentType(
    CommunityPoolSpendProposalSchema,
    'distribution',
    (content) => content,
    (context, { recipient, amount }) =>
      execute(context, MsgCommunityPoolSpendSchema, { authority: authority(context), recipient, amount }),
    (content) => {
      requireTexts(content);
      // Absent coins are valid.
      if (content.amount.length > 0 && !areValidCoins(content.amount))
        throw new SdkError(distributionErrors.proposalAmount);
      if (content.recipient === '') throw new SdkError(distributionErrors.proposalRecipient);
    },
  ),
  contentType(
    ParameterChangeProposalSchema,
    'params',
    (content) => content,
    (context, { changes }) => applyChanges(context, changes),
    (content) => {
      requireTexts(content);
      requireChanges(content.changes);
    },
  ),
  contentType(
    RegisterIncentiveProposalSchema,
    'incentives',
    (content) => content,
    registerIncentive,
    withTexts(validateRegister),
  ),
  contentType(
    CancelIncentiveProposalSchema,
    'incentives',
    (content) => content,
    cancelIncentive,
    withTexts(({ contract }) => void requireContract(contract)),
  ),
];

/** Validation of a content with its title and description. */
function withTexts<Content extends Texts>(check: (content: Content) => void): (content: Content) => void {
  return (content) => {
    check(content);
    requireTexts(content);
  };
}

/** Decodes the content of a proposal; throws for types that the application does not know. */
export function readContent(context: Pick<Context, 'router' | 'version'>, any: Any | undefined): Content {
  if (any === undefined) throw govRules.of(context).absentContent();
  const name = typeNameOf(any);
  const type = CONTENT_TYPES.find(({ schema }) => schema.typeName === name);
  if (type === undefined || context.router.types.getMessage(name) === undefined)
    throw new SdkError(govErrors.invalidType, name);
  return readValue(type, any.value);
}

function readValue({ schema, read }: ContentType, value: Uint8Array): Content {
  try {
    return read(value);
  } catch {
    throw new SdkError(govErrors.invalidContent, `cannot decode ${schema.typeName}`);
  }
}

function requireTexts({ title, description }: Texts): void {
  const refuse = (text: string): never => {
    throw new SdkError(govErrors.invalidContent, text);
  };
  const lengthOf = (value: string): number => utf8(value).length;
  if (isBlank(title)) refuse('proposal title cannot be blank');
  if (lengthOf(title) > MAX_TITLE) refuse(`proposal title is longer than max length of ${MAX_TITLE}`);
  if (description === '') refuse('proposal description cannot be blank');
  if (lengthOf(description) > MAX_DESCRIPTION)
    refuse(`proposal description is longer than max length of ${MAX_DESCRIPTION}`);
}
