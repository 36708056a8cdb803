import { onTestFinished } from 'vitest';
import { type DescMessage, create, type MessageInitShape } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import type { ChainComparison } from '../../src/cli/context.js';
import { createCli } from '../../src/cli/cli.js';
import { loadPreset } from '../../src/runtime/load-preset.js';
import type { CommandArguments } from '../../src/config/command-arguments.js';
import type { DaemonOptions } from '../../src/config/daemon-options.js';
import type { KeyFiles } from '../../src/core/keys/keyring.js';
import { createHostKeyCrypto } from '../../src/runtime/host/key-crypto.js';
import { servePosts } from '../support/serve-posts.js';
import { PURE_KEY_CRYPTO } from '../support/pure-key-crypto.js';
import { BaseAccountSchema } from '../../src/core/proto/cosmos/auth/v1beta1/auth_pb.js';
import {
  Bech32PrefixResponseSchema,
  QueryAccountResponseSchema,
} from '../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { QueryConfigResponseSchema } from '../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { SimulateResponseSchema } from '../../src/core/proto/cosmos/tx/v1beta1/service_pb.js';
import { createDaemonConfig } from '../../src/config/index.js';
import { encode } from '../support/encode.js';

export type Answer = { readonly result: unknown } | { readonly error: unknown };
export type Methods = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Answer>>;

/**
 * A consensus RPC that answers from a table and records its requests; the address is for `--node`. `storeQuery` answers
 * queries with proofs.
 */
export async function fakeNode(
  methods: Methods,
  services: Readonly<Record<string, Uint8Array | string>> = {},
  storeQuery?: (params: Readonly<Record<string, unknown>>) => Answer,
) {
  const asked: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[] = [];
  const abciQuery = (params: Readonly<Record<string, unknown>>): Answer => {
    if (storeQuery !== undefined && params['prove'] === true) return storeQuery(params);
    const value = services[String(params['path'])];
    if (value === undefined || typeof value === 'string')
      return { result: { response: { code: 6, log: value ?? 'unknown query path', codespace: 'sdk', value: null } } };
    return { result: { response: { code: 0, log: '', value: Buffer.from(value).toString('base64'), height: '5' } } };
  };
  const { server, port } = await servePosts((body) => {
    const { method, params, id }: { method: string; params: Record<string, unknown>; id: number } = JSON.parse(body);
    asked.push({ method, params });
    const answer =
      method === 'abci_query'
        ? abciQuery(params)
        : (methods[method]?.(params) ?? { error: { code: -32601, message: 'Method not found' } });
    return JSON.stringify({ jsonrpc: '2.0', id, ...answer });
  });
  onTestFinished(() => void server.close());
  return { address: `tcp://127.0.0.1:${port}`, asked };
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: ReadonlyMap<string, string>;
  readonly keys?: Map<string, string>;
  readonly daemonExit?: number;
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Result of `debug compare-chain`. */
  readonly comparison?: ChainComparison;
  /** Lines of standard input. */
  readonly input?: readonly string[];
  /** Files that commands read and write. */
  readonly texts?: Map<string, string>;
}

const KEY_CRYPTO = createHostKeyCrypto(PURE_KEY_CRYPTO);

/** Runs one command line in this process. */
export async function runCli(argv: readonly string[], options: RunOptions = {}) {
  let stdout = '';
  let stderr = '';
  const ran: { readonly command: string; readonly options: DaemonOptions; readonly args: CommandArguments }[] = [];
  const keys = options.keys ?? new Map<string, string>();
  const env = options.env ?? {};
  const lines: Iterator<string, undefined> = (options.input ?? []).values();
  const code = await createCli({
    runDaemon: (command, resolved, args) => {
      ran.push({ command, options: resolved, args });
      return Promise.resolve(options.daemonExit ?? 0);
    },
    config: createDaemonConfig({
      env,
      userHome: '/home/someone',
      readFile: (path) => options.files?.get(path),
      isDirectory: (path) => options.files?.has(`${path}/`) === true,
    }),
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    env,
    keyring: (directory) => memoryFiles(directory, keys),
    keyCrypto: KEY_CRYPTO,
    randomness: { bytes: (length) => new Uint8Array(length).fill(7) },
    version: '0.1.0',
    contracts: () => Promise.resolve([]),
    compareChain: () => Promise.resolve(options.comparison ?? { equal: 0, recorded: 0, difference: undefined }),
    loadPreset,
    files: {
      read: (path) => options.texts?.get(path),
      list: (folder) =>
        [...(options.texts?.keys() ?? [])]
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1))
          .toSorted(),
      readInput: () => Promise.resolve((options.input ?? []).join('\n')),
      write: (path, text) => void options.texts?.set(path, text),
    },
    pause: () => Promise.resolve(),
    readLine: (question) => {
      stderr += question;
      return Promise.resolve(lines.next().value);
    },
    openPage: () => Promise.resolve(false),
    ...(options.confirm !== undefined && { confirm: options.confirm }),
  }).run(argv);
  return { code, stdout, stderr, ran };
}

function memoryFiles(directory: string, files: Map<string, string>): KeyFiles {
  return {
    read: (file) => files.get(`${directory}/${file}`),
    write: (file, text) => void files.set(`${directory}/${file}`, text),
    remove: (file) => void files.delete(`${directory}/${file}`),
    list: () =>
      [...files.keys()]
        .filter((path) => path.startsWith(`${directory}/`))
        .map((path) => path.slice(directory.length + 1)),
  };
}

export function encoded<Schema extends DescMessage>(schema: Schema, value: MessageInitShape<Schema>): Uint8Array {
  return encode(schema, value);
}

/**
 * Services that a transaction needs: the prefix `chron`, account 4 with sequence 2, a simulation of 100,001 gas, the
 * EIP-155 id of dev chains.
 */
export function txServices({ accountNumber = 4n } = {}): Readonly<Record<string, Uint8Array>> {
  const account = anyPack(BaseAccountSchema, create(BaseAccountSchema, { accountNumber, sequence: 2n }));
  return {
    '/cosmos.auth.v1beta1.Query/Bech32Prefix': encoded(Bech32PrefixResponseSchema, { bech32Prefix: 'chron' }),
    '/cosmos.auth.v1beta1.Query/Account': encoded(QueryAccountResponseSchema, {
      account: { ...account, typeUrl: '/cosmos.auth.v1beta1.BaseAccount' },
    }),
    '/cosmos.evm.vm.v1.Query/Config': encoded(QueryConfigResponseSchema, { config: { chainId: 271828n } }),
    '/cosmos.tx.v1beta1.Service/Simulate': encoded(SimulateResponseSchema, { gasInfo: { gasUsed: 100_001n } }),
  };
}

export const statusMethod: Methods = {
  status: () => ({
    result: { node_info: { network: 'chronicle_271828-1' }, sync_info: { latest_block_height: '41' } },
  }),
};
