/** `docs/generated/ethereum-methods.md` is made from the rows that dispatch; `-u` at the end writes it again. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_NAMESPACES, DEV_NAMESPACES, INSPECTION_NAMESPACE } from '../../src/core/ethereum/namespaces.js';
import { discover, type DiscoveredMethod } from '../support/discovered.js';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'generated', 'ethereum-methods.md');
/** The namespaces of the commands of dev mode, which have one command under several names. */
const COMMANDS = new Set(['anvil', 'hardhat', 'ganache', 'evm', 'tenderly', 'miner']);

const INTRODUCTION = `# Methods of the Ethereum JSON-RPC

\`test/house/ethereum-methods.test.ts\` makes this page from the methods that are served and, with \`-u\` at the end, writes it
again. \`rpc_discover\` of a node has the schemas of their parameters and results.
`;

const namespaceOf = ({ name }: DiscoveredMethod): string => name.slice(0, name.indexOf('_'));

/** Parameters and summary, as cells. */
function cellsOf({ summary, params }: DiscoveredMethod): string {
  return `${params.map((one) => (one.required ? one.name : `[${one.name}]`)).join(', ')} | ${summary}`;
}
const row = (one: DiscoveredMethod): string => `| \`${one.name}\` | ${cellsOf(one)} |`;

function section(namespace: string, methods: readonly DiscoveredMethod[], elsewhere: ReadonlySet<string>): string {
  const devOnly = methods.filter(({ name }) => !elsewhere.has(name)).map(({ name }) => `\`${name}\``);
  const served =
    namespace === INSPECTION_NAMESPACE
      ? 'Where both ports listen on loopback, and elsewhere where `--evm.rpc.api` names the namespace.'
      : devOnly.length === methods.length
        ? 'In dev mode, and where `--evm.rpc.api` names the namespace.'
        : ['By default', ...(devOnly.length === 0 ? [] : [`in dev mode alone ${devOnly.join(', ')}`])]
            .join('; ')
            .concat('.');
  const table = ['| method | parameters | what it does |', '|---|---|---|', ...methods.map(row)];
  return [`## ${namespace}`, '', served, '', ...table, ''].join('\n');
}

/** Commands of dev mode: those that differ in their prefix alone have one row. */
function commandSection(methods: readonly DiscoveredMethod[]): string {
  const prefixes = new Map<string, readonly string[]>();
  for (const one of methods) {
    const key = `\`${one.name.slice(one.name.indexOf('_') + 1)}\` | ${cellsOf(one)}`;
    prefixes.set(key, [...(prefixes.get(key) ?? []), namespaceOf(one)]);
  }
  const rows = [...prefixes].map(([key, names]) => `| ${key} | ${names.join(', ')} |`).toSorted();
  return [
    '## Commands of dev mode',
    '',
    'In dev mode alone; [dev-commands.md](../interfaces/dev-commands.md) tells their effects.',
    '',
    '| command | parameters | what it does | prefixes |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

it('docs/generated/ethereum-methods.md equals the list of served methods', async () => {
  const elsewhere = new Set((await discover(false, DEFAULT_NAMESPACES)).document.methods.map(({ name }) => name));
  const { methods } = (await discover(true, DEV_NAMESPACES)).document;
  const namespaces = [...new Set(methods.map(namespaceOf))].filter((name) => !COMMANDS.has(name));
  const sections = namespaces.map((name) =>
    section(
      name,
      methods.filter((one) => namespaceOf(one) === name),
      elsewhere,
    ),
  );
  const ofDevMode = commandSection(methods.filter((one) => COMMANDS.has(namespaceOf(one))));
  await expect([INTRODUCTION, ...sections, ofDevMode].join('\n')).toMatchFileSnapshot(PAGE);
});
