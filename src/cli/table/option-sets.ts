import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import type { OptionRow, OptionSet } from './command-table.js';

const PORT_BASE: OptionRow = {
  flag: '--port-base <port>',
  doc: 'port base of a node on this machine, in place of its address',
};
const DEFAULT_NODE = 'tcp://127.0.0.1:26657';
const DEFAULT_ETH_NODE = 'http://127.0.0.1:8545';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Options that many commands share, under the names of the SDK's command line (cosmos-sdk v0.53
 * `client/flags/flags.go`).
 */
export function optionSet(set: OptionSet, env: Env, output: 'text' | 'json'): readonly OptionRow[] {
  switch (set) {
    case 'prefix':
      return [
        {
          flag: '--bech32-prefix <prefix>',
          doc: 'prefix of addresses',
          default: env['CHRONICLED_BECH32_PREFIX'] ?? DEV_BECH32_PREFIX,
        },
      ];
    case 'output':
      return [
        { flag: '-o, --output <format>', doc: 'output format', choices: ['text', 'json'], default: output },
        { flag: '--no-indent', doc: 'JSON on one line' },
      ];
    case 'node':
      return [
        { flag: '--node <address>', doc: 'consensus RPC of the node', default: env['CHRONICLED_NODE'] ?? DEFAULT_NODE },
        PORT_BASE,
      ];
    case 'height':
      return [{ flag: '--height <height>', doc: 'state after this block; the latest by default' }];
    case 'page':
      return [
        { flag: '--page-limit, --limit <count>', doc: 'entries at most (default: 100)' },
        { flag: '--page-offset, --offset <count>', doc: 'entries to skip' },
        { flag: '--page <number>', doc: 'page of --limit entries, from 1' },
        { flag: '--page-key <key>', doc: 'continue where a page ended (base64)' },
        { flag: '--page-count-total, --count-total', doc: 'count all entries' },
        { flag: '--page-reverse, --reverse', doc: 'last entries first' },
      ];
    case 'keyring':
      return [
        { flag: '--home <dir>', doc: 'directory that holds the keyring' },
        { flag: '--keyring-dir <dir>', doc: 'keyring directory, when it is not in the home' },
        {
          flag: '--keyring-backend <name>',
          doc: 'kind of keyring: unencrypted files, encrypted files, or nothing stored',
          choices: ['test', 'file', 'memory'],
          default: env['CHRONICLED_KEYRING_BACKEND'] ?? 'test',
        },
      ];
    case 'tx':
      return TX_OPTIONS;
    case 'eth':
      return [
        {
          flag: '--eth-node <url>',
          doc: 'Ethereum JSON-RPC of the node',
          default: env['CHRONICLED_ETH_NODE'] ?? DEFAULT_ETH_NODE,
        },
        PORT_BASE,
      ];
  }
}

const TX_OPTIONS: readonly OptionRow[] = [
  { flag: '--from <key>', doc: 'key that signs, by name or address' },
  { flag: '--gas <amount|auto>', doc: 'gas limit; auto simulates', default: 'auto' },
  { flag: '--gas-adjustment <factor>', doc: 'factor on simulated gas', default: '1.5' },
  {
    flag: '--gas-prices <price>',
    doc: "price of gas (default: two gwei in the chain's coin, or what the node admits)",
  },
  { flag: '--fees <coins>', doc: 'fee, in place of a gas price' },
  { flag: '--fee-payer <address>', doc: 'account that pays the fee and signs too' },
  { flag: '--fee-granter <address>', doc: 'account that grants the fee' },
  { flag: '--memo, --note <text>', doc: 'text that goes with the transaction', default: '' },
  { flag: '--timeout-height <height>', doc: 'last block that may hold the transaction' },
  { flag: '--timeout-duration <duration>', doc: "longest wait after the node's last block, for example 30s" },
  { flag: '--unordered', doc: 'let the transaction run in any order, within --timeout-duration' },
  {
    flag: '--sign-mode <mode>',
    doc: 'sign mode (default: direct; members of a --multisig always sign amino-json)',
    choices: ['direct', 'amino-json', 'textual'],
  },
  {
    flag: '-b, --broadcast-mode <mode>',
    doc: 'wait for admission (sync), nothing (async) or the block',
    choices: ['sync', 'async', 'block'],
    default: 'sync',
  },
  { flag: '--chain-id <id>', doc: "chain id to sign for; the node's by default" },
  { flag: '-s, --sequence <number>', doc: "sequence; the account's by default" },
  { flag: '-a, --account-number <number>', doc: "account number; the account's by default" },
  { flag: '--generate-only', doc: 'print the transaction unsigned, send nothing' },
  { flag: '--dry-run', doc: 'print the gas that a simulation needs, send nothing' },
  { flag: '--offline', doc: 'ask no node: sequence and account number must be given' },
  { flag: '-y, --yes', doc: 'do not ask' },
];
