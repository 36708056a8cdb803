/**
 * Every command, argument and flag of the Go node's command line (faces/cli-help.txt) is here, or
 * docs/interfaces/cli.md (commands) and the refusal of the flag say why it is not.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MISSING_FLAGS } from '../../src/cli/line/missing-flags.js';
import { goldenLines, goldenPath, hasGolden } from '../support/golden.js';
import { runCli } from './support.js';

interface PeerCommand {
  readonly words: string;
  readonly usage: string;
  readonly aliases: readonly string[];
  readonly flags: readonly string[];
}

/** The help texts of the recording, without the flags that it lists once for all commands. */
function peerCommands(): readonly PeerCommand[] {
  const [, ...parts] = readFileSync(goldenPath('faces/cli-help.txt'), 'utf8').split(
    /^########## evmd (.*?) ?--help .*$/m,
  );
  return Array.from({ length: parts.length / 2 }, (_, index): PeerCommand => {
    const [words = '', text = ''] = parts.slice(2 * index, 2 * index + 2);
    return {
      words,
      usage: /^Usage:\n {2}(.*)$/m.exec(text)?.[1] ?? '',
      aliases: /^Aliases:\n {2}(.*)$/m.exec(text)?.[1]?.split(', ') ?? [],
      flags: [...text.matchAll(/^\s+(?:-\w, )?--([\w.-]+)/gm)].flatMap(([, flag = '']) =>
        flag === 'help' ? [] : [flag],
      ),
    };
  });
}

/**
 * The flags in the usage that the Go node prints after an error, by the words of its command (faces/cli.jsonl). The
 * help texts leave out the commands below `keys`.
 */
