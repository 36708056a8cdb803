import type { CommandRow, CommandTable } from '../command-table.js';

const debug = () => import('../commands/debug.js');

const ROWS: readonly (Omit<CommandRow, 'sets'> & Partial<Pick<CommandRow, 'sets'>>)[] = [
  {
    path: 'debug addr',
    args: '<address>',
    doc: 'the other spelling of an address',
    options: [{ flag: '--prefix <prefix>', doc: 'the whole prefix to spell it with' }],
    load: async () => (await debug()).addr,
  },
  { path: 'debug pubkey', args: '<json>', doc: 'addresses of a key', load: async () => (await debug()).pubkey },
  {
    path: 'debug pubkey-raw',
    args: '<text>',
    doc: 'a key of hexadecimal, base64 or bech32',
    load: async () => (await debug()).pubkeyRaw,
    options: [
      {
        flag: '-t, --type <kind>',
        doc: 'kind of key; its length decides',
        choices: ['secp256k1', 'ed25519'],
        default: 'ed25519',
      },
    ],
  },
  {
    path: 'debug raw-bytes',
    args: '<bytes...>',
    doc: 'hexadecimal of bytes as Go prints them',
    load: async () => (await debug()).rawBytes,
  },
  { path: 'debug prefixes', doc: 'prefixes of addresses', load: async () => (await debug()).prefixes },
  {
    path: 'debug codec list-interfaces',
    doc: 'interfaces of the types',
    load: async () => (await debug()).codecInterfaces,
  },
  {
    path: 'debug codec list-implementations',
    args: '<interface>',
    doc: 'types of an interface',
    load: async () => (await debug()).codecImplementations,
  },
  {
    path: 'debug compare-chain',
    args: '<folder>',
    doc: 'execute a recorded chain from its genesis and compare app hashes',
    options: [
      { flag: '--preset <preset>', doc: 'application of the recorded chain', default: 'evmd' },
      { flag: '--evm-chain-id <id>', doc: 'EIP-155 id, where the chain id names none' },
    ],
    load: async () => (await import('../commands/debug-compare-chain.js')).compareChain,
  },
  {
    path: 'debug double-sign',
    args: '<key-file>',
    doc: 'sign two votes of one height with a priv_validator_key.json, and send them as evidence',
    options: [
      { flag: '--height <height>', doc: 'height of the votes; the latest by default' },
      { flag: '--end-chain', doc: 'also against the only validator: no block follows' },
    ],
    sets: ['node', 'output'],
    load: async () => (await import('../commands/debug-double-sign.js')).doubleSign,
  },
];

/** `debug`: commands that convert addresses, keys and bytes, compare chains, and make evidence for a node. */
export function debugTable(prefix: string): CommandTable {
  const prefixed = { flag: '--bech32-prefix <prefix>', doc: 'prefix of addresses', default: prefix } as const;
  return {
    groups: [
      { path: 'debug', doc: 'read addresses, keys and bytes, compare chains, make evidence' },
      { path: 'debug codec', doc: 'types of the application' },
    ],
    commands: ROWS.map((row) => ({ ...row, sets: row.sets ?? [], options: [...(row.options ?? []), prefixed] })),
  };
}
