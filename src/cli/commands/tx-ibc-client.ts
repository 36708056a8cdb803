/** `tx ibc client ...` (ibc-go v10 `modules/core/02-client/client/cli/tx.go`). */
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { toBase64 } from '../../core/bytes/base64.js';
import { fromHex } from '../../core/bytes/hex.js';
import { GO_ZERO_TIME, toTimestamp } from '../../core/comet/time.js';
import * as pb from '../../core/proto/ibc/core/client/v1/tx_pb.js';
import {
  MsgRegisterCounterpartySchema,
  MsgUpdateClientConfigSchema,
} from '../../core/proto/ibc/core/client/v2/tx_pb.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { propose, signed } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { addressOf } from '../values/names.js';
import { protoFromJson } from '../values/proto-from-json.js';
import { sendOwn } from '../tx/send-as.js';
import { messageAny } from '../tx/draft.js';
import { proposeAs } from '../tx/propose.js';
import { readText } from '../tx/read.js';
import { parseJson } from '../values/tx-json.js';
import { wholeNumber } from '../values/whole-number.js';

/** Parses a client state or header: JSON with `@type`, as text or in a file. */
async function anyOf(context: CommandContext, typed: string, what: string): Promise<Any> {
  const json = typed.trimStart().startsWith('{') ? typed : await readText(context, typed);
  // validator hashes may be in hex, as the Go node writes them
  const plain = json.replace(
    /("next_validators_hash"\s*:\s*")([0-9A-Fa-f]{64})(?=")/g,
    (_, before: string, digits: string) => `${before}${toBase64(fromHex(digits.toLowerCase()))}`,
  );
  return protoFromJson(AnySchema, parseJson(plain, what), what);
}

const create: CommandBody = async (context, [state = '', consensus = ''], flags) => {
  const clientState = await anyOf(context, state, 'client state');
  const consensusState = await anyOf(context, consensus, 'consensus state');
  await sendOwn(context, flags, pb.MsgCreateClientSchema, (signer) => ({ clientState, consensusState, signer }));
};

const update: CommandBody = async (context, [clientId = '', typed = ''], flags) => {
  const clientMessage = await anyOf(context, typed, 'client message');
  await sendOwn(context, flags, pb.MsgUpdateClientSchema, (signer) => ({ clientId, clientMessage, signer }));
};

const misbehave: CommandBody = async (context, [clientId = '', typed = ''], flags) => {
  const misbehaviour = await anyOf(context, typed, 'misbehaviour');
  await sendOwn(context, flags, pb.MsgSubmitMisbehaviourSchema, (signer) => ({ clientId, misbehaviour, signer }));
};

const upgrade: CommandBody = async (context, args, flags) => {
  const [clientId = '', state = '', consensus = '', clientProof = '', consensusProof = ''] = args;
  const clientState = await anyOf(context, state, 'client state');
  const consensusState = await anyOf(context, consensus, 'consensus state');
  await sendOwn(context, flags, pb.MsgUpgradeClientSchema, (signer) => ({
    clientId,
    clientState,
    consensusState,
    proofUpgradeClient: proofOf(clientProof),
    proofUpgradeConsensusState: proofOf(consensusProof),
    signer,
  }));
};

/** Decodes a base64 proof. The Go node uses the bytes of the text itself, which cannot be a valid proof. */
function proofOf(typed: string): Uint8Array {
  const bytes = bytesOf(typed, 'a proof');
  if (bytes.length === 0) throw new CommandError(EXIT.usage, `${typed}: a proof in base64 is needed here`);
  return bytes;
}

/** Decodes base64; the empty text is allowed. */
function bytesOf(typed: string, what: string): Uint8Array {
  const bytes = Buffer.from(typed, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== typed.replace(/=+$/, ''))
    throw new CommandError(EXIT.usage, `${typed}: ${what} in base64 is needed here`);
  return bytes;
}

const recover: CommandBody = (context, [subjectClientId = '', substituteClientId = ''], flags) =>
  proposeAs(context, flags, (signer) =>
    messageAny(pb.MsgRecoverClientSchema, { subjectClientId, substituteClientId, signer }),
  );

const schedule: CommandBody = async (context, [name = '', height = '', typed = ''], flags) => {
  const upgradedClientState = await anyOf(context, typed, 'client state');
  const plan = { name, height: wholeNumber(height, 'height'), time: toTimestamp(GO_ZERO_TIME) };
  await proposeAs(context, flags, (signer) =>
    messageAny(pb.MsgIBCSoftwareUpgradeSchema, { plan, upgradedClientState, signer }),
  );
};

const forget: CommandBody = async (context, [clientId = ''], flags) => {
  await sendOwn(context, flags, pb.MsgDeleteClientCreatorSchema, (signer) => ({ clientId, signer }));
};

const addCounterparty: CommandBody = async (context, [clientId = '', counterpartyClientId = '', ...prefix], flags) => {
  const counterpartyMerklePrefix = prefix.map((part) => bytesOf(part, 'a part of a merkle prefix'));
  await sendOwn(context, flags, MsgRegisterCounterpartySchema, (signer) => ({
    clientId,
    counterpartyClientId,
    counterpartyMerklePrefix,
    signer,
  }));
};

const allow: CommandBody = async (context, [clientId = '', ...typed], flags) => {
  const allowedRelayers: string[] = [];
  for (const relayer of typed) allowedRelayers.push(await addressOf(context, relayer));
  await sendOwn(context, flags, MsgUpdateClientConfigSchema, (signer) => ({
    clientId,
    config: { allowedRelayers },
    signer,
  }));
};

const AUTHORITY: OptionRow = { flag: '--authority <address>', doc: 'authority of clients (default: governance)' };

export const commands: readonly CommandRow[] = [
  signed('ibc client create <client-state> <consensus-state>', 'make a light client from JSON or files', create),
  signed('ibc client update <client-id> <client-message>', 'give a client a header, as JSON or a file', update),
  signed('ibc client misbehaviour <client-id> <misbehaviour>', 'freeze a client by a proof', misbehave),
  signed(
    'ibc client upgrade <client-id> <client-state> <consensus-state> <client-proof> <consensus-proof>',
    'follow a chain over its upgrade; proofs are in base64',
    upgrade,
  ),
  signed(
    'ibc client add-counterparty <client-id> <counterparty-client-id> <merkle-prefix...>',
    'name the client of the other chain (v2); parts of its prefix are in base64',
    addCounterparty,
  ),
  signed('ibc client update-client-config <client-id> [relayers...]', 'allow these relayers alone, or all (v2)', allow),
  signed('ibc client delete-client-creator <client-id>', 'forget who made a client', forget),
  propose('ibc client recover-client <subject-client-id> <substitute-client-id>', 'replace a client', recover, {
    options: [AUTHORITY],
  }),
  propose(
    'ibc client schedule-ibc-upgrade <name> <height> <client-state>',
    'upgrade this chain, and tell clients',
    schedule,
    {
      options: [AUTHORITY],
    },
  ),
];
