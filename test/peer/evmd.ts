/**
 * The Go node whose rules the preset `evmd` has (`evmd` of cosmos/evm v0.6.0), without its engine: this process drives
 * it over ABCI. The binary's path is in EVMD; `docs/TESTING.md` says how it is built.
 */
import { execFileSync, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '../../src/core/errors.js';
import { temporaryFolder } from '../support/temporary.js';
import { AbciClient, type RequestValue, type ResponseValue } from '../adapters/abci/abci-client.js';

/** Path of the binary; undefined if tests with it are skipped. */
export const EVMD = process.env['EVMD'];
if (EVMD === undefined) process.stderr.write('no EVMD: comparisons with the Go node itself are skipped\n');

type Method = Exclude<ResponseValue['case'], undefined | 'exception'>;

export interface Evmd {
  /** Sends one request as an engine does; throws if the node answers with an exception. */
  call<Request extends RequestValue & { readonly case: Method }>(
    request: Request,
  ): Promise<Extract<ResponseValue, { case: Request['case'] }>['value']>;
  /** Output of the node's log. */
  log(): string;
  stop(): Promise<void>;
}

/** `genesis` is the document in the SDK's form. The caller stops the node. */
export async function startEvmd(binary: string, genesis: Uint8Array, evmChainId: bigint): Promise<Evmd> {
  const home = temporaryFolder();
  const { chain_id: chainId } = JSON.parse(Buffer.from(genesis).toString('utf8')) as { chain_id: string };
  execFileSync(binary, ['init', 'peer', '--home', home, '--chain-id', chainId], { stdio: 'ignore' });
  writeFileSync(join(home, 'config', 'genesis.json'), genesis);
  const socket = join(home, 'app.sock');
  const logFile = join(home, 'evmd.log');
  const out = openSync(logFile, 'a');
  const args = [
    'start',
    '--home',
    home,
    '--with-cometbft=false',
    '--transport',
    'socket',
    '--address',
    `unix://${socket}`,
  ];
  const off = ['--grpc.enable=false', '--json-rpc.enable=false', '--api.enable=false', '--pruning', 'nothing'];
  const child = spawn(
    binary,
    [...args, ...off, '--chain-id', chainId, '--evm.evm-chain-id', String(evmChainId), '--log_level', 'error'],
    { stdio: ['ignore', out, out] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const log = (): string => readFileSync(logFile, 'utf8');
  const client = await connected(socket, () => child.exitCode !== null, log);
  return {
    async call(request) {
      const answer = await client.call(request).catch((error: unknown) => {
        throw new Error(`evmd: ${/panic: .*|"err":[^,]*/.exec(log())?.[0] ?? log().slice(0, 2000)}`, { cause: error });
      });
      if (answer.case === 'exception') throw new Error(`evmd: ${answer.value.error}`);
      invariant(answer.case === request.case, `evmd answers ${request.case}`);
      return answer.value as never;
    },
    log,
    async stop() {
      client.end();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function connected(path: string, hasExited: () => boolean, log: () => string): Promise<AbciClient> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (hasExited()) throw new Error(`evmd ended: ${log().slice(-2000)}`);
    try {
      return await AbciClient.connect({ kind: 'unix', path });
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`evmd does not listen: ${log().slice(-2000)}`);
}
