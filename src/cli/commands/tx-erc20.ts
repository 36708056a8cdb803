/** `tx erc20 ...`: converts coins to ERC-20 tokens and back (cosmos/evm v0.6 `x/erc20/client/cli/tx.go`). */
import { checksumAddress } from '../../core/keys/address.js';
import {
  MsgConvertCoinSchema,
  MsgConvertERC20Schema,
  MsgRegisterERC20Schema,
} from '../../core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { decodeBech32 } from '../../core/sdk/codec/address.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { signed } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { accountAddress, rejectAddressTypo } from '../values/names.js';
import { sendOwn } from '../tx/send-as.js';
import { coinsOf } from '../tx/draft.js';
import { coinsOfNode } from '../values/units.js';

/** The 0x address of an account with checksum (EIP-55). */
function hexOf({ ports }: CommandContext, account: string): string {
  const bytes = decodeBech32(account)?.bytes;
  if (bytes?.length !== 20) throw new CommandError(EXIT.usage, `${account} has no 0x address`);
  return checksumAddress(ports.keyCrypto, bytes);
}

function contractOf({ ports }: CommandContext, text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new CommandError(EXIT.usage, `invalid contract ERC20 address ${text}`);
  rejectAddressTypo(ports.keyCrypto, text);
  return text;
}

const nameOr = async (context: CommandContext, name: string | undefined, other: string): Promise<string> =>
  name === undefined ? other : accountAddress(context, name);

/** `tx erc20 convert-coin COIN [RECEIVER]`: converts coins to tokens for RECEIVER, by default the sender. */
const convertCoin: CommandBody = async (context, [typed = '', name], flags) => {
  const [coin, ...more] = coinsOf(await coinsOfNode(context, typed, 'coin'));
  if (coin === undefined || more.length > 0) throw new CommandError(EXIT.usage, `coin: ${typed} is not one coin`);
  await sendOwn(context, flags, MsgConvertCoinSchema, async (sender) => ({
    coin,
    receiver: hexOf(context, await nameOr(context, name, sender)),
    sender,
  }));
};

const convertErc20: CommandBody = async (context, [contract = '', amount = '', name], flags) => {
  const contractAddress = contractOf(context, contract);
  if (!/^[0-9]{1,78}$/.test(amount)) throw new CommandError(EXIT.usage, `invalid amount ${amount}`);
  await sendOwn(context, flags, MsgConvertERC20Schema, async (sender) => ({
    contractAddress,
    amount: BigInt(amount).toString(),
    receiver: await nameOr(context, name, sender),
    sender: hexOf(context, sender),
  }));
};

const registerErc20: CommandBody = async (context, contracts, flags) => {
  const erc20addresses = contracts.map((contract) => contractOf(context, contract));
  await sendOwn(context, flags, MsgRegisterERC20Schema, (signer) => ({ signer, erc20addresses }));
};

export const commands: readonly CommandRow[] = [
  signed(
    'erc20 convert-coin <coin> [receiver]',
    'coins into tokens; for the sender unless a receiver is given',
    convertCoin,
  ),
  signed(
    'erc20 convert-erc20 <contract> <amount> [receiver]',
    'tokens into coins; for the sender unless a receiver is given',
    convertErc20,
  ),
  signed('erc20 register-erc20 <contracts...>', 'make a pair for each contract', registerErc20),
];
