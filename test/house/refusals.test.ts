/** docs/generated/errors.md lists what the sources refuse; `-u` writes it again. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRefusals, type Definition, type Refusal } from './refusals.js';

const { definitions, refusals } = readRefusals();

const INTRODUCTION = `# Errors

Every reason for which core refuses a transaction, a message or a query. \`test/house/refusals.test.ts\` makes this page from
the sources and, with \`-u\` at the end, writes it again.

A failed transaction has a codespace, a code and a log. The log ends with the registered text, after the details. A message
that fails has \`failed to execute message; message index: N\` in front. Codespace \`undefined\` with code 1 is an error that the
Cosmos SDK does not register, with code 111222 a panic that it recovers from. A query fails with a gRPC status;
[rest.md](../interfaces/rest.md), [grpc.md](../interfaces/grpc.md) and [comet-rpc.md](../interfaces/comet-rpc.md) say how each
API shows it. \`<...>\` is a value, with its name in the source.
`;

const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``);
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function registeredTable(): string {
  const rows = definitions.toSorted((a, b) =>
    a.codespace === b.codespace ? a.code - b.code : a.codespace < b.codespace ? -1 : 1,
  );
  const unique = new Map(rows.map((one) => [`${one.codespace} ${one.code}`, one]));
  return table(
    ['codespace', 'code', 'text'],
    [...unique.values()].map(({ codespace, code: number, text }) => [codespace, number.toString(), code(text)]),
  );
}

/** The folder whose rule a refusal is. */
function ownerOf({ file }: Refusal): string {
  const [folder = '', module = ''] = file.split('/');
  if (folder === 'modules') return module.endsWith('.ts') ? 'all modules' : `module ${module}`;
  if (folder === 'peers') return `preset ${module}`;
  return folder === 'precompiles' ? 'precompiles' : 'transactions and messages';
}

function refusalTables(): string {
  return [...new Set(refusals.map(ownerOf))]
    .toSorted()
    .map((owner) => {
      const list = refusals.filter((one) => ownerOf(one) === owner);
      const rows = new Map(list.map((one) => [`${one.error} ${one.text}`, [one.error, code(shown(one))]]));
      const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      return `## Refused by ${owner}\n\n${table(['error', 'text'], sorted)}\n`;
    })
    .join('\n');
}

/** The whole text: what precedes the registered one, and that. */
function shown({ error, text }: Refusal): string {
  const found = definitions.find((one: Definition) => `${one.codespace} ${one.code}` === error);
  if (found === undefined || error === 'undefined 1') return text;
  return text === '' ? found.text : `${text}: ${found.text}`;
}

it('docs/generated/errors.md equals the errors in the sources', async () => {
  const page = `${INTRODUCTION}\n## Registered errors\n\n${registeredTable()}\n\n${refusalTables()}`;
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/generated/errors.md'));
});

it('every registered error is used', () => {
  const used = new Set(refusals.map(({ error }) => error));
  const known = new Set(definitions.map(({ codespace, code: number }) => `${codespace} ${number}`));
  expect([...known].filter((one) => !used.has(one)).toSorted()).toEqual(BY_STATUS);
});

/** Errors that core does not throw by their names: `grpcError` and the services of the node answer them. */
const BY_STATUS: readonly string[] = ['sdk 19', 'sdk 20', 'sdk 22', 'sdk 26'];
