/** `docs/generated/ethereum-methods.md` is made from the rows that dispatch; `-u` at the end writes it again. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_NAMESPACES, DEV_NAMESPACES, INSPECTION_NAMESPACE } from '../../src/core/ethereum/namespaces.js';
import { discover, type DiscoveredMethod } from '../support/discovered.js';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'generated', 'ethereum-methods.md');
/** The commands of dev mode have a page by hand. */
const COMMANDS = new Set(['anvil', 'hardhat', 'ganache', 'evm', 'tenderly', 'miner']);

const INTRODUCTION = `# Methods of the Ethereum JSON-RPC

\`test/house/ethereum-methods.test.ts\` makes this page from the methods that are served and, with \`-u\` at the end, writes it
again. \`rpc_discover\` of a node has the schemas of their parameters and results. The commands of dev mode are in
[dev-commands.md](../interfaces/dev-commands.md).
`;

const namespaceOf = ({ name }: DiscoveredMethod): string => name.slice(0, name.indexOf('_'));

function row({ name, summary, params }: DiscoveredMethod): string {
  const labels = params.map((one) => (one.required ? one.name : `[${one.name}]`));
  return `| \`${name}\` | ${labels.join(', ')} | ${summary} |`;
}

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

it('docs/generated/ethereum-methods.md is made from the methods that are served', async () => {
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
  await expect([INTRODUCTION, ...sections].join('\n')).toMatchFileSnapshot(PAGE);
});
