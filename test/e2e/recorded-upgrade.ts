/**
 * A recorded upgrade (upgrade/transcript.jsonl): requests to a Go node before, at and after its halt, and the same
 * requests to a node of ours. Our node mines on request, so that the heights match the recording.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject } from '../../src/core/text/json-object.js';
import { runCli } from '../cli/support.js';
import { grpcurl } from '../house/grpcurl.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { goldenLines, goldenPath } from '../support/golden.js';
import { temporaryFolder } from '../support/temporary.js';
import { getJson } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CommandAnswer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A request of a phase: over HTTP, by grpcurl, or by the command line. */
export type Asked =
  | { readonly phase: string; readonly face: 'comet' | 'rest'; readonly req: string; readonly res: HttpAnswer }
  | {
      readonly phase: string;
      readonly face: 'eth';
      readonly req: { readonly method: string };
      readonly res: HttpAnswer;
    }
  | ({ readonly phase: string; readonly face: 'grpcurl'; readonly req: string; readonly data?: object } & CommandAnswer)
  | ({ readonly phase: string; readonly face: 'cli'; readonly args: readonly string[] } & CommandAnswer);

export interface RecordedTx {
  readonly kind: 'tx';
  readonly raw: string;
  readonly broadcast: unknown;
  readonly included: { readonly hash: string; readonly height: string };
}

/** A proposal after its end, in the block `at`; the next line has the results of that block. */
export interface EndedProposal {
  readonly kind: 'proposal';
  readonly at: number;
  readonly proposal: { readonly id: string };
}

export interface ResultsOfEnd {
  readonly kind: 'block_results where proposal ended';
  readonly height: string;
  readonly res: unknown;
}

export type Line = Asked | RecordedTx | EndedProposal | ResultsOfEnd | { readonly kind: 'other' };

export const transcript = (): readonly Line[] => goldenLines<Line>('upgrade/transcript.jsonl');

/** The voting period of the recorded chain, seconds. */
const VOTING_SECONDS = 12;
const OPTIONS = ['--preset', 'evmd', '--evm-chain-id', '262144', '--bech32-prefix', 'cosmos', '--mining', 'manual'];

/** A home with the validator and the genesis of the recorded chain. */
export function recordedHome(genesisTime: string): string {
  const home = temporaryFolder();
  const config = join(home, 'config');
  mkdirSync(config, { recursive: true });
  for (const name of ['priv_validator_key.json', 'node_key.json'])
    copyFileSync(goldenPath(`chain-a/${name}`), join(config, name));
  const genesis = JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8'));
  const period = `${VOTING_SECONDS}s`;
  const { gov } = genesis.app_state;
  gov.params = { ...gov.params, voting_period: period, max_deposit_period: period };
  writeFileSync(join(config, 'genesis.json'), JSON.stringify({ ...genesis, genesis_time: genesisTime }));
  return home;
}

/** A node of ours with a home of the recorded chain. */
export class RecordedUpgradeNode {
  private constructor(readonly daemon: DaemonProcess) {}

  static async start(home: string, ...args: readonly string[]): Promise<RecordedUpgradeNode> {
    const options = ['--moniker', 'localtestnet', ...OPTIONS, ...args];
    return new RecordedUpgradeNode(await startDaemonProcess({ home, args: options }));
  }

  async comet(path: string): Promise<unknown> {
    const { result, error } = asObject(await getJson(this.daemon.endpoints.comet, path)) ?? {};
    return result ?? error;
  }

  async mine(): Promise<void> {
    await callEthereum(this.daemon.endpoints.eth_http ?? '', 'evm_mine');
  }

  /** Mines blocks until the application has reached a height. */
  async mineTo(height: number): Promise<void> {
    const { response } = asObject(await this.comet('/abci_info')) ?? {};
    const reached = Number(asObject(response)?.['last_block_height'] ?? 0);
    for (let made = reached; made < height; made += 1) await this.mine();
  }

