/**
 * Output of the Go command line over the same chain: faces/cli.jsonl, faces/cli-2.jsonl and tx-vectors/multisig.jsonl.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenLines, goldenPath, hasGolden } from '../support/golden.js';
import { type RecordedRpc, serveRecorded } from './recorded-node.js';
import { OUR_QUERIES, type Recorded, type RecordedIn, skipped } from './recorded-skips.js';
import { runCli } from './support.js';

const INTRODUCTION = `# Recorded commands that are not compared

\`test/cli/recorded.test.ts\` compares the output of this command line with that of a Go node's over the same
chain, and makes this page (\`-u\` writes it again): the recorded command lines that it leaves out, by reason.
[cli.md](../interfaces/cli.md) describes the differences for users.
`;
/** A rejected transaction is a failure here. */
const REJECTED = /^code: [1-9]|"code":[1-9]/;
/** Head of the chain for the last part of the recording; earlier parts saw lower heads. */
const HEAD = 658n;
/** Heights at which earlier parts were recorded, for answers that depend on the height. */
const HEIGHTS: readonly (readonly [line: RegExp, height: bigint])[] = [
  [/^query bank total-supply -o json/, 640n],
  [/^query bank total(-supply)? /, 639n],
  [/^query distribution (rewards|community-pool)/, 643n],
  [/^query distribution commission/, 644n],
  [/^query (slashing signing-infos|mint inflation)/, 646n],
  [/^query mint annual-provisions/, 647n],
  [/^query ibc (connection|channel) /, 654n],
];
/** Heads at which commands without a height were recorded. */
const HEADS: readonly (readonly [line: RegExp, head: bigint])[] = [
  [/^query consensus comet block-latest --node/, 648n],
  [/^query consensus comet (block-latest|validator-set) /, 649n],
];

describe.skipIf(!hasGolden)('recorded command lines', () => {
  const files = ['faces/cli.jsonl', 'faces/cli-2.jsonl', 'tx-vectors/multisig.jsonl'];
  const all = hasGolden
    ? files.flatMap((file) =>
        goldenLines<Partial<Recorded>>(file).flatMap((one) => (isRecorded(one) ? [{ ...one, file }] : [])),
      )
    : [];
  const compared = all.filter((one) => skipped(one) === undefined);
  const left = new Map<string, readonly RecordedIn[]>();
  for (const one of all) {
    const why = skipped(one);
    if (why !== undefined) left.set(why, [...(left.get(why) ?? []), one]);
  }
  it('docs/generated/recorded-commands.md lists the commands that are not compared', async () => {
    const rows = Array.from(left, ([why, ones]) => {
      const names = [...new Set(ones.map(nameOf))].toSorted().map((name) => `\`${name}\``);
      return `| ${names.join(', ')} | ${ones.length} | ${why} |`;
    });
    const page = [INTRODUCTION, '| commands | lines | why |\n|---|---|---|', ...rows.toSorted(), ''].join('\n');
    await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/generated/recorded-commands.md'));
  });
  it('more than 220 recorded command lines are compared', () => expect(compared.length).toBeGreaterThan(220));

  const nodes = new Map<bigint, RecordedRpc>();
  beforeAll(async () => {
    for (const head of [HEAD, ...HEADS.map(([, one]) => one)]) nodes.set(head, await serveRecorded(head));
  }, 120_000);
  afterAll(() => {
    for (const { server } of nodes.values()) server.close();
  });
  const keys = keyringOf(['dev0', 'dev1', 'dev2', 'dev3', 'mykey']);
  const texts = new Map(transactionFiles(all));

  it.each(compared.map((one, index) => ({ title: `${index} ${one.args.join(' ')}`, one })))(
    '$title',
    async ({ one }) => {
      const ran = await runCli(argsOf(one, nodes.get(headOf(one))?.address ?? ''), {
        env: { CHRONICLED_BECH32_PREFIX: 'cosmos' },
        keys,
        texts,
        input: (one.stdin ?? '').split('\n'),
      });
      expect(ran.code !== 0, ran.stderr).toBe(
        one.exit !== 0 || (one.args[1] === 'broadcast' && REJECTED.test(one.stdout)),
      );
      expect(comparable(ran.stdout)).toBe(comparable(one.stdout));
    },
  );
});

