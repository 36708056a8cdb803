/** gRPC queries of `cosmos.evm.vm.v1` (cosmos/evm v0.6 `x/vm/keeper/grpc_query.go`). */
import { create } from '@bufbuild/protobuf';
import { encodeAddress } from '../../sdk/codec/address.js';
import { utf8 } from '../../bytes/bytes.js';
import { hex, bytesOfDigits } from '../../bytes/hex.js';
import type { EvmLog } from '../../evm/outcome.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE } from '../../sdk/coins/dec.js';
import { query } from '../../sdk/module/module.js';
import { grpcError } from '../../sdk/module/sdk-error.js';
import { ChainConfigSchema, type Log, LogSchema } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import * as pb from '../../proto/cosmos/evm/vm/v1/query_pb.js';
import { getAccount } from '../auth/accounts.js';
import { getBaseFee, getParams as getFeeMarketParams } from '../feemarket/params.js';
import { callEvm, traceCall } from './call.js';
import { estimateGas } from './estimate-gas.js';
import { CallArgumentError, readCall, readOverrides } from './call-args.js';
import { spendableBalance } from './coins.js';
import { getCode, getCodeHash, getParams, getStorage } from './store.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { traceMessages } from './trace-messages.js';
import { traceOptions } from './trace-options.js';
import { validatorAccount } from './validator-account.js';
import { NS_PER_SECOND } from '../../primitives.js';

const ZERO_HASH = `0x${'0'.repeat(64)}`;
const LEAST_GAS_CAP = 21_000n;

function requireAddress(text: string): Uint8Array {
  const address = addressOf(text);
  if (address === undefined)
    throw grpcError('InvalidArgument', `address '${text}' is not a valid ethereum hex address: invalid address`);
  return address;
}

function requireNonZero(text: string): Uint8Array {
  const address = addressOf(text);
  if (address === undefined || address.every((byte) => byte === 0))
    throw grpcError('InvalidArgument', 'invalid zero address');
  return address;
}

function addressOf(text: string): Uint8Array | undefined {
  const bytes = bytesOfDigits(text.replace(/^0[xX]/, ''));
  return bytes?.length === 20 ? bytes : undefined;
}

/** Parses a storage key of up to 32 bytes; left-pads it with zeros. */
function slotOf(key: string): Uint8Array {
  const digits = key
    .replace(/^0[xX]/, '')
    .slice(-64)
    .padStart(64, '0');
  return bytesOfDigits(digits) ?? new Uint8Array(32);
}

function arguments_<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof CallArgumentError) throw grpcError('InvalidArgument', error.message);
    throw error;
  }
}

const account = query(pb.Query, 'account', (context, request) => {
  const address = requireAddress(request.address);
  return {
    balance: balanceOf(context, address),
    codeHash: `0x${hex(getCodeHash(context, address))}`,
    nonce: getAccount(context, address)?.base.sequence ?? 0n,
  };
});

const cosmosAccount = query(pb.Query, 'cosmosAccount', (context, request) => {
  const address = requireAddress(request.address);
  const base = getAccount(context, address)?.base;
  return {
    cosmosAddress: encodeAddress(context.chain.bech32Prefix, address),
    sequence: base?.sequence ?? 0n,
    accountNumber: base?.accountNumber ?? 0n,
  };
});

const balance = query(pb.Query, 'balance', (context, request) => ({
  balance: balanceOf(context, requireNonZero(request.address)),
}));

const storage = query(pb.Query, 'storage', (context, request) => {
  const word = getStorage(context, requireNonZero(request.address), slotOf(request.key)) ?? new Uint8Array(32);
  return { value: `0x${hex(word)}` };
});

const code = query(pb.Query, 'code', (context, request) => ({
  code: getCode(context, getCodeHash(context, requireNonZero(request.address))) ?? new Uint8Array(0),
}));

const params = query(pb.Query, 'params', (context) => ({ params: getParams(context) }));

const ethCall = query(pb.Query, 'ethCall', (context, { args, overrides, gasCap }) => {
  const { call, edits } = arguments_(() => ({ call: readCall(args), edits: readOverrides(overrides) }));
  const cap = gasCap === 0n ? undefined : gasCap;
  const result = callEvm(context, call, edits, {}, cap);
  if (result.kind === 'refused' || result.kind === 'timeout') throw grpcError('Internal', result.message);
  const requested = call.gas ?? gasCap;
  const limit = cap !== undefined && requested > cap ? cap : requested;
  const minimum = (limit * getFeeMarketParams(context).minGasMultiplier) / DEC_ONE;
  return {
    hash: ZERO_HASH,
    ret: result.kind === 'halt' ? new Uint8Array(0) : result.output,
    vmError: result.kind === 'success' ? '' : result.kind === 'revert' ? 'execution reverted' : result.message,
    logs: result.kind === 'success' ? result.logs.map((log, index) => logOf(context, log, index)) : [],
    gasUsed: result.gasUsed > minimum ? result.gasUsed : minimum,
    maxUsedGas: result.gasUsed,
    blockTimestamp: context.time / NS_PER_SECOND,
  };
});

