/** evmd as operators run it, with its engine inside and its REST gateway open. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterwards, temporaryFolder } from '../../support/temporary.js';
import { freePort } from '../../network/comet-process.js';

export interface GoNode {
  /** RPC of its engine. */
  readonly rpc: string;
  readonly rest: string;
  readonly grpc: string;
  /** The end of its log. */
  log(): string;
}

export interface GoNodeOptions {
  readonly genesis: Uint8Array;
  readonly evmChainId: bigint;
  /** `id@host:port` of a peer. */
  readonly peer: string;
}

/** Starts a node without a validator's key that follows the chain of its peer; it ends after the test. */
export async function startGoNode(binary: string, { genesis, evmChainId, peer }: GoNodeOptions): Promise<GoNode> {
  const home = temporaryFolder();
  const { chain_id: chainId } = JSON.parse(Buffer.from(genesis).toString('utf8')) as { readonly chain_id: string };
  execFileSync(binary, ['init', 'peer', '--home', home, '--chain-id', chainId], { stdio: 'ignore' });
  writeFileSync(join(home, 'config', 'genesis.json'), genesis);
  configure(join(home, 'config', 'config.toml'), [
    [/^persistent_peers = .*/m, `persistent_peers = "${peer}"`],
    [/^addr_book_strict = .*/m, 'addr_book_strict = false'],
    [/^allow_duplicate_ip = .*/m, 'allow_duplicate_ip = true'],
  ]);
  return startHome(binary, home, { chainId, evmChainId });
}

/** The coin of the chain that `startGoValidator` makes. */
export const GO_DENOM = 'atest';
const OPTIONS = ['--keyring-backend', 'test'];

/** A chain whose validator signs transactions. */
export interface GoValidator extends GoNode {
  /** Signs a transaction of these words by the key `one`, and waits until a block has it. */
  send(from: string, ...words: readonly string[]): Promise<void>;
}

export interface GoValidatorOptions {
  /** Changes the genesis. */
  readonly change?: (genesis: GoGenesis) => void;
  /** Pause between blocks. */
  readonly commitMs?: number;
}

/** The parts of a genesis that are changed. */
interface GoGenesis {
  readonly app_state: {
    readonly bank: { denom_metadata: unknown };
    readonly gov: { readonly params: Record<string, unknown> };
  };
}

/** Makes a chain of one validator with its engine, whose key `one` is that of the words, and rich. */
export async function startGoValidator(
  binary: string,
  chainId: string,
  mnemonic: string,
  { change = () => undefined, commitMs = 1_000 }: GoValidatorOptions = {},
): Promise<GoValidator> {
  const home = temporaryFolder();
  const run = (args: readonly string[], input = ''): unknown =>
    execFileSync(binary, [...args, '--home', home], { input, stdio: ['pipe', 'ignore', 'pipe'] });
  run(['init', 'validator', '--chain-id', chainId]);
  run(['keys', 'add', 'one', '--recover', '--algo', 'eth_secp256k1', ...OPTIONS], `${mnemonic}\n`);
  const file = join(home, 'config', 'genesis.json');
  const text = readFileSync(file, 'utf8').replaceAll(/"(\w*denom)": ?"(stake|aatom|uatom)"/g, `"$1":"${GO_DENOM}"`);
  const genesis: GoGenesis = JSON.parse(text);
  change(genesis);
  genesis.app_state.bank.denom_metadata = [
    {
      base: GO_DENOM,
      denom_units: [
        { denom: GO_DENOM, exponent: 0 },
        { denom: 'test', exponent: 18 },
      ],
      display: 'test',
      name: 'Test',
      symbol: 'TEST',
    },
  ];
  writeFileSync(file, JSON.stringify(genesis));
  run(['genesis', 'add-genesis-account', 'one', `1000000000000000000000000${GO_DENOM}`, ...OPTIONS]);
  const stake = `1000000000000000000000${GO_DENOM}`;
  run(['genesis', 'gentx', 'one', stake, '--gas-prices', `1000000000${GO_DENOM}`, '--chain-id', chainId, ...OPTIONS]);
  run(['genesis', 'collect-gentxs']);
  configure(join(home, 'config', 'config.toml'), [[/^timeout_commit = .*/m, `timeout_commit = "${commitMs}ms"`]]);
  const node = await startHome(binary, home, { chainId, evmChainId: 262_144n });
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const answer = await fetch(`${node.rpc}/status`).then(
      (response) => response.text(),
      () => '',
    );
    if (/"latest_block_height":"[1-9]/.test(answer)) return { ...node, send: senderOf(binary, home, chainId, node) };
    await sleep(500);
  }
  throw new Error(`evmd makes no blocks: ${node.log()}`);
}

