/**
 * Commands that propose a message of a module to governance: new parameters, spending from the community pool, and so
 * on (cosmos-sdk v0.53 `x/NAME/autocli.go`, the commands with `GovProposal`).
 */
import type { DescMessage, JsonValue } from '@bufbuild/protobuf';
import { MsgUpdateParamsSchema as AuthParams } from '../../core/proto/cosmos/auth/v1beta1/tx_pb.js';
import {
  MsgSetSendEnabledSchema,
  MsgUpdateParamsSchema as BankParams,
} from '../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema as ConsensusParams } from '../../core/proto/cosmos/consensus/v1/tx_pb.js';
import {
  MsgCommunityPoolSpendSchema,
  MsgUpdateParamsSchema as DistributionParams,
} from '../../core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema as FeeMarketParams } from '../../core/proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { MsgUpdateParamsSchema as MintParams } from '../../core/proto/cosmos/mint/v1beta1/tx_pb.js';
import { MsgUpdateParamsSchema as SlashingParams } from '../../core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { MsgCancelUpgradeSchema } from '../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { propose } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { accountAddress } from '../values/names.js';
import { protoFromJson } from '../values/proto-from-json.js';
import { parseJson } from '../values/tx-json.js';
import { listOf } from '../tx/send-as.js';
import { coinsOf, messageAny } from '../tx/draft.js';
import { proposeAs } from '../tx/propose.js';
import { coinsOfNode } from '../values/units.js';

/** Parses a JSON argument: the text itself, or the file if it ends with `.json`. */
function jsonOf({ ports }: CommandContext, typed: string, what: string): JsonValue {
  if (!typed.endsWith('.json')) return parseJson(typed, what);
  const text = ports.files.read(typed);
  if (text === undefined) throw new CommandError(EXIT.notFound, `cannot read ${typed}`);
  return parseJson(text, typed);
}

/** Creates a command that proposes all parameters of a module, in the form that `query NAME params` prints. */
const updateParams =
  (schema: DescMessage): CommandBody =>
  (context, [typed = ''], flags) => {
    const params = jsonOf(context, typed === '' ? flags.needed('params') : typed, 'params');
    return proposeAs(context, flags, (authority) =>
      messageAny(schema, protoFromJson(schema, { authority, params }, 'params')),
    );
  };

/**
 * Proposes consensus parameters: they are members of the message itself. `version` is dropped, because the message
 * lacks it.
 */
const consensusParams: CommandBody = (context, [typed = ''], flags) => {
  const { version: _, ...params } = asJsonObject(jsonOf(context, typed, 'params'));
  return proposeAs(context, flags, (authority) =>
    messageAny(ConsensusParams, protoFromJson(ConsensusParams, { ...params, authority }, 'params')),
  );
};

function asJsonObject(json: JsonValue): Readonly<Record<string, JsonValue>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new CommandError(EXIT.usage, 'params: a JSON object is expected');
}

/** `tx bank set-send-enabled-proposal JSON... [--use-default-for DENOMS]`: proposes entries to set or to delete. */
const setSendEnabled: CommandBody = (context, entries, flags) => {
  const sendEnabled = entries.flatMap((typed) => jsonOf(context, typed, 'send_enabled'));
  const useDefaultFor = listOf(flags.text('use-default-for'));
  if (sendEnabled.length + useDefaultFor.length === 0)
    throw new CommandError(EXIT.usage, 'an entry of send_enabled, or --use-default-for, is needed here');
  return proposeAs(context, flags, (authority) =>
    messageAny(
      MsgSetSendEnabledSchema,
      protoFromJson(MsgSetSendEnabledSchema, { authority, sendEnabled, useDefaultFor }, 'send_enabled'),
    ),
  );
};

const communityPoolSpend: CommandBody = async (context, [name = '', typed = ''], flags) => {
  const amount = coinsOf(await coinsOfNode(context, typed, 'amount'));
  const recipient = await accountAddress(context, name);
  await proposeAs(context, flags, (authority) =>
    messageAny(MsgCommunityPoolSpendSchema, { authority, recipient, amount }),
  );
};

const cancelUpgrade: CommandBody = (context, _, flags) =>
  proposeAs(context, flags, (authority) => messageAny(MsgCancelUpgradeSchema, { authority }));

export const commands: readonly CommandRow[] = [
  propose(
    'auth update-params-proposal <params>',
    'propose all parameters of auth, as JSON or in a file NAME.json',
    updateParams(AuthParams),
  ),
  propose(
    'bank update-params-proposal <params>',
    'propose all parameters of bank, as JSON or in a file NAME.json',
    updateParams(BankParams),
  ),
  propose(
    'consensus update-params-proposal <params>',
    'propose all parameters of consensus, as JSON or in a file NAME.json',
    consensusParams,
  ),
  propose(
    'distribution update-params-proposal <params>',
    'propose all parameters of distribution, as JSON or in a file NAME.json',
    updateParams(DistributionParams),
  ),
  propose(
    'mint update-params-proposal <params>',
    'propose all parameters of mint, as JSON or in a file NAME.json',
    updateParams(MintParams),
  ),
  propose(
    'slashing update-params-proposal <params>',
    'propose all parameters of slashing, as JSON or in a file NAME.json',
    updateParams(SlashingParams),
  ),
  propose('feemarket update-params', 'propose all parameters of the fee market', updateParams(FeeMarketParams), {
    options: [{ flag: '--params <json>', doc: 'the parameters, as JSON or in a file NAME.json', required: true }],
  }),
  propose(
    'bank set-send-enabled-proposal [send-enabled...]',
    'propose which denoms may be sent, as JSON: {"denom":"x","enabled":false}',
    setSendEnabled,
    { options: [{ flag: '--use-default-for <denoms>', doc: 'denoms whose entries are deleted, separated by commas' }] },
  ),
  propose(
    'distribution community-pool-spend-proposal <recipient> <amount>',
    'propose to spend coins of the community pool',
    communityPoolSpend,
  ),
  propose('upgrade cancel-upgrade-proposal', 'propose to cancel the scheduled upgrade', cancelUpgrade),
];
