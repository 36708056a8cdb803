import { fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { base64 } from '@scure/base';
import type { KeyAccount } from '../../core/keys/accounts.js';
import { signTx, type UnsignedTx, unsignedTxBytes } from '../../core/keys/sign-tx.js';
import { BaseAccountSchema } from '../../core/proto/cosmos/auth/v1beta1/auth_pb.js';
import { QueryAccountRequestSchema, QueryAccountResponseSchema } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { SimulateRequestSchema, SimulateResponseSchema } from '../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import { ask } from './app-query.js';
import { type CoinAmount, feeOf, parseCoins, parseGasPrice } from './coins.js';
import type { CommandContext } from './context.js';
import { CommandError, EXIT, RefusedByApplication } from './exit-codes.js';
import { render } from './output.js';
import { asObject, type JsonObject, textOf } from './rpc-client.js';
import { type TxResponse, txResponse } from './tx-response.js';
import { wholeNumber } from './whole-number.js';

/** Flags that every `tx` command has, as typed. */
export interface TxFlags {
  readonly gas: string;
  readonly gasAdjustment: string;
  readonly gasPrices: string;
  readonly fees?: string;
  readonly note: string;
  readonly broadcastMode: string;
  readonly chainId?: string;
  readonly sequence?: string;
  readonly accountNumber?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const ADJUSTMENT_UNIT = 1_000_000n;

/** Builds, signs and broadcasts a transaction of one signer, and prints the answer; fails with exit code 9 when it is rejected. */
export async function sendTx(context: CommandContext, signer: KeyAccount, messages: readonly Any[], flags: TxFlags): Promise<void> {
  const { rpc, ports } = context;
  const chainId = flags.chainId ?? textOf(asObject((await rpc.call('status'))['node_info']), 'network');
  const account = await accountOf(context, signer, flags);
  const draft: UnsignedTx = { messages, memo: flags.note, fee: { amount: [], gasLimit: 0n }, chainId, ...account };
  const gasLimit = flags.gas === 'auto' || flags.dryRun === true ? await simulated(context, signer, draft, flags) : wholeNumber(flags.gas, '--gas');
  if (flags.dryRun === true) return ports.stderr(`gas estimate: ${gasLimit}\n`);
  const tx = { ...draft, fee: { amount: feeCoins(flags, gasLimit), gasLimit } };
  if (flags.yes !== true) await confirm(context, tx);
  await broadcast(context, signTx(tx, signer.privateKey), flags.broadcastMode);
}

async function accountOf({ rpc }: CommandContext, signer: KeyAccount, flags: TxFlags): Promise<Pick<UnsignedTx, 'accountNumber' | 'sequence'>> {
  if (flags.sequence !== undefined && flags.accountNumber !== undefined) {
    return { sequence: wholeNumber(flags.sequence, '--sequence'), accountNumber: wholeNumber(flags.accountNumber, '--account-number') };
  }
  const { account } = await ask(rpc, '/cosmos.auth.v1beta1.Query/Account', QueryAccountRequestSchema, { address: signer.bech32 }, QueryAccountResponseSchema);
  if (account === undefined || !account.typeUrl.endsWith('/cosmos.auth.v1beta1.BaseAccount')) throw new CommandError(EXIT.other, `account ${signer.bech32} is of a kind that cannot sign: ${account?.typeUrl ?? 'none'}`);
  const { accountNumber, sequence } = fromBinary(BaseAccountSchema, account.value);
  return { accountNumber, sequence: flags.sequence === undefined ? sequence : wholeNumber(flags.sequence, '--sequence') };
}

/** Gas used by a simulation times the adjustment, rounded up (SDK `CalculateGas`). */
async function simulated({ rpc }: CommandContext, signer: KeyAccount, draft: UnsignedTx, flags: TxFlags): Promise<bigint> {
  const adjustment = Number(flags.gasAdjustment);
  if (!(adjustment > 0 && adjustment < 1000)) throw new CommandError(EXIT.usage, `--gas-adjustment: ${JSON.stringify(flags.gasAdjustment)} is not a factor`);
  const { gasInfo } = await ask(rpc, '/cosmos.tx.v1beta1.Service/Simulate', SimulateRequestSchema, { txBytes: unsignedTxBytes(draft, signer.publicKey) }, SimulateResponseSchema).catch(asRejected);
  const factor = BigInt(Math.round(adjustment * Number(ADJUSTMENT_UNIT)));
  return ((gasInfo?.gasUsed ?? 0n) * factor + ADJUSTMENT_UNIT - 1n) / ADJUSTMENT_UNIT;
}

/** A simulation that the application refused is a rejection of the transaction. */
function asRejected(error: unknown): never {
  if (error instanceof RefusedByApplication) throw new CommandError(EXIT.rejected, error.message);
  throw error;
}

function feeCoins(flags: TxFlags, gasLimit: bigint): readonly CoinAmount[] {
  if (flags.fees !== undefined) return parseCoins(flags.fees, '--fees');
  const fee = feeOf(parseGasPrice(flags.gasPrices), gasLimit);
  return fee.amount === 0n ? [] : [fee];
}

async function confirm({ ports }: CommandContext, tx: UnsignedTx): Promise<void> {
  if (ports.confirm === undefined) throw new CommandError(EXIT.usage, 'nobody to ask for confirmation here: add --yes');
  const fee = tx.fee.amount.map(({ amount, denom }) => `${amount}${denom}`).join(',');
  const what = tx.messages.map(({ typeUrl }) => typeUrl).join(', ');
  const agreed = await ports.confirm(`${what}\ngas ${tx.fee.gasLimit}, fee ${fee === '' ? 'none' : fee}\nconfirm transaction before signing and broadcasting [y/N]: `);
  if (!agreed) throw new CommandError(EXIT.other, 'canceled transaction');
}

async function broadcast({ rpc, ports, output }: CommandContext, tx: Uint8Array, mode: string): Promise<void> {
  const result = await rpc.call(mode === 'block' ? 'broadcast_tx_commit' : `broadcast_tx_${mode}`, { tx: base64.encode(tx) });
  const response = mode === 'block' ? committedResponse(result) : txResponse({ ...result, hash: result['hash'] }, '0');
  ports.stdout(render(response, output));
  if (response.code !== 0) throw new CommandError(EXIT.rejected, response.raw_log);
}

/** Of a transaction that did not pass admission the check tells; of another one the block. */
function committedResponse(result: JsonObject): TxResponse {
  const check = asObject(result['check_tx']);
  const outcome = Number(check['code'] ?? 0) === 0 ? asObject(result['tx_result']) : check;
  return txResponse({ ...outcome, hash: result['hash'] }, textOf(result, 'height'));
}