function senderOf(binary: string, home: string, chainId: string, { rpc, rest }: GoNode): GoValidator['send'] {
  const flags = ['--home', home, '--chain-id', chainId, '--node', rpc.replace('http', 'tcp'), ...OPTIONS];
  const fees = ['--gas', '1000000', '--gas-prices', `2000000000${GO_DENOM}`, '-y', '-o', 'json'];
  return async (from, ...words) => {
    const told = execFileSync(binary, ['tx', ...words, '--from', from, ...flags, ...fees], { encoding: 'utf8' });
    const { txhash, code, raw_log: log }: { txhash: string; code: number; raw_log: string } = JSON.parse(told);
    if (code !== 0) throw new Error(log);
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const answer = await (await fetch(`${rest}/cosmos/tx/v1beta1/txs/${txhash}`)).text();
      const { tx_response: found }: { tx_response?: { code: number; raw_log: string } } = JSON.parse(answer);
      if (found?.code === 0) return;
      if (found !== undefined) throw new Error(found.raw_log);
      await sleep(500);
    }
    throw new Error(`${txhash} is in no block`);
  };
}

async function startHome(
  binary: string,
  home: string,
  { chainId, evmChainId }: { readonly chainId: string; readonly evmChainId: bigint },
): Promise<GoNode> {
  const [rpc, p2p, rest, grpc, profile] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  configure(join(home, 'config', 'config.toml'), [
    [/^laddr = "tcp:\/\/127.0.0.1:\d+"/m, `laddr = "tcp://127.0.0.1:${rpc}"`],
    [/^laddr = "tcp:\/\/0.0.0.0:\d+"/m, `laddr = "tcp://127.0.0.1:${p2p}"`],
    [/^pprof_laddr = .*/m, `pprof_laddr = "127.0.0.1:${profile}"`],
  ]);
  configure(join(home, 'config', 'app.toml'), [[/^address = "tcp:.*1317"/m, `address = "tcp://127.0.0.1:${rest}"`]]);
  const logFile = join(home, 'evmd.log');
  const out = openSync(logFile, 'a');
  const child = spawn(
    binary,
    [
      ...['start', '--home', home, '--chain-id', chainId, '--evm.evm-chain-id', String(evmChainId)],
      ...['--pruning', 'nothing', '--api.enable', '--grpc.address', `127.0.0.1:${grpc}`],
      ...['--json-rpc.enable=false', '--log_level', 'error', '--minimum-gas-prices', `0${GO_DENOM}`],
    ],
    { stdio: ['ignore', out, out] },
  );
  const exited = once(child, 'exit');
  afterwards(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    rpc: `http://127.0.0.1:${rpc}`,
    rest: `http://127.0.0.1:${rest}`,
    grpc: `http://127.0.0.1:${grpc}`,
    log: () => readFileSync(logFile, 'utf8').slice(-2_000),
  };
}

/** Replaces lines of a configuration; throws where one is not there. */
function configure(file: string, changes: readonly (readonly [RegExp, string])[]): void {
  let text = readFileSync(file, 'utf8');
  for (const [line, replacement] of changes) {
    if (!line.test(text)) throw new Error(`${file} has no line ${line}`);
    text = text.replace(line, replacement);
  }
  writeFileSync(file, text);
}
