/**
 * `tx gov draft-proposal`: asks questions and writes a proposal file (cosmos-sdk v0.53 `x/gov/client/cli/prompt.go`).
 */
import { create, type DescField, type DescMessage, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { MsgCommunityPoolSpendSchema } from '../../core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { complete } from '../../core/sdk/codec/complete-message.js';
import { KNOWN_TYPES } from '../../core/sdk/codec/known-types.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { addressOf, nodePrefix } from '../values/names.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';
import { governanceAddress } from '../tx/propose.js';
import { coinsOfNode } from '../values/units.js';
import { wholeNumber } from '../values/whole-number.js';
import { INTERFACES } from './interfaces.js';

const KINDS: Readonly<Record<string, DescMessage | undefined>> = {
  text: undefined,
  'community-pool-spend': MsgCommunityPoolSpendSchema,
  'software-upgrade': MsgSoftwareUpgradeSchema,
  'cancel-software-upgrade': MsgCancelUpgradeSchema,
};
const OTHER = 'other';
const METADATA = ['title', 'authors', 'summary', 'details', 'proposal_forum_url', 'vote_option_context'] as const;
const ADDRESS = /addr|sender|voter|depositor|granter|grantee|recipient|authority/;

const draftProposal: CommandBody = async (context, _, flags) => {
  const ask = asker(context);
  const schema = await kindOf(context, ask);
  const metadata = await metadataOf(ask, flags.is('skip-metadata'));
  const deposit = await ask(
    'Enter proposal deposit',
    async (text) => void (await coinsOfNode(context, text, 'deposit')),
  );
  const messages = schema === undefined ? [] : [await messageOf(context, ask, schema)];
  write(context, 'draft_proposal.json', {
    ...(messages.length > 0 && { messages }),
    metadata: 'ipfs://CID',
    deposit,
    title: metadata.title,
    summary: metadata.summary,
    expedited: false,
  });
  if (!flags.is('skip-metadata')) write(context, 'draft_metadata.json', metadata);
  context.ports.stderr('wrote draft_proposal.json; put its metadata in place of ipfs://CID\n');
};

/** Asks a question; `fallback` replaces an empty answer. Throws if the answer is empty or `check` throws. */
type Ask = (question: string, check?: (text: string) => unknown, fallback?: string) => Promise<string>;

function asker({ ports }: CommandContext): Ask {
  return async (question, check = () => undefined, fallback = '') => {
    const answer = await ports.readLine(fallback === '' ? `${question}: ` : `${question} [${fallback}]: `, false);
    if (answer === undefined) throw new CommandError(EXIT.usage, `${question}: no answer`);
    const text = answer.trim() === '' ? fallback : answer.trim();
    if (text === '') throw new CommandError(EXIT.usage, `${question}: the answer is empty`);
    await check(text);
    return text;
  };
}

async function kindOf({ ports }: CommandContext, ask: Ask): Promise<DescMessage | undefined> {
  const kinds = [...Object.keys(KINDS), OTHER];
  const kind = await ask(`Select proposal type (${kinds.join(', ')})`, (text) => {
    if (!kinds.includes(text)) throw new CommandError(EXIT.usage, `proposal type: one of ${kinds.join(', ')}`);
  });
  if (kind !== OTHER) return KINDS[kind];
  const urls = INTERFACES['cosmos.base.v1beta1.Msg'] ?? [];
  ports.stderr(`${urls.join('\n')}\n`);
  const url = await ask('Select proposal message type', (text) => {
    if (!urls.includes(text)) throw new CommandError(EXIT.usage, `no type of a message: ${text}`);
  });
  return KNOWN_TYPES.getMessage(url.slice(1));
}

type Metadata = Readonly<Record<(typeof METADATA)[number], string | readonly string[]>>;

async function metadataOf(ask: Ask, isShort: boolean): Promise<Metadata> {
  const answers = new Map<string, string>();
  for (const name of isShort ? (['title', 'summary'] as const) : METADATA)
    answers.set(name, await ask(`Enter proposal ${name.replaceAll('_', ' ')}`));
  const answer = (name: string): string => answers.get(name) ?? '';
  return {
    title: answer('title'),
    authors: answers.has('authors') ? [answer('authors')] : [],
    summary: answer('summary'),
    details: answer('details'),
    proposal_forum_url: answer('proposal_forum_url'),
    vote_option_context: answer('vote_option_context'),
  };
}

/** Asks for the text and number fields of a message; other fields stay empty. */
async function messageOf(context: CommandContext, ask: Ask, schema: DescMessage): Promise<JsonValue> {
  const prefix = await nodePrefix(context);
  const message = create(schema);
  const fields = reflect(schema, message);
  for (const field of schema.fields) {
    if (field.fieldKind !== 'scalar' || field.scalar === ScalarType.BYTES || field.scalar === ScalarType.BOOL) continue;
    const isAuthority = field.name === 'authority';
    const text = await ask(
      `Enter msg ${field.name.replaceAll('_', ' ')}`,
      (answer) => (ADDRESS.test(field.name) ? addressOf(context, answer, prefix) : undefined),
      isAuthority ? governanceAddress(prefix) : '',
    );
    set(fields, field, ADDRESS.test(field.name) ? await addressOf(context, text, prefix) : text);
  }
  const json = protoJson(schema, complete(schema, message));
  return { '@type': `/${schema.typeName}`, ...(typeof json === 'object' && !Array.isArray(json) && json) };
}

function set(message: ReflectMessage, field: DescField & { readonly fieldKind: 'scalar' }, text: string): void {
  if (field.scalar === ScalarType.STRING) message.set(field, text);
  else message.set(field, numberOf(field, wholeNumber(text, field.name)));
}

/** A bigint for 64-bit fields, a number for the others. */
function numberOf({ scalar }: { readonly scalar: ScalarType }, value: bigint): bigint | number {
  const wide = [ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64, ScalarType.SFIXED64];
  return wide.includes(scalar) ? value : Number(value);
}

function write({ ports }: CommandContext, file: string, value: unknown): void {
  ports.files.write(file, `${JSON.stringify(value, undefined, 1)}\n`);
}

export const commands: readonly CommandRow[] = [
  send('gov draft-proposal', 'write the file of a proposal from answers to questions', draftProposal, {
    options: [{ flag: '--skip-metadata', doc: 'ask for title and summary only, and write no metadata' }],
  }),
];
