import type { Contract } from '../../core/abi/contract.js';
import { Interfaces } from '../../core/abi/interfaces.js';
import { type CallFrame, callFrameOf, eachFrame } from '../../core/activity/call-frame.js';
import { callTree } from '../../core/activity/call-tree.js';
import { lineText } from '../../core/activity/line.js';
import type { Names } from '../../core/activity/names.js';
import { bytesOfDigits, fromHex, hex, hexData } from '../../core/bytes/hex.js';
import { DEV_BASE_DENOM, DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { DEV_PREINSTALLS } from '../../core/genesis/preinstalls.js';
import { TOKEN_CODE } from '../../core/modules/erc20/token-code.js';
import { chainContracts } from '../../core/precompiles/interfaces.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { askEthereum } from '../client/eth-client.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { devAccounts } from '../values/dev-accounts.js';
import { print } from '../table/output.js';
import { listOf } from '../tx/send-as.js';
import { base64 } from '@scure/base';
import { hashBytes } from './query-chain.js';

/** Calls an Ethereum JSON-RPC method. */
type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Error text for an unknown transaction (go-ethereum v1.17 `eth/tracers/api.go`). */
const NOT_FOUND = 'transaction not found';

/**
 * Traces a transaction by its Ethereum or consensus hash. Throws CommandError if there is none; the message says so
 * if it is a Cosmos transaction.
 */
async function tracedBy(ask: Ask, { rpc }: CommandContext, digits: string): Promise<unknown> {
  try {
    return await ask('debug_traceTransaction', [
      `0x${digits.toLowerCase()}`,
      { tracer: 'callTracer', tracerConfig: { withLog: true } },
    ]);
  } catch (error) {
    if (!(error instanceof CommandError) || error.message !== NOT_FOUND) throw error;
    const found = await rpc
      .call('tx', { hash: base64.encode(hashBytes(digits, 'transaction hash')), prove: false })
      .catch(() => undefined);
    throw new CommandError(
      EXIT.notFound,
      found === undefined
        ? `${NOT_FOUND}: ${digits}`
        : `${digits} is a Cosmos transaction, in which no contract was called: chronicled query tx ${digits} shows it`,
    );
  }
}

/**
 * `trace HASH`: prints the calls of a transaction as a tree, with names from compiled contracts; with `--output json`
 * the node's `callTracer` result. HASH may be the Ethereum or the consensus hash.
 */
const trace: CommandBody = async (context, [text = ''], flags) => {
  const digits = text.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new CommandError(
      EXIT.usage,
      `${JSON.stringify(text)} is not the hash of a transaction: 64 hexadecimal digits`,
    );
  if (flags.isTyped('node') && !flags.isTyped('eth-node'))
    throw new CommandError(EXIT.usage, 'trace asks the Ethereum JSON-RPC of the node: give --eth-node <url>, too');
  const folders = listOf(flags.text('abi'));
  const missing = folders.find((folder) => context.ports.files.list(folder) === undefined);
  if (missing !== undefined) throw new CommandError(EXIT.usage, `--abi: there is no folder ${missing}`);
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    askEthereum(flags.needed('eth-node'), method, params);
  const result = await tracedBy(ask, context, digits);
  if (context.output === 'json') return print(context, result);
  const frame = callFrameOf(result);
  if (frame === undefined) throw new CommandError(EXIT.unreachable, 'the node answered no trace');
  const names = await namesIn(context, frame, folders, ask);
  const coloured = context.ports.isColoured === true;
  for (const line of callTree(frame, names, DEV_BASE_DENOM)) context.ports.stdout(`${lineText(line, coloured)}\n`);
};

/**
 * Names of the addresses in a trace: well-known dev accounts, preinstalled contracts, and contracts recognised by
 * their code.
 */
async function namesIn(context: CommandContext, root: CallFrame, folders: readonly string[], ask: Ask): Promise<Names> {
  const { ports } = context;
  const interfaces = new Interfaces(PURE_CRYPTO);
  for (const contract of await ports.contracts(folders)) interfaces.add(contract);
  if (folders.length > 0 && interfaces.size === 0)
    ports.stderr(`--abi: no compiled contracts in ${folders.join(', ')}\n`);
  for (const contract of PREINSTALLED) interfaces.add(contract);
  const addresses = new Map<string, Uint8Array>();
  eachFrame(root, ({ to }) => {
    if (to !== undefined && addresses.size < FIXED_LIMITS.tracedAddresses) addresses.set(hex(to), to);
  });
  const contracts = new Map<string, Contract | undefined>(chainContracts(PURE_CRYPTO));
  // A contract whose creation was reverted has no code, but its frame has the creation code.
  eachFrame(root, ({ type, to, input }) => {
    if (type.startsWith('CREATE') && to !== undefined && addresses.has(hex(to)))
      contracts.set(hex(to), interfaces.created(input));
  });
  await Promise.all(
    [...addresses].map(async ([digits, address]) => {
      const code = await ask('eth_getCode', [hexData(address), 'latest']);
      const bytes = typeof code === 'string' ? bytesOfDigits(code.replace(/^0x/, '')) : undefined;
      if (bytes !== undefined && bytes.length > 0)
        contracts.set(digits, interfaces.deployed(bytes) ?? contracts.get(digits));
    }),
  );
  const unlocked = await ask('eth_accounts', []);
  const count = Array.isArray(unlocked) ? unlocked.length : 0;
  const accounts = devAccounts(context, DEV_BECH32_PREFIX).slice(0, count);
  return {
    crypto: PURE_CRYPTO,
    interfaces,
    accounts: new Map(accounts.map((account) => [account.hex.slice(2).toLowerCase(), account.name])),
    contractAt: (address) => contracts.get(hex(address)),
  };
}

/** Contracts that a genesis preinstalls; their functions are in the table of well-known ones. */
const PREINSTALLED: readonly Contract[] = [
  ...DEV_PREINSTALLS.map(({ name, code }) => ({ name: identifierOf(name), code })),
  { name: 'CoinToken', code: TOKEN_CODE },
].map(({ name, code }) => ({
  name,
  items: [],
  creation: undefined,
  deployed: { bytes: fromHex(code.slice(2)), links: [] },
}));

/** The name of a preinstalled contract as an identifier. */
function identifierOf(name: string): string {
  if (name.includes('CREATE2')) return 'Create2Factory';
  return name.startsWith('EIP-2935') ? 'BlockHashes' : name;
}

export const commands: readonly CommandRow[] = [
  command('trace <hash>', 'the calls of a transaction as a tree, by name', ['eth', 'node', 'output'], trace, {
    options: [
      {
        flag: '--abi <folders>',
        doc: 'folders of compiled contracts, separated by commas (default: ./artifacts and ./out)',
      },
    ],
  }),
];
