import { decodeBech32, encodeAddress } from '../../core/sdk/codec/address.js';
import { utf8 } from '../../core/bytes/bytes.js';
import { hex, bytesOfDigits } from '../../core/bytes/hex.js';
import { checksumAddress } from '../../core/keys/address.js';
import { Query as BankQuery } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { Query } from '../../core/proto/cosmos/evm/vm/v1/query_pb.js';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { evmQuery } from '../table/query-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { HEX_ADDRESS, hexAddressOf, nodePrefix, rejectAddressTypo } from '../values/names.js';
import { print } from '../table/output.js';
import type { QueryInput } from '../table/unary.js';

const { method } = Query;
/** Selector of ERC-20 `balanceOf(address)`. */
const BALANCE_OF = '70a08231';
const CALL_GAS = 25_000_000n;

/** `query evm balance-erc20 ADDRESS CONTRACT`: the answer of the contract's `balanceOf`. */
const balanceErc20: CommandBody = async (context, args, flags) => {
  const [owner, contract] = [await hexAddressOf(context, args[0] ?? ''), await hexAddressOf(context, args[1] ?? '')];
  const call = { to: contract, input: `0x${BALANCE_OF}${owner.slice(2).toLowerCase().padStart(64, '0')}` };
  const request = toBinary(
    method.ethCall.input,
    create(method.ethCall.input, { args: utf8(JSON.stringify(call)), gasCap: CALL_GAS }),
  );
  const { ret, vmError } = fromBinary(
    method.ethCall.output,
    await context.rpc.abciQuery(`/${method.ethCall.parent.typeName}/EthCall`, request, flags.whole('height')),
  );
  if (vmError !== '' || ret.length < 32)
    throw new CommandError(EXIT.failed, vmError === '' ? `${contract} is no ERC-20 contract` : vmError);
  print(
    { ...context, indent: false },
    { balance: { amount: BigInt(`0x${hex(ret.subarray(0, 32))}`).toString(), erc20_address: contract } },
  );
};

/** `query evm 0x-to-bech32 ADDRESS`: converts an address to bech32 with the node's prefix. */
const hexToBech32: CommandBody = async (context, args) => {
  const typed = args[0] ?? '';
  rejectAddressTypo(context.ports.keyCrypto, typed);
  if (!HEX_ADDRESS.test(typed)) throw new CommandError(EXIT.usage, `${JSON.stringify(typed)} is not a 0x address`);
  context.ports.stdout(
    `${encodeAddress(await nodePrefix(context), bytesOfDigits(typed.slice(2)) ?? new Uint8Array(20))}\n`,
  );
};

/** `query evm bech32-to-0x ADDRESS`: converts an address to checksummed hex (EIP-55). */
const bech32ToHex: CommandBody = ({ ports }, args) => {
  const bytes = decodeBech32(args[0] ?? '')?.bytes;
  if (bytes?.length !== 20)
    throw new CommandError(EXIT.usage, `${JSON.stringify(args[0])} is not a bech32 address of 20 bytes`);
  ports.stdout(`${checksumAddress(ports.keyCrypto, bytes)}\n`);
};

/** Request fields of methods that take an account's 0x address. */
const ofAccount = async ({ hexAddress }: QueryInput) => ({ address: await hexAddress(0) });

export const commands: readonly CommandRow[] = [
  evmQuery('evm account <address>', 'balance, nonce and code hash', method.account, { request: ofAccount }),
  evmQuery('evm balance <address>', 'balance in the EVM denom', method.balance, { request: ofAccount }),
  evmQuery('evm balance-bank <address> <denom>', 'balance of the bank', BankQuery.method.balance),
  ask('evm balance-erc20 <address> <contract>', 'balance of an ERC-20 contract', balanceErc20),
  evmQuery('evm code <address>', 'code of a contract (base64)', method.code, { request: ofAccount }),
  evmQuery('evm config', 'chain configuration: forks and ids', method.config),
  evmQuery('evm params', 'parameters of the EVM', method.params),
  evmQuery('evm storage <address> <key>', 'a storage slot', method.storage, {
    request: async (input) => ({ ...(await ofAccount(input)), key: input.text(1) }),
  }),
  ask('evm 0x-to-bech32 <address>', 'the bech32 spelling of an address', hexToBech32),
  ask('evm bech32-to-0x <address>', 'the 0x spelling of an address', bech32ToHex),
];