/** Log of a call, which is in no block: its hashes are zeros. */
function logOf({ crypto, height }: Context, { address, topics, data }: EvmLog, index: number): Log {
  return create(LogSchema, {
    address: checksumAddress(crypto, address),
    topics: topics.map((topic) => `0x${hex(topic)}`),
    data,
    blockNumber: height,
    txHash: ZERO_HASH,
    blockHash: ZERO_HASH,
    index: BigInt(index),
  });
}

const estimate = query(pb.Query, 'estimateGas', (context, { args, overrides, gasCap }) => {
  if (gasCap < LEAST_GAS_CAP) throw grpcError('InvalidArgument', `gas cap cannot be lower than ${LEAST_GAS_CAP}`);
  const { call, edits } = arguments_(() => ({ call: readCall(args), edits: readOverrides(overrides) }));
  const result = estimateGas(context, call, edits, {}, gasCap);
  if (result.kind === 'gas') return { gas: result.gas };
  if (result.kind === 'revert') return { ret: result.output, vmError: 'execution reverted' };
  if (result.kind === 'halt') return { vmError: result.message };
  throw grpcError('Internal', result.message);
});

const traceTx = query(pb.Query, 'traceTx', (context, request) => {
  if (request.msg === undefined) throw grpcError('InvalidArgument', 'empty request');
  const [data] = traceMessages(
    context,
    request.predecessors.map(({ raw }) => raw),
    [request.msg.raw],
    request,
  );
  return { data: utf8(data ?? 'null') };
});

const traceBlock = query(pb.Query, 'traceBlock', (context, request) => {
  const results = traceMessages(
    context,
    [],
    request.txs.map(({ raw }) => raw),
    request,
  ).map((json) => `{"result":${json}}`);
  return { data: utf8(`[${results.join(',')}]`) };
});

const traceCallQuery = query(pb.Query, 'traceCall', (context, { args, gasCap, traceConfig }) => {
  if (args.length === 0) throw grpcError('InvalidArgument', 'empty request');
  const result = traceCall(
    context,
    arguments_(() => readCall(args)),
    [],
    {},
    traceOptions(traceConfig),
    gasCap === 0n ? undefined : gasCap,
  );
  if (!result.ok) throw grpcError('Internal', result.message);
  return { data: utf8(result.json) };
});

const baseFee = query(pb.Query, 'baseFee', (context) => ({ baseFee: getBaseFee(context).toString() }));

const globalMinGasPrice = query(pb.Query, 'globalMinGasPrice', (context) => ({
  minGasPrice: ((getFeeMarketParams(context).minGasPrice * evmCoin(context).unit) / DEC_ONE).toString(),
}));

/** Fork activation config: all forks of the application version are active from 0. */
const config = query(pb.Query, 'config', (context) => {
  const from = (fork: 'shanghai' | 'cancun' | 'prague' | 'osaka'): boolean =>
    FORKS.indexOf(context.version.evm.fork) >= FORKS.indexOf(fork);
  const { denom, decimals } = evmCoin(context);
  return {
    config: create(ChainConfigSchema, {
      homesteadBlock: '0',
      daoForkBlock: '0',
      daoForkSupport: true,
      eip150Block: '0',
      eip155Block: '0',
      eip158Block: '0',
      byzantiumBlock: '0',
      constantinopleBlock: '0',
      petersburgBlock: '0',
      istanbulBlock: '0',
      muirGlacierBlock: '0',
      berlinBlock: '0',
      londonBlock: '0',
      arrowGlacierBlock: '0',
      grayGlacierBlock: '0',
      mergeNetsplitBlock: '0',
      chainId: context.chain.evmChainId,
      denom,
      decimals: BigInt(decimals),
      ...(from('shanghai') ? { shanghaiTime: '0' } : {}),
      ...(from('cancun') ? { cancunTime: '0' } : {}),
      ...(from('prague') ? { pragueTime: '0' } : {}),
      ...(from('osaka') ? { osakaTime: '0' } : {}),
    }),
  };
});

const FORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

function balanceOf(context: Context, address: Uint8Array): string {
  return spendableBalance(context, address).toString();
}

export const queries = [
  account,
  cosmosAccount,
  validatorAccount,
  balance,
  storage,
  code,
  params,
  ethCall,
  estimate,
  traceTx,
  traceBlock,
  traceCallQuery,
  baseFee,
  config,
  globalMinGasPrice,
];
