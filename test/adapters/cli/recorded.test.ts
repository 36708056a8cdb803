/**
 * Output of the Go command line over the same chain: faces/cli.jsonl, faces/cli-2.jsonl and tx-vectors/multisig.jsonl.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenLines, goldenPath, hasGolden } from '../../support/golden.js';
import { type RecordedRpc, serveRecorded } from './recorded-node.js';
import { runCli } from './support.js';

interface Recorded {
  readonly args: readonly string[];
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdin?: string;
}

/** A rejected transaction is a failure here. */
const REJECTED = /^code: [1-9]|"code":[1-9]/;
/** Head of the chain for the last part of the recording; earlier parts saw lower heads. */
const HEAD = 658n;
const OUR_QUERIES =
  /^query (auth|authz|bank|distribution|erc20|evidence|feegrant|mint|precisebank|slashing|evm|feemarket|gov|staking|upgrade|consensus|tx|txs|block|blocks|block-results|comet-validator-set|wait-tx)\b/;
const OUR_COMMANDS =
  /^(keys (show|list|parse|list-key-types|add|rename|delete|export|mnemonic|migrate|unsafe)|debug (addr|raw-bytes|pubkey|pubkey-raw|prefixes)|tx (authz|bank|distribution|erc20|feegrant|slashing|evm|gov|staking|upgrade|vesting|sign|encode|decode|simulate|validate-signatures|broadcast|multi-sign)|genesis validate)\b/;

/**
 * The reason that a recorded command is not compared (docs/interfaces/cli.md lists the intended differences); undefined
 * when it is.
 */
function skipped({ args, stdout, file }: Recorded & { readonly file: string }): string | undefined {
  const line = args.join(' ');
  if (!OUR_QUERIES.test(line) && !OUR_COMMANDS.test(line)) return 'modules and tools that do not exist here';
  if (/--help/.test(line) || stdout.includes('Usage:')) return 'help texts are laid out otherwise';
  if (stdout.includes('...cut here by the recorder')) return 'the recording keeps the beginning only';
  if (/^query upgrade (plan|applied nope)/.test(line)) return 'the design decides what is printed without a plan';
  if (/27401/.test(line) && file !== 'tx-vectors/multisig.jsonl') return 'recorded over another chain';
  if (/^query (bank total|consensus comet (block-latest|validator-set)\b)/.test(line) && !/by-height/.test(line))
    return 'the head of the call is not recorded';
  if (
    /^query (distribution (rewards|commission|community-pool)|mint (inflation|annual)|slashing signing-infos)/.test(
      line,
    )
  )
    return 'the head of the call is not recorded';
  if (/^query block( -o json)? --node/.test(line)) return 'no line before the block: JSON stays JSON';
  if (/^query (block 20|blocks)/.test(line)) return 'heights need no --type, and blocks can be searched';
  if (/^query consensus comet node-info/.test(line)) return 'facts of the Go build';
  if (/^query evm balance-erc20/.test(line)) return 'the answer is YAML and JSON like every other';
  if (/acc_seq cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm\/5 --node/.test(line))
    return 'long texts are not folded in YAML';
  if (/^query staking unbonding-delegations /.test(line)) return 'an empty list is []';
  if (/^query wait-tx EE7340A/.test(line)) return 'a transaction that is found is shown whole';
  if (/--grpc-addr/.test(line)) return 'the command line asks the consensus RPC only';
  if (/ -o nope /.test(line)) return 'formats are checked';
  if (/^(keys (list|show|add)) .*-o json/.test(line)) return '-o is known to every command';
  if (/--source x/.test(line)) return 'no randomness of files';
  if (/^keys add k1 --recover .*clitmp/.test(line) && file === 'faces/cli-2.jsonl')
    return 'a keyring of another session';
  if (
    /^keys (add ks|delete|rename|export|unsafe|migrate|mnemonic|import)/.test(line) ||
    (/^keys (list|show|add) /.test(line) && /clitmp/.test(line) && file === 'faces/cli-2.jsonl')
  )
    return 'random keys, and forms of keyrings that are ours';
  if (/^keys show cosmos15rh/.test(line)) return 'gas depends on the head of the call, and dev accounts have names';
  if (/^keys list --output json/.test(line)) return 'a keyring of another session';
  if (/^keys list .*clitmp/.test(line)) return 'lists a random key';
  if (/^query txs --events/.test(line)) return 'the older flag is taken here';
  if (/^genesis validate/.test(line)) return 'the home is not recorded';
  if (/^tx (simulate|bank send .*--dry-run)/.test(line))
    return 'gas depends on the head of the call, and dev accounts have names';
  if (/^tx bank send/.test(line) && !/--generate-only|:1 |wrong/.test(line)) return 'needs blocks between the commands';
  if (/^tx bank send .*--chain-id wrong/.test(line)) return 'needs blocks between the commands';
  if (/--generate-only --offline/.test(line)) return 'what is not signed needs no sequence';
  if (/^tx evm raw 0x02/.test(line)) return "the EIP-155 id is the chain's, not the chain id";
  if (
    /^tx (broadcast|validate-signatures|encode).*clitmp2|^tx bank send cosmos12ap9e20/.test(line) &&
    !/encode|generate-only/.test(line)
  )
    return 'an account of another chain';
  if (/^tx gov draft-proposal/.test(line)) return 'files of proposals are written without a form';
  if (/^tx upgrade software-upgrade .*--upgrade-info  ?--from/.test(line)) return 'the text of a plan may be empty';
  return undefined;
}