function usagesOfErrors(): ReadonlyMap<string, readonly string[]> {
  const usages = ['cli', 'cli-2'].flatMap((file) =>
    goldenLines<{ readonly stderr?: string }>(`faces/${file}.jsonl`).flatMap(
      ({ stderr = '' }) => /Usage:\n {2}evmd ([\s\S]*?)\n\nGlobal Flags:/.exec(stderr)?.[1] ?? [],
    ),
  );
  return new Map(
    usages.map((usage) => [
      /^[a-z0-9_ -]*[a-z0-9]/.exec(usage.replace(/ [[<(].*| [A-Z_]+ .*/, ''))?.[0] ?? '',
      Array.from(usage.matchAll(/^\s+(?:-\w, )?--([\w.-]+)/gm), ([, flag = '']) => flag).filter(
        (flag) => flag !== 'help',
      ),
    ]),
  );
}

/** The flags that the recording lists once. */
function commonFlags(): readonly string[] {
  const [head = ''] = readFileSync(goldenPath('faces/cli-help.txt'), 'utf8').split('##########');
  return [...head.matchAll(/^# {3}(?:-\w, )?--([\w-]+)/gm)].map(([, flag = '']) => flag);
}

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/interfaces/cli.md'), 'utf8');

/** The names in the first column of the table below a head; a name that ends with `...` stands for all below it. */
function namesBelow(head: string): readonly string[] {
  const lines = DOCUMENT.split('\n');
  const start = lines.indexOf(head) + 2;
  expect(start, head).toBeGreaterThan(1);
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('|'));
  return lines
    .slice(start, end)
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const covers = (listed: string, name: string): boolean =>
  listed.endsWith(' ...') ? `${name} `.startsWith(listed.slice(0, -3)) : listed === name;

/** The one command whose name and alias are the other way round. */
const nameHere = (words: string): string => words.replace('module-versions', 'module_versions');

/** True when a help text lists a flag. */
const names = (help: string, flag: string): boolean => new RegExp(`--${flag}(?![\\w.-])`).test(help);

/** Required and all arguments of a usage line; a list has no end. */
function argumentsOf(usage: string, words: string): { readonly least: number; readonly most: number } {
  const after = usage.slice(usage.indexOf(words.split(' ').at(-1) ?? '') + (words.split(' ').at(-1) ?? '').length);
  const all = after.match(/<[^>]+>|\[(?!options\])[^\]]+\]/g) ?? [];
  return {
    least: all.filter((one) => one.startsWith('<')).length,
    most: all.some((one) => one.includes('...')) ? Infinity : all.length,
  };
}

/** Number of positional arguments that the Go command takes; undefined where its usage line does not tell. */
function peerArguments({ usage, words }: PeerCommand): number | undefined {
  const plain = usage
    .replace(`evmd ${words}`, '')
    .replace(/\((--.*?)\)|(?<!\w)--?\w+[ =]\[[^\]]+\]|--from \S+|\[flags\]/g, '')
    .replace('[coin][,[coin]]', '[coins]')
    .replace(/<authorization_type=.*?>/, '[type]');
  // lists, and three usage lines that forget their arguments
  if (/\.\.\.|\(|\[\[/.test(plain) || /evm \S+-to-|escrow-address/.test(words)) return undefined;
  return (plain.match(/\[[^\]]+\]|<[^>]+>|\b[A-Z][A-Z_]+\b|\/\S+|\bclient-id\b/g) ?? []).length;
}

describe.skipIf(!hasGolden)("the Go node's command line", () => {
  const peers = hasGolden ? peerCommands() : [];
  const missing = namesBelow('| missing command | why |');
  const missingFlags = MISSING_FLAGS.flatMap(([names]) => names);
  /** `--flag` for a flag of every command, `words --flag` for one of a command. */
  const isListed = (words: string, flag: string): boolean =>
    missingFlags.some((name) => name === `--${flag}` || covers(name, `${words} --${flag}`));

  it('has many commands', () => expect(peers.length).toBeGreaterThan(300));

  it.each(peers.filter(({ words }) => !missing.some((name) => covers(name, words))))(
    '$words exists here, with its arguments and flags',
    async (peer) => {
      const { code, stdout } = await runCli([...peer.words.split(' ').filter(Boolean), '--help']);
      expect(code).toBe(0);
      const [usage = ''] = stdout.split('\n');
      expect(stdout.slice(0, 200)).not.toContain('not available');
      expect(usage.replace(/\|[\w-]+/, '')).toMatch(new RegExp(`^Usage: chronicled ${nameHere(peer.words)}`));
      for (const alias of peer.aliases) {
        const words = [...peer.words.split(' ').slice(0, -1), alias];
        expect((await runCli([...words, '--help'])).stdout, alias).toBe(stdout);
      }
      // groups list the flags of the commands below them
      if (/\n(Commands|Run a node):\n/.test(stdout)) return;
      expect(peer.flags.filter((flag) => !names(stdout, flag) && !isListed(peer.words, flag))).toEqual([]);
      const count = peerArguments(peer);
      if (count === undefined || missingFlags.some((name) => name.startsWith(`${peer.words} [`))) return;
      const { least, most } = argumentsOf(usage, peer.words);
      expect(least).toBeLessThanOrEqual(count);
      expect(most).toBeGreaterThanOrEqual(count);
    },
  );

  it.each([...(hasGolden ? usagesOfErrors() : [])].filter(([words]) => words.startsWith('keys ')))(
    '%s has the flags of its recorded usage',
    async (words, flags) => {
      const { stdout } = await runCli([...words.split(' '), '--help']);
      expect(flags.filter((flag) => !names(stdout, flag) && !isListed(words, flag))).toEqual([]);
    },
  );

  it.each(MISSING_FLAGS.flatMap(([names, why]) => names.map((name) => ({ name, why }))))(
    'the refusal of $name says why it is missing',
    async ({ name, why }) => {
      if (name.endsWith(' ...')) return;
      const words = name.startsWith('--') ? ['query', 'bank', 'balances', 'dev0', name] : name.split(' ');
      const { code, stderr } = await runCli([...words, '--from', 'dev0']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`\n(${why})\n`) });
    },
  );

  it('has its common flags here', async () => {
    const help = (await runCli(['query', 'bank', 'balances', '--help'])).stdout;
    const sent = (await runCli(['tx', 'bank', 'send', '--help'])).stdout;
    const ours = (flag: string): boolean => names(help, flag) || names(sent, flag);
    expect(commonFlags().filter((flag) => !ours(flag) && !isListed('', flag))).toEqual([]);
  });

  it.each(missing)('%s is missing, as docs/interfaces/cli.md says', async (name) => {
    const named = peers.filter(({ words }) => covers(name, words));
    expect(named.length).toBeGreaterThan(0);
    for (const { words } of named) {
      const { code, stdout, stderr } = await runCli([...words.split(' ')]);
      expect({ words, is: code === 0 && stdout !== '' }).toEqual({ words, is: false });
      expect(stderr).toMatch(
        /not available|unknown command|too many arguments|missing required argument|unknown option/,
      );
    }
  });
});