/** The first words of a command before its arguments and flags: three of a query or transaction, else two. */
function nameOf({ args: [first = 'no command', ...rest] }: Recorded): string {
  const most = first === 'query' || first === 'tx' ? 2 : 1;
  const end = rest.findIndex((word) => !/^[a-z][a-z_-]*\d{0,2}$/.test(word));
  return [first, ...rest.slice(0, end === -1 ? most : Math.min(end, most))].join(' ');
}

function isRecorded(one: Partial<Recorded>): one is Recorded {
  return one.args !== undefined && one.stdout !== undefined;
}

/** The head at which a command was recorded. */
function headOf({ args }: Recorded): bigint {
  return HEADS.find(([line]) => line.test(args.join(' ')))?.[1] ?? HEAD;
}

/**
 * Arguments for the node of the test, with the height where the answer depends on it. Where the Go command line prints
 * text by default, it is asked for; a multisig of another chain gets its recorded numbers.
 */
function argsOf({ args, file }: RecordedIn, address: string): readonly string[] {
  const line = args.join(' ');
  const ours = args.map((word, index) => (args[index - 1] === '--node' && !word.endsWith(':1') ? address : word));
  const asked = OUR_QUERIES.test(line) && !ours.includes('--node') ? [...ours, '--node', address] : ours;
  const height = HEIGHTS.find(([part]) => part.test(line))?.[1];
  const placed = height === undefined ? asked : [...asked, '--height', `${height}`];
  const shown = /^tx broadcast/.test(line) && !args.includes('-o') ? [...placed, '-o', 'text'] : placed;
  const signs = file === 'tx-vectors/multisig.jsonl' && /^tx (sign|multi-sign)/.test(line);
  return signs ? [...shown, '--offline', '-a', '19', '-s', '0'] : shown;
}

/** Files of the session, by the commands that wrote them. */
function transactionFiles(all: readonly RecordedIn[]): readonly (readonly [string, string])[] {
  const printed = (file: string, pattern: RegExp): string =>
    all.find((one) => one.file === file && pattern.test(one.args.join(' ')))?.stdout ?? '';
  const vectors = 'tx-vectors/multisig.jsonl';
  return [
    ['$PEERS/clitmp/u.json', printed('faces/cli.jsonl', /^tx bank send .*--generate-only/)],
    ['$PEERS/clitmp/s.json', printed('faces/cli.jsonl', /^tx sign .*--from dev3 --keyring/)],
    ['$PEERS/clitmp2/u.json', printed(vectors, /^tx bank send/)],
    ['$PEERS/clitmp2/s-dev0.json', printed(vectors, /^tx sign .*--from dev0/)],
    ['$PEERS/clitmp2/s-dev2.json', printed(vectors, /^tx sign .*--from dev2/)],
    ['$PEERS/clitmp2/m2.json', printed(vectors, /^tx multi-sign .*s-dev2/)],
  ];
}

function keyringOf(names: readonly string[]): Map<string, string> {
  const keys = hasGolden
    ? (JSON.parse(readFileSync(goldenPath('tx-vectors/keys.json'), 'utf8')) as Record<
        string,
        { readonly priv: string }
      >)
    : {};
  return new Map(
    names.map((name) => [
      `$HOME_DIR/keyring-test/${name}.json`,
      JSON.stringify({ name, type: 'eth_secp256k1', private_key: keys[name]?.priv }),
    ]),
  );
}

/** Output without the 0x address that our listings add, and without empty lines at the end. */
function comparable(stdout: string): string {
  return stdout
    .replace(/^ {2}hex: 0x[0-9a-fA-F]{40}\n/gm, '')
    .replace(/"hex":"0x[0-9a-fA-F]{40}",/g, '')
    .trimEnd();
}