describe.skipIf(!hasGolden)('recorded command lines', () => {
  const files = ['faces/cli.jsonl', 'faces/cli-2.jsonl', 'tx-vectors/multisig.jsonl'];
  const all = hasGolden
    ? files.flatMap((file) =>
        goldenLines<Partial<Recorded>>(file).flatMap((one) => (isRecorded(one) ? [{ ...one, file }] : [])),
      )
    : [];
  const compared = all.filter((one) => skipped(one) === undefined);
  const reasons = new Map<string, number>();
  for (const one of all) {
    const why = skipped(one);
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  for (const [why, count] of reasons) it.skip(`${count} commands (reason: ${why})`);
  it('most commands of modules that exist are compared', () => expect(compared.length).toBeGreaterThan(220));

  let node: RecordedRpc;
  beforeAll(async () => {
    node = await serveRecorded(HEAD);
  }, 120_000);
  afterAll(() => void node.server.close());
  const keys = keyringOf(['dev0', 'dev1', 'dev2', 'dev3', 'mykey']);
  const texts = new Map(transactionFiles(all));

  it.each(compared.map((one, index) => ({ title: `${index} ${one.args.join(' ')}`, one })))(
    '$title',
    async ({ one }) => {
      const ran = await runCli(argsOf(one, node.address), {
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

function isRecorded(one: Partial<Recorded>): one is Recorded {
  return one.args !== undefined && one.stdout !== undefined;
}

/**
 * Arguments for the node of the test. Where the Go command line prints text by default, it is asked for; a multisig of
 * another chain gets its recorded numbers.
 */
function argsOf({ args, file }: Recorded & { readonly file: string }, address: string): readonly string[] {
  const line = args.join(' ');
  const ours = args.map((word, index) => (args[index - 1] === '--node' && !word.endsWith(':1') ? address : word));
  const asked = OUR_QUERIES.test(line) && !ours.includes('--node') ? [...ours, '--node', address] : ours;
  const shown = /^tx broadcast/.test(line) && !args.includes('-o') ? [...asked, '-o', 'text'] : asked;
  const signs = file === 'tx-vectors/multisig.jsonl' && /^tx (sign|multi-sign)/.test(line);
  return signs ? [...shown, '--offline', '-a', '19', '-s', '0'] : shown;
}

/** Files of the session, by the commands that wrote them. */
function transactionFiles(
  all: readonly (Recorded & { readonly file: string })[],
): readonly (readonly [string, string])[] {
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
