import type { Contract } from '../../../core/abi/contract.js';
import { Interfaces } from '../../../core/abi/interfaces.js';
import { type CallFrame, callFrameOf, eachFrame } from '../../../core/activity/call-frame.js';
import { callTree } from '../../../core/activity/call-tree.js';
import { lineText } from '../../../core/activity/line.js';
import type { Names } from '../../../core/activity/names.js';
import { bytesOfDigits, hex, hexData } from '../../../core/bytes/hex.js';
import { DEV_BASE_DENOM, DEV_BECH32_PREFIX } from '../../../core/genesis/dev-chain.js';
import { deriveDevAccounts } from '../../../core/keys/accounts.js';
import { DEV_MNEMONIC } from '../../../core/keys/dev-mnemonic.js';
import { FIXED_LIMITS } from '../../../core/limits.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';
import type { CommandBody } from '../command-table.js';
import type { CommandContext } from '../context.js';
import { askEthereum } from '../eth-client.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { print } from '../output.js';

/**
 * `trace HASH`: the calls of a transaction as a tree, with names from compiled contracts; with `--output json` the
 * node's `callTracer` result.
 */
export const trace: CommandBody = async (context, [text = ''], flags) => {
  const digits = text.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new CommandError(
      EXIT.usage,
      `${JSON.stringify(text)} is not the hash of a transaction: 64 hexadecimal digits`,
    );
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    askEthereum(flags.needed('eth-node'), method, params);
  const options = { tracer: 'callTracer', tracerConfig: { withLog: true } };
  const result = await ask('debug_traceTransaction', [`0x${digits.toLowerCase()}`, options]);
  if (context.output === 'json') return print(context, result);
  const frame = callFrameOf(result);
  if (frame === undefined) throw new CommandError(EXIT.unreachable, 'the node answered no trace');
  const names = await namesIn(
    context,
    frame,
    (flags.text('abi') ?? '').split(',').filter((folder) => folder !== ''),
    ask,
  );
  const coloured = context.ports.isColoured === true;
  for (const line of callTree(frame, names, DEV_BASE_DENOM)) context.ports.stdout(`${lineText(line, coloured)}\n`);
};

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Names of the addresses of a trace: the well-known accounts of a dev node, and contracts by their code. */
async function namesIn(
  { ports }: CommandContext,
  root: CallFrame,
  folders: readonly string[],
  ask: Ask,
): Promise<Names> {
  const interfaces = new Interfaces(PURE_CRYPTO);
  for (const contract of await ports.contracts(folders)) interfaces.add(contract);
  const addresses = new Map<string, Uint8Array>();
  eachFrame(root, ({ to }) => {
    if (to !== undefined && addresses.size < FIXED_LIMITS.tracedAddresses) addresses.set(hex(to), to);
  });
  const contracts = new Map<string, Contract | undefined>();
  await Promise.all(
    [...addresses].map(async ([digits, address]) => {
      const code = await ask('eth_getCode', [hexData(address), 'latest']);
      const bytes = typeof code === 'string' ? bytesOfDigits(code.replace(/^0x/, '')) : undefined;
      if (bytes !== undefined && bytes.length > 0) contracts.set(digits, interfaces.deployed(bytes));
    }),
  );
  const unlocked = await ask('eth_accounts', []);
  const devAccounts =
    Array.isArray(unlocked) && unlocked.length > 0
      ? deriveDevAccounts(ports.keyCrypto, {
          mnemonic: DEV_MNEMONIC,
          count: Math.min(unlocked.length, DEV_ACCOUNTS),
          bech32Prefix: DEV_BECH32_PREFIX,
        })
      : [];
  return {
    crypto: PURE_CRYPTO,
    interfaces,
    accounts: new Map(devAccounts.map((account) => [account.hex.slice(2).toLowerCase(), account.name])),
    contractAt: (address) => contracts.get(hex(address)),
  };
}

const DEV_ACCOUNTS = 10;
