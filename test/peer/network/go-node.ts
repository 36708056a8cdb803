/** evmd as operators run it, with its engine inside and its REST gateway open. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterwards, temporaryFolder } from '../../support/temporary.js';
import { freePort } from '../../network/comet-process.js';

export interface GoNode {
  /** RPC of its engine. */
  readonly rpc: string;
  readonly rest: string;
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
    [/^persistent_peers = .*/m, `persistent_peers = "${peer}"`],
    [/^addr_book_strict = .*/m, 'addr_book_strict = false'],
    [/^allow_duplicate_ip = .*/m, 'allow_duplicate_ip = true'],
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
      ...['--json-rpc.enable=false', '--log_level', 'error', '--minimum-gas-prices', '0atest'],
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