  /** Answer to a recorded request, in its form. First mines up to the height in the recorded answer. */
  async ask(asked: Asked): Promise<HttpAnswer | CommandAnswer> {
    const { comet, rest = '', eth_http: eth = '', grpc = '' } = this.daemon.endpoints;
    const height = heightOf(asked);
    if (height !== undefined && asked.phase !== 'halted') await this.mineTo(height);
    switch (asked.face) {
      case 'comet':
        return httpAnswer(await fetch(`${comet}${asked.req}`));
      case 'rest':
        return httpAnswer(await fetch(`${rest}${asked.req}`));
      case 'eth':
        return httpAnswer(
          await fetch(eth, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...asked.req }),
          }),
        );
      case 'grpcurl': {
        const data = JSON.stringify(asked.data ?? {});
        const stdout = await grpcurl(['-plaintext', '-d', data, grpc, asked.req]);
        return { exit: 0, stdout, stderr: '' };
      }
      case 'cli': {
        const env = { CHRONICLED_BECH32_PREFIX: 'cosmos' };
        const ran = await runCli([...asked.args, '--node', comet.replace('http', 'tcp')], { env });
        return { exit: ran.code, stdout: ran.stdout, stderr: ran.stderr };
      }
    }
  }

  /** Sends a recorded transaction into its recorded block. Returns the broadcast answer and the result. */
  async send({ raw, included }: RecordedTx): Promise<{ readonly broadcast: unknown; readonly included: unknown }> {
    await this.mineTo(Number(included.height) - 1);
    const tx = Buffer.from(raw, 'base64').toString('hex');
    const broadcast = await this.comet(`/broadcast_tx_sync?tx=0x${tx}`);
    await this.mine();
    return { broadcast, included: await this.comet(`/tx?hash=0x${included.hash}`) };
  }

  /** Ends a proposal in the block of the recording. */
  async end({ at, proposal }: EndedProposal): Promise<unknown> {
    await this.mineTo(at - 1);
    await callEthereum(this.daemon.endpoints.eth_http ?? '', 'evm_increaseTime', [VOTING_SECONDS]);
    await this.mineTo(at);
    return asObject(await getJson(this.daemon.endpoints.rest ?? '', `/cosmos/gov/v1/proposals/${proposal.id}`))?.[
      'proposal'
    ];
  }

  async stop(): Promise<void> {
    const exit = await this.daemon.kill('SIGTERM');
    if (exit.code !== 0) throw new Error(`the node ended with ${exit.code}: ${this.daemon.stderr()}`);
  }
}

async function httpAnswer(response: Response): Promise<HttpAnswer> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** Last height in an answer; undefined if it has none. */
function heightOf(asked: Asked): number | undefined {
  const { text, headers } =
    asked.face === 'grpcurl' || asked.face === 'cli'
      ? { text: asked.stdout, headers: undefined }
      : { text: asked.res.body, headers: asked.res.headers };
  const told =
    headers?.['grpc-metadata-x-cosmos-block-height'] ??
    /"(?:latest|last)_block_height":"(\d+)"/.exec(text)?.[1] ??
    (asked.face === 'eth' && asked.req.method === 'eth_blockNumber' ? /(0x[0-9a-f]+)/.exec(text)?.[1] : undefined);
  return told === undefined ? undefined : Number(told);
}

/** Hashes that do not depend on block times, and the validator's key. */
const FIXED = new Set([
  'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
  '950ECE8B7B84A6E4A63468D026C4CB0516570D9891EF0D1F142B1993819B9513',
  '7D0B88F8835DB6E92EC4E959CCD9324052C68794BC42567CFA45FB176ED6679A',
  'lQ7Oi3uEpuSmNGjQJsTLBRZXDZiR7w0fFCsZk4GblRM=',
  'DsS4h53SOQ7NIx2VGT8lvnHOoVOFqIPc+VE+uBPYBXw=',
]);
const ZERO_TIME = '0001-01-01T00:00:00Z';

/** Text without times, and without hashes and signatures that depend on times. */
export function withoutTimes(text: string): string {
  const unless = (fixed: (found: string) => boolean, word: string) => (found: string) => (fixed(found) ? found : word);
  return text
    .replace(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
      unless((time) => time === ZERO_TIME, 'TIME'),
    )
    .replace(
      /(?<![0-9A-F])[0-9A-F]{64}(?![0-9A-F])/g,
      unless((hash) => FIXED.has(hash), 'HASH'),
    )
    .replace(/0x[0-9a-f]{64}/g, '0xHASH')
    .replace(/(?<=")[A-Za-z0-9+/]{86}==/g, 'SIGNATURE')
    .replace(
      /(?<=")[A-Za-z0-9+/]{43}=/g,
      unless((hash) => FIXED.has(hash), 'HASH'),
    )
    .replace(/(?<="timestamp":")0x[0-9a-f]+/g, 'TIME');
}
