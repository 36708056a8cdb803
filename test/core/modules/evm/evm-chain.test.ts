import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { hexQuantity } from '../../../../src/core/bytes/hex.js';
import { utf8 } from '../../../../src/core/bytes/bytes.js';
import { prefixRange } from '../../../../src/core/bytes/key-order.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import type { AppVersion } from '../../../../src/core/sdk/module/app-version.js';
import { decodeTransaction, encodeTransaction } from '../../../../src/core/ethereum/transaction-codec.js';
import { unwrapTransaction } from '../../../../src/core/ethereum/wrapped-transaction.js';
import { ethereumBlockOf } from '../../../../src/core/ethereum/block-of.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { headerHashesOf } from '../../../../src/core/ethereum/header-facts.js';
import { devGenesis } from '../../../../src/core/genesis/dev-genesis.js';
import { parseGenesis } from '../../../../src/core/genesis/genesis-document.js';
import { DEFAULT_PARAMS, toMessage } from '../../../../src/core/modules/feemarket/params.js';
import { storageKey, storageOf } from '../../../../src/core/modules/evm/store.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import {
  EthCallRequestSchema,
  QueryTraceBlockRequestSchema,
  QueryTraceBlockResponseSchema,
  QueryTraceTxRequestSchema,
  QueryTraceTxResponseSchema,
} from '../../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { ParamsSchema as FeeMarketParamsSchema } from '../../../../src/core/proto/cosmos/evm/feemarket/v1/feemarket_pb.js';
import { BlockSchema } from '../../../../src/core/proto/tendermint/types/block_pb.js';
import { BlockIDSchema } from '../../../../src/core/proto/tendermint/types/types_pb.js';
import { ExtensionOptionDynamicFeeTxSchema } from '../../../../src/core/proto/cosmos/evm/ante/v1/dynamic_fee_pb.js';
import { MsgEthereumTxResponseSchema, MsgEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { AccessType, ParamsSchema as EvmParamsSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import {
  type AuthInfo,
  AuthInfoSchema,
  type Fee,
  SignerInfoSchema,
  type TxBody,
  TxBodySchema,
  TxRawSchema,
} from '../../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { account, chain, codes, DevChain, signed } from '../../app/dev-chain.js';
import { addressOf, bytesOf, ethereumChain, evm, GWEI, rawOf, signer, tx, wrap } from '../../app/ethereum-chain.js';
import { responseOf } from '../../app/recorded-evm.js';
import { crypto, toHex } from '../../app/support.js';
import { encode } from '../../../support/encode.js';

/** A transfer in a Cosmos transaction, to a dev account or an address. */
const send = (
  from: number,
  sequence: bigint,
  to: number | string,
  amount: bigint,
  change: Parameters<typeof signed>[4] = {},
) =>
  signed(
    from,
    sequence,
    MsgSendSchema,
    {
      fromAddress: account(from).address,
      toAddress: typeof to === 'number' ? account(to).address : to,
      amount: [{ denom: 'achr', amount: amount.toString() }],
    },
    change,
  );

const calls = (dev: DevChain) => {
  const { ethereum } = dev.app;
  if (ethereum === undefined) throw new Error('no EVM');
  return { ethereum, at: { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) } };
};
const facts = (dev: DevChain, index: number) => {
  const { balance, nonce } = calls(dev).ethereum.account(dev.state, dev.at(), addressOf(index));
  return { balance, nonce };
};
const results = (result: ReturnType<DevChain['block']>) => {
  if (result.kind !== 'executed') throw new Error(result.reason);
  return result.results.txResults;
};
const check = (dev: DevChain, bytes: Uint8Array) => {
  const { code, log } = dev.app.checkTx(dev.app.createCheckState(dev.state, dev.at()), bytes);
  return { code, log };
};
/** The state of a chain with other parameters of the fee market. */
const withFeeMarket = (dev: DevChain, params: Partial<typeof DEFAULT_PARAMS>) => {
  const state = new CacheStore(dev.state);
  const value = toBinary(FeeMarketParamsSchema, toMessage({ ...DEFAULT_PARAMS, ...params }));
  state.set('feemarket', utf8('Params'), value);
  return state;
};
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`);
/** Runtime code `code` as init code that returns it. */
const deploying = (code: string): `0x${string}` => {
  const length = (code.length / 2).toString(16).padStart(4, '0');
  return `0x61${length}600e60003961${length}6000f3${code}`;
};
const traceTx = (dev: DevChain, request: MessageInitShape<typeof QueryTraceTxRequestSchema>) =>
  dev.query('/cosmos.evm.vm.v1.Query/TraceTx', QueryTraceTxRequestSchema, request, QueryTraceTxResponseSchema);
const START = 10_000n * 10n ** 18n;

describe('Ethereum transactions on a dev chain', () => {
  it('a transfer moves its value, pays for its gas and raises the nonce shared with Cosmos', async () => {
    const dev = ethereumChain();
    const baseFee = 875_000_000n;
    const [result] = results(dev.block(await tx(0, { to: signer(1).address, value: 5n, nonce: 0, gas: 50_000n })));
    expect(result?.code).toBe(0);
    expect(result?.gasUsed).toBe(21_000n);
    expect(facts(dev, 0)).toEqual({ balance: START - 5n - 21_000n * baseFee, nonce: 1n });
    expect(facts(dev, 1)).toEqual({ balance: START + 5n, nonce: 0n });
    expect(
      codes(dev.block(send(0, 0n, 1, 7n), send(0, 1n, 1, 7n), await tx(0, { to: signer(1).address, nonce: 2 }))),
    ).toEqual([32, 0, 0]);
    expect(facts(dev, 0).nonce).toBe(3n);
    expect(facts(dev, 1).balance).toBe(START + 12n);
  });

  it('the engine sees what bank sends change, inside a block and between blocks', async () => {
    const dev = ethereumChain();
    // SELFBALANCE as 32 bytes of return data.
    const init = deploying('4760005260206000f3');
    const [created] = results(dev.block(await tx(0, { data: init, nonce: 0, gas: 200_000n })));
    if (created === undefined) throw new Error('no result');
    const contract = crypto.keccak256(Uint8Array.of(0xd6, 0x94, ...addressOf(0), 0x80)).slice(12);
    const to = `0x${toHex(contract)}` as const;
    const seen = async (nonce: number, ...before: readonly Uint8Array[]): Promise<bigint> => {
      const all = results(dev.block(...before, await tx(2, { to, nonce, gas: 100_000n })));
      const last = all.at(-1);
      if (last?.code !== 0) throw new Error(last?.log);
      return numberOf(responseOf(last.data).ret);
    };
    const pay = (sequence: bigint, amount: bigint) => send(1, sequence, to, amount);
    expect(await seen(0)).toBe(0n);
    expect(await seen(1, pay(0n, 11n))).toBe(11n);
    dev.block(pay(1n, 4n));
    expect(await seen(2)).toBe(15n);
    expect(await seen(3, await tx(1, { to, value: 1n, nonce: 2, gas: 50_000n }), pay(3n, 2n))).toBe(18n);
  });

  it('a reverted execution is code 0 with its data, costs its gas and changes nothing else', async () => {
    const dev = ethereumChain();
    // Stores 1 in slot 0 and reverts with 32 bytes of 42.
    const [result] = results(
      dev.block(await tx(0, { data: '0x6001600055602a60005260206000fd', nonce: 0, gas: 100_000n, value: 9n })),
    );
    expect(result?.code).toBe(0);
    const response = responseOf(result?.data ?? new Uint8Array(0));
    expect([response.vmError, numberOf(response.ret)]).toEqual(['execution reverted', 42n]);
    expect(facts(dev, 0)).toEqual({ balance: START - response.gasUsed * 875_000_000n, nonce: 1n });
    expect(
      result?.events.find(
        ({ type, attributes }) =>
          type === 'ethereum_tx' &&
          attributes.some(({ key, value }) => key === 'ethereumTxFailed' && value === 'execution reverted'),
      ),
    ).toBeDefined();
  });

  it('a transaction beyond the gas left in the block changes nothing in the engine', async () => {
    const dev = ethereumChain();
    const burn = '0x5b600056' as const;
    const all = results(
      dev.block(
        await tx(0, { data: burn, nonce: 0, gas: 29_990_000n }),
        await tx(1, { to: signer(2).address, value: 3n, nonce: 0 }),
        await tx(2, { to: signer(1).address, value: 3n, nonce: 0 }),
      ),
    );
    expect(all.map(({ code }) => code)).toEqual([0, 11, 11]);
    expect(results(dev.block(await tx(2, { to: signer(3).address, value: 1n, nonce: 0 })))[0]?.code).toBe(0);
    expect(facts(dev, 3).balance).toBe(START + 1n);
    // The ante rules of the second transaction passed: its fee and nonce are used, its value is not.
    expect(facts(dev, 1).nonce).toBe(1n);
    expect(facts(dev, 2)).toEqual({ balance: START - 1n - 21_000n * 984_375_000n, nonce: 1n });
  });

  it("a message and an option under ethermint's names are executed and shown as an Ethereum transaction", async () => {
    const dev = ethereumChain();
    dev.block(await tx(0, { to: signer(1).address, nonce: 0 }));
    const raw = await rawOf(0, { to: signer(1).address, nonce: 1, value: 5n });
    const { bodyBytes, authInfoBytes } = fromBinary(TxRawSchema, wrap(raw, 0));
    const body = fromBinary(TxBodySchema, bodyBytes);
    for (const any of [...body.messages, ...body.extensionOptions])
      any.typeUrl = any.typeUrl.replace('/cosmos.evm.vm.v1.', '/ethermint.evm.v1.');
    const bytes = encode(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, body), authInfoBytes });
    expect(dev.app.describe(bytes)).toMatchObject({
      kind: 'ethereum',
      accounts: [{ address: toHex(addressOf(0)), nonce: 1n }],
      alias: toHex(crypto.keccak256(raw)).toUpperCase(),
    });
    expect(unwrapTransaction(bytes)).toEqual({ from: addressOf(0), raw });
    expect(codes(dev.block(bytes))).toEqual([0]);
    expect(facts(dev, 1).balance).toBe(START + 5n);
  });

  it('a transaction beyond the gas left in the block leaves no log in the bloom, and no value', async () => {
    const dev = ethereumChain();
    // a log, then the value to account 2
    const data = `0x60006000a073${toHex(addressOf(2))}ff` as const;
    const result = dev.block(
      await tx(0, { data: '0x5b600056', nonce: 0, gas: 29_990_000n }),
      await tx(1, { data, nonce: 0, gas: 100_000n, value: 3n }),
    );
    if (result.kind !== 'executed') throw new Error(result.reason);
    expect(codes(result)).toEqual([0, 11]);
    expect(result.results.events.find(({ type }) => type === 'block_bloom')?.attributes[0]?.value).toBe(
      '\0'.repeat(256),
    );
    // a contract whose code is the balance of account 2
    const [created] = results(
      dev.block(await tx(3, { data: `0x73${toHex(addressOf(2))}3160005260206000f3`, nonce: 0, gas: 100_000n })),
    );
    expect(numberOf(responseOf(created?.data ?? new Uint8Array(0)).ret)).toBe(START);
  });

  it.each([
    ['a contract begins with empty storage', '0x6007600055', [7n]],
    ['a contract that self-destructs during its creation leaves no storage', '0x30ff', []],
  ] as const)('%s, even if its address had storage before', async (_rule, data, left) => {
    const dev = ethereumChain();
    const contract = crypto.keccak256(Uint8Array.of(0xd6, 0x94, ...addressOf(0), 0x80)).slice(12);
    dev.block(send(1, 0n, `0x${toHex(contract)}`, 1n));
    const state = new CacheStore(dev.state);
    for (const slot of [0, 1])
      state.set('evm', storageKey(contract, new Uint8Array(32).fill(slot)), new Uint8Array(32).fill(9));
    dev.state = state;
    expect(codes(dev.block(await tx(0, { nonce: 0, data, gas: 100_000n })))).toEqual([0]);
    const rows = Array.from(dev.state.range('evm', prefixRange(storageOf(contract))), ({ value }) => numberOf(value));
    expect(rows).toEqual(left);
  });

  it('contracts with code and storage survive an exported genesis', async () => {
    const dev = ethereumChain();
    // Stores 7 in slot 1 during its creation; its code returns the slot.
    const runtime = '60015460005260206000f3';
    const [result] = results(
      dev.block(
        await tx(0, {
          nonce: 0,
          gas: 300_000n,
          data: `0x6007600155600b6013600039600b6000f3${'00'.repeat(2)}${runtime}`,
        }),
      ),
    );
    expect(result?.code).toBe(0);
    const appState = exportGenesis(dev.state, { version: chronicle, chain, crypto, at: dev.at() });
    const parsed = parseGenesis({
      chain_id: chain.chainId,
      genesis_time: '2026-01-01T00:00:00Z',
      app_state: JSON.parse(JSON.stringify(appState)),
    });
    if (!parsed.ok) throw new Error(parsed.message);
    const rows = (
      all: Iterable<{ readonly key: Uint8Array; readonly value: Uint8Array | undefined }>,
    ): readonly string[] => Array.from(all, ({ key, value }) => `${toHex(key)}=${toHex(value ?? new Uint8Array(0))}`);
    const { writes } = dev.app.initChain(parsed.genesis);
    const isOfChain = (row: string): boolean => !/^(626c6f636b486173686573|020000f90827)/.test(row);
    for (const store of ['evm', 'feemarket'])
      expect(rows(writes.filter((write) => write.store === store)).filter(isOfChain)).toEqual(
        rows(dev.state.range(store, {})).filter(isOfChain),
      );
    expect(rows(dev.state.range('evm', {})).some((row) => row.endsWith(`=${'7'.padStart(64, '0')}`))).toBe(true);
  });

  it('TraceTx runs the predecessors first', async () => {
    const dev = ethereumChain();
    dev.block();
    const raws = [
      await rawOf(0, { nonce: 0, to: signer(1).address, value: 5n }),
      await rawOf(0, { nonce: 1, to: signer(2).address, value: 6n }),
    ];
    const [first, second] = raws.map((raw) => create(MsgEthereumTxSchema, { from: addressOf(0), raw }));
    if (first === undefined || second === undefined) throw new Error('no message');
    const traceConfig = { tracer: 'callTracer' };
    const { data } = traceTx(dev, { msg: second, predecessors: [first], traceConfig });
    expect(JSON.parse(Buffer.from(data).toString())).toMatchObject({ type: 'CALL', value: '0x6' });
    expect(() => traceTx(dev, { msg: second, traceConfig })).toThrow(/nonce/);
    const all = dev.query(
      '/cosmos.evm.vm.v1.Query/TraceBlock',
      QueryTraceBlockRequestSchema,
      { txs: [first, second], traceConfig },
      QueryTraceBlockResponseSchema,
    );
    expect(JSON.parse(Buffer.from(all.data).toString())).toMatchObject([
      { result: { value: '0x5' } },
      { result: { value: '0x6' } },
    ]);
    expect(facts(dev, 0).nonce).toBe(0n);
  });

  it('an Ethereum message is refused in an ordinary Cosmos transaction', async () => {
    const dev = ethereumChain();
    dev.block(
      await tx(1, { to: signer(2).address, nonce: 0, maxFeePerGas: 1000n * GWEI, maxPriorityFeePerGas: 1000n * GWEI }),
    );
    const raw = await rawOf(1, {
      nonce: 1,
      to: signer(0).address,
      value: 5n,
      gas: 1_000_000n,
      maxFeePerGas: 20n * GWEI,
      maxPriorityFeePerGas: 20n * GWEI,
    });
    const inCosmos = signed(0, 0n, MsgEthereumTxSchema, { from: addressOf(0), raw });
    const refused = {
      code: 29,
      log: "MsgEthereumTx needs to be contained within a tx with 'ExtensionOptionsEthereumTx' option: invalid type",
    };
    expect(check(dev, inCosmos)).toEqual(refused);
    expect(dev.app.simulate(dev.state, dev.at(), inCosmos)).toMatchObject({ ok: false, ...refused });
    expect(codes(dev.block(inCosmos))).toEqual([29]);
    expect([facts(dev, 0), facts(dev, 1).nonce]).toEqual([{ balance: START, nonce: 0n }, 1n]);
  });

  it('queries refuse unsupported and contradictory fields instead of ignoring them', async () => {
    const dev = ethereumChain();
    dev.block();
    const refused = (call: () => unknown, text: string) =>
      expect(call).toThrow(`code = InvalidArgument desc = ${text}`);
    const msg = create(MsgEthereumTxSchema, {
      from: addressOf(0),
      raw: await rawOf(0, { nonce: 0, to: signer(1).address }),
    });
    refused(() => traceTx(dev, { msg, blockTime: { seconds: -1n } }), 'invalid block time');
    const call = (args: object, overrides: object | null = {}, address = `0x${'11'.repeat(20)}`) =>
      dev.query(
        '/cosmos.evm.vm.v1.Query/EthCall',
        EthCallRequestSchema,
        {
          args: utf8(JSON.stringify(args)),
          overrides: utf8(JSON.stringify({ [address]: overrides })),
          gasCap: 100_000n,
        },
        MsgEthereumTxResponseSchema,
      );
    expect(call({ data: '0x00', input: '0x00' }, { state: {} }).vmError).toBe('');
    refused(
      () => call({ data: '0x00', input: '0x01' }),
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    );
    refused(() => call({ authorizationList: [] }), 'authorizationList is not supported');
    refused(
      () => call({}, { state: {}, stateDiff: {} }),
      `account 0x${'11'.repeat(20)} has both 'state' and 'stateDiff'`,
    );
    const target = `0x${'22'.repeat(20)}`;
    expect(() => call({}, { movePrecompileToAddress: target })).toThrow(`0x${'11'.repeat(20)} is not a precompile`);
    const identity = `0x${'00'.repeat(19)}04`;
    expect([...call({ to: target, data: '0x2a2b' }, { movePrecompileToAddress: target }, identity).ret]).toEqual([
      0x2a, 0x2b,
    ]);
    expect(call({ to: target, data: '0x2a2b' }, null, identity).ret).toHaveLength(0);
  });

  it('Ethereum transactions fail with a reason when the process has no engine', async () => {
    const dev = new DevChain();
    const [result] = results(dev.block(await tx(0, { to: signer(1).address, nonce: 0 })));
    expect([result?.code, result?.log]).toEqual([
      37,
      'failed to execute message; message index: 0: this process has no EVM: feature not supported',
    ]);
  });

  it('Cosmos transactions pay at least the minimum gas price of the fee market', () => {
    const dev = ethereumChain();
    dev.state = withFeeMarket(dev, { noBaseFee: true, minGasPrice: (3n * 10n ** 18n) / 2n });
    dev.height = 1n;
    const paying = (fee: bigint) => send(0, 0n, 1, 1n, { fee });
    expect(check(dev, paying(449_999n))).toEqual({
      code: 13,
      log: 'provided fee < minimum global fee (449999achr < 450000achr). Please increase the gas price.: insufficient fee',
    });
    expect(check(dev, paying(450_000n)).code).toBe(0);
  });

  it('Cosmos transactions pay at least the base fee', () => {
    const dev = ethereumChain();
    dev.block();
    const cheap = send(0, 0n, 1, 1n, { fee: 300_000n * 875_000_000n - 1n });
    expect(check(dev, cheap)).toEqual({
      code: 13,
      log: 'gas prices too low, got: 874999999.999996666666666666achr required: 875000000.000000000000000000achr. Please retry using a higher gas price or a higher fee: insufficient fee',
    });
  });
});

describe('a base fee before its enable height', () => {
  it('is required, answered as the next base fee, and shown in the block and the receipt', async () => {
    const dev = ethereumChain();
    dev.state = withFeeMarket(dev, { enableHeight: 3n });
    const next = (): bigint => calls(dev).ethereum.nextBaseFee(dev.state, dev.at());
    expect([
      next(),
      check(dev, await tx(0, { nonce: 0, to: signer(1).address, maxFeePerGas: GWEI - 1n })).code,
    ]).toEqual([GWEI, 13]);
    const paying = await tx(0, { nonce: 0, to: signer(1).address });
    const result = dev.block(paying);
    if (result.kind !== 'executed') throw new Error(result.reason);
    expect(START - facts(dev, 0).balance).toBe(21_000n * GWEI);
    const block = ethereumBlockOf(
      crypto,
      {
        block: create(BlockSchema, { header: { height: 1n }, data: { txs: [paying] } }),
        blockId: create(BlockIDSchema),
        size: 0,
      },
      result.results,
      { miner: addressOf(0), maxGas: -1n, genesisHash: new Uint8Array(32) },
    );
    expect([block.baseFeePerGas, block.transactions[0]?.receipt.effectiveGasPrice]).toEqual([GWEI, GWEI]);
    dev.block();
    expect(next()).toBe(GWEI);
    dev.block();
    expect(next()).toBe(875_000_000n);
  });
});

describe('the dynamic fee option of Cosmos transactions', () => {
  const COSMOS_EVM = '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx';
  const paid = (maxPriorityPrice: string | undefined, typeUrl = COSMOS_EVM): bigint => {
    const dev = ethereumChain();
    const value = encode(ExtensionOptionDynamicFeeTxSchema, { maxPriorityPrice: maxPriorityPrice ?? '' });
    const extensionOptions = maxPriorityPrice === undefined ? [] : [{ typeUrl, value }];
    expect(codes(dev.block(send(0, 0n, 1, 1n, { gas: 200_000n, extensionOptions })))).toEqual([0]);
    return START - 1n - facts(dev, 0).balance;
  };

  it('bounds the tip over the base fee; without it the whole fee is paid', () => {
    expect(paid(undefined)).toBe(200_000n * 2n * GWEI);
    expect(paid('0')).toBe(200_000n * 875_000_000n);
    expect(paid((5n * 10n ** 18n).toString())).toBe(200_000n * 875_000_005n);
    // A third of a wei a gas: the sum is rounded up.
    expect(paid((10n ** 18n / 3n).toString())).toBe(200_000n * 875_000_000n + 66_667n);
    expect(paid((9n * 10n ** 27n).toString())).toBe(200_000n * 2n * GWEI);
  });

  it("counts in base units under ethermint's name", () => {
    const typeUrl = '/ethermint.types.v1.ExtensionOptionDynamicFeeTx';
    expect(paid('0', typeUrl)).toBe(200_000n * 875_000_000n);
    expect(paid('5', typeUrl)).toBe(200_000n * 875_000_005n);
    expect(paid((9n * GWEI).toString(), typeUrl)).toBe(200_000n * 2n * GWEI);
  });
});

describe('the EVM module', () => {
  const dev = ethereumChain();
  const to = signer(1).address;
  const refused = async (name: string, bytes: Promise<Uint8Array>, log: RegExp | string) => {
    const got = check(dev, await bytes);
    expect([name, got.code === 0, got.log]).toEqual([
      name,
      false,
      typeof log === 'string' ? log : expect.stringMatching(log),
    ]);
  };

  it.each([
    ['nonce too high', { nonce: 4, to }, 'nonce too high: next nonce 0, tx nonce 4'],
    [
      'unfunded',
      { nonce: 0, to, value: 10n ** 30n },
      `insufficient funds for gas * price + value: balance ${START}, tx cost ${10n ** 30n + 42_000n * GWEI}, overshot ${10n ** 30n + 42_000n * GWEI - START}`,
    ],
    ['intrinsic gas', { nonce: 0, to, gas: 20_999n }, 'intrinsic gas too low: gas 20999, minimum needed 21000'],
    [
      'floor of call data',
      { nonce: 0, to, data: `0x${'11'.repeat(1000)}` as const, gas: 38_000n },
      'insufficient gas for floor data gas cost: gas 38000, minimum needed 61000',
    ],
    [
      'init code size',
      { nonce: 0, data: `0x${'00'.repeat(49_153)}` as const, gas: 5_000_000n },
      'max initcode size exceeded: code size 49153, limit 49152',
    ],
    [
      'underpriced',
      { nonce: 0, to, maxFeePerGas: GWEI - 1n, maxPriorityFeePerGas: 0n },
      'max fee per gas less than block base fee: maxFeePerGas: 999999999, baseFee: 1000000000',
    ],
    ['over the block', { nonce: 0, to, gas: 30_000_001n }, 'exceeds block gas limit'],
  ])('refuses a transaction with the text of geth: %s', async (name, fields, log) => {
    await refused(name, tx(0, fields), log);
  });

  it('refuses a transaction of another chain, and one that another account signed', async () => {
    const unsigned = { nonce: 0, to, maxFeePerGas: GWEI, maxPriorityFeePerGas: 0n } as const;
    await refused(
      'chain',
      tx(0, { ...unsigned, chainId: 1 }),
      'invalid sender: invalid chain id for signer: have 1 want 271828',
    );
    const foreign = wrap(await rawOf(1, unsigned), 0);
    await refused(
      'sender',
      Promise.resolve(foreign),
      /^signature verification failed: sender verification failed\. got 0x.*: tx intended signer does not match the given signer$/,
    );
  });

  it('refuses a tip above the fee cap, and a signature with s in the upper half', async () => {
    const decoded = decodeTransaction(await rawOf(0, { nonce: 0, to }));
    if (!decoded.ok || decoded.transaction.type !== 2) throw new Error('a transaction of type 2');
    const { transaction } = decoded;
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const changed = (change: Partial<typeof transaction>) =>
      Promise.resolve(wrap(encodeTransaction({ ...transaction, ...change }), 0));
    await refused(
      'tip',
      changed({ maxFeePerGas: GWEI, maxPriorityFeePerGas: GWEI + 1n }),
      'max priority fee per gas higher than max fee per gas',
    );
    const { s, yParity } = transaction;
    await refused(
      's',
      changed({ s: order - s, yParity: yParity === 0 ? 1 : 0 }),
      'invalid sender: invalid transaction v, r, s values',
    );
  });

  it('refuses a nonce that was used', async () => {
    const used = ethereumChain();
    used.block(await tx(0, { to, nonce: 0 }));
    expect(check(used, await tx(0, { to, nonce: 0 })).log).toBe('nonce too low: next nonce 1, tx nonce 0');
  });

  const notEmpty = 'for eth tx body Memo TimeoutHeight NonCriticalExtensionOptions should be empty: invalid request';
  const paidByOther = 'for eth tx AuthInfo Fee payer and granter should be empty: invalid request';
  it.each<
    [
      string,
      (wrapper: { readonly body: TxBody; readonly authInfo: AuthInfo; readonly fee: Fee }) => unknown,
      string,
      number?,
    ]
  >([
    ['a memo', ({ body }) => (body.memo = 'x'), notEmpty],
    ['a timeout', ({ body }) => (body.timeoutHeight = 9n), notEmpty],
    ['a non-critical option', ({ body }) => body.nonCriticalExtensionOptions.push(...body.extensionOptions), notEmpty],
    ['the unordered flag', ({ body }) => (body.unordered = true), notEmpty],
    [
      'a second option',
      ({ body }) => body.extensionOptions.push(...body.extensionOptions),
      'for eth tx length of ExtensionOptions should be 1: invalid request',
    ],
    [
      'a signer',
      ({ authInfo }) => authInfo.signerInfos.push(create(SignerInfoSchema)),
      'for eth tx AuthInfo SignerInfos should be empty: invalid request',
    ],
    ['a payer', ({ fee }) => (fee.payer = account(1).address), paidByOther],
    ['a granter', ({ fee }) => (fee.granter = account(1).address), paidByOther],
    ['no fee', ({ authInfo }) => (authInfo.fee = undefined), 'missing fee: invalid request'],
    [
      'a fee in another coin too',
      ({ fee }) => fee.amount.push(coin('other', 1n)),
      'invalid AuthInfo Fee Amount (42000000000000achr,1other != 42000000000000): invalid request',
    ],
    [
      'another gas limit',
      ({ fee }) => (fee.gasLimit = 21_001n),
      'invalid AuthInfo Fee GasLimit (21001 != 21000): invalid request',
    ],
    ['two messages', ({ body }) => body.messages.push(...body.messages), 'expected 1 message, got 2: invalid request'],
    [
      'a field that a later one overwrites',
      ({
        body: {
          messages: [message],
        },
      }) => {
        if (message === undefined) throw new Error('no message');
        const overwritten = encode(MsgEthereumTxSchema, { from: new Uint8Array(2_000) });
        message.value = Uint8Array.from([...overwritten, ...message.value]);
      },
      'the wrapping of an Ethereum transaction has at most 1024 bytes: invalid request',
    ],
    [
      'another message',
      ({ body }) => {
        body.messages[0] = anyPack(MsgSendSchema, create(MsgSendSchema, { fromAddress: account(0).address }));
      },
      'invalid message type /cosmos.bank.v1beta1.MsgSend, expected /cosmos.evm.vm.v1.MsgEthereumTx: unknown request',
      6,
    ],
    [
      'another sender',
      ({ body }) => {
        const { raw } = fromBinary(MsgEthereumTxSchema, body.messages[0]?.value ?? new Uint8Array(0));
        body.messages[0] = anyPack(MsgEthereumTxSchema, create(MsgEthereumTxSchema, { from: addressOf(2), raw }));
      },
      `signature verification failed: sender verification failed. got ${signer(0).address}, expected ${signer(2).address.toLowerCase()}: tx intended signer does not match the given signer`,
      24,
    ],
  ])('refuses a wrapper with %s', async (_what, change, log, code = 18) => {
    const wrapped = fromBinary(TxRawSchema, await tx(0, { nonce: 0, to }));
    const [body, authInfo] = [
      fromBinary(TxBodySchema, wrapped.bodyBytes),
      fromBinary(AuthInfoSchema, wrapped.authInfoBytes),
    ];
    const { fee } = authInfo;
    if (fee === undefined) throw new Error('no fee');
    change({ body, authInfo, fee });
    // names as the SDK writes them, without a host
    for (const any of body.messages) any.typeUrl = `/${any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1)}`;
    const bytes = encode(TxRawSchema, {
      bodyBytes: toBinary(TxBodySchema, body),
      authInfoBytes: toBinary(AuthInfoSchema, authInfo),
    });
    expect(check(dev, bytes)).toEqual({ code, log });
  });

  it.each([
    [
      'create',
      5,
      { data: '0x00', gas: 100_000n },
      { to },
      'failed to create new contract: EVM create operation is disabled',
    ],
    ['call', 6, { to }, { data: '0x00', gas: 100_000n }, 'failed to perform a call: EVM Call operation is disabled'],
  ] as const)(
    'refuses an operation that access control restricts: %s',
    async (what, code, refusedFields, admitted, log) => {
      const restricted = ethereumChain();
      const state = new CacheStore(restricted.state);
      const accessControl = { [what]: { accessType: AccessType.RESTRICTED } };
      state.set('evm', Uint8Array.of(3), encode(EvmParamsSchema, { evmDenom: 'achr', accessControl }));
      restricted.state = state;
      expect(check(restricted, await tx(0, { nonce: 0, ...refusedFields }))).toEqual({ code, log });
      expect(
        codes(restricted.block(await tx(0, { nonce: 0, ...refusedFields }), await tx(0, { nonce: 0, ...admitted }))),
      ).toEqual([code, 0]);
    },
  );

  it('accepts access control in a genesis, and refuses a malformed address there', () => {
    const document = devGenesis(crypto, {
      chainId: chain.chainId,
      time: toTimeNs(1n),
      accounts: [account(0).address],
      validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1n, name: 'dev' }],
    });
    const init = (create: { readonly access_type: string; readonly access_control_list: readonly string[] }) => {
      const { evm: section } = document.app_state;
      const changed = {
        ...section,
        params: { ...section.params, access_control: { ...section.params.access_control, create } },
      };
      const parsed = parseGenesis(
        JSON.parse(JSON.stringify({ ...document, app_state: { ...document.app_state, evm: changed } })),
      );
      if (!parsed.ok) throw new Error(parsed.message);
      return dev.app.initChain(parsed.genesis).writes.length;
    };
    expect(init({ access_type: 'ACCESS_TYPE_RESTRICTED', access_control_list: [] })).toBeGreaterThan(0);
    expect(init({ access_type: 'ACCESS_TYPE_PERMISSIONED', access_control_list: [] })).toBeGreaterThan(0);
    expect(
      init({ access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [signer(1).address] }),
    ).toBeGreaterThan(0);
    expect(() => init({ access_type: 'ACCESS_TYPE_PERMISSIONED', access_control_list: ['0x12'] })).toThrow(
      'app_state.evm.params: invalid whitelist address: 0x12',
    );
  });

  it('refuses an extra EIP without effect in a genesis', () => {
    const init = (version: AppVersion, ...eips: readonly string[]) => {
      const params = { evm_denom: chain.baseDenom, extra_eips: eips };
      return new DevChain({ version }, 4, true, { evm: { params } }).genesisWrites.length;
    };
    const prague: AppVersion = { ...chronicle, evm: { ...chronicle.evm, fork: 'prague' } };
    expect(init(chronicle, '3855', '7939')).toBeGreaterThan(0);
    expect(init(prague, '3855', '7939')).toBeGreaterThan(0);
    expect(() => init(chronicle, '2200')).toThrow('app_state.evm.params.extra_eips: EIP 2200 is not supported');
  });

  it('accepts valid precompiles of a genesis in any order', () => {
    const p256 = '0x0000000000000000000000000000000000000100';
    const bech32 = '0x0000000000000000000000000000000000000400';
    const init = (...precompiles: readonly string[]) => {
      const params = { evm_denom: chain.baseDenom, active_static_precompiles: precompiles };
      return new DevChain({}, 4, true, { evm: { params } }).genesisWrites.length;
    };
    expect(init(bech32, p256)).toBeGreaterThan(0);
    expect(() => init(p256, p256)).toThrow(`app_state.evm.params: duplicate precompile ${p256}`);
    expect(() => init('0x100')).toThrow('app_state.evm.params: invalid precompile 0x100');
  });

  it('refuses a negative base fee in a genesis', () => {
    const params = { base_fee_change_denominator: 8, elasticity_multiplier: 2, base_fee: '-1.5' };
    expect(() => new DevChain({}, 4, true, { feemarket: { params } })).toThrow(
      'app_state.feemarket.params: initial base fee cannot be negative: -1.500000000000000000',
    );
  });

  it('refuses a transaction below the gas price of the node at admission, and not in a block', async () => {
    const asking = ethereumChain();
    asking.build({ evm, chain: { ...chain, minGasPrice: 3n * GWEI } });
    const cheap = await tx(0, { nonce: 0, to, maxFeePerGas: 3n * GWEI - 1n });
    expect(check(asking, cheap)).toEqual({
      code: 13,
      log: 'transaction underpriced: gas price 2999999999, minimum needed 3000000000',
    });
    expect(check(asking, await tx(0, { nonce: 0, to, maxFeePerGas: 3n * GWEI })).code).toBe(0);
    expect(codes(asking.block(cheap))).toEqual([0]);
  });

  it('answers the minimum gas price of the fee market in whole wei, rounded up', () => {
    const lowest = (minGasPrice: bigint) =>
      dev.app.ethereum?.minGasPrice(withFeeMarket(dev, { minGasPrice }), dev.at());
    expect([lowest(0n), lowest(1n), lowest(10n ** 18n), lowest(10n ** 18n + 1n)]).toEqual([0n, 1n, 1n, 2n]);
  });

  it('refuses a wrapper that says anything the sender did not sign', async () => {
    const raw = await rawOf(0, { nonce: 0, to });
    const bytes = wrap(raw, 0);
    expect(check(dev, bytes).code).toBe(0);
    // One byte of the fee amount in the wrapper.
    const at = Buffer.from(bytes).lastIndexOf(Buffer.from('42000000000000'));
    const other = bytes.slice();
    other[at] = 0x33;
    expect(check(dev, other)).toEqual({
      code: 18,
      log: `invalid AuthInfo Fee Amount (32000000000000achr != 42000000000000): invalid request`,
    });
    expect(check(dev, Uint8Array.from([...bytes, 0x1a, 0]))).toEqual({
      code: 18,
      log: 'for eth tx Signatures should be empty: invalid request',
    });
  });
});

describe('calls and estimates', () => {
  const overrides = { code: bytesOf('0x602a60005260206000f3') };

  it('a call runs over overrides, and keeps nothing', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    const call = () => ethereum.call(dev.state, at, { to }, [{ address: to, ...overrides }], {});
    const first = call();
    if (first.kind !== 'success') throw new Error(JSON.stringify(first.kind));
    expect(numberOf(first.output)).toBe(42n);
    expect(ethereum.call(dev.state, at, { to }, [], {})).toMatchObject({ kind: 'success', output: new Uint8Array(0) });
    expect(call()).toEqual(first);
  });

  it('a call sees the state after the last block', async () => {
    const dev = ethereumChain();
    const probe = { address: addressOf(7), code: bytesOf(`0x73${toHex(addressOf(1))}3160005260206000f3`) };
    const seen = (): bigint => {
      const { ethereum, at } = calls(dev);
      const result = ethereum.call(dev.state, at, { to: probe.address }, [probe], {});
      return result.kind === 'success' ? numberOf(result.output) : -1n;
    };
    expect(seen()).toBe(START);
    dev.block(send(0, 0n, 1, 5n));
    expect(seen()).toBe(START + 5n);
    dev.block(await tx(0, { to: signer(1).address, nonce: 1, value: 6n }));
    expect(seen()).toBe(START + 11n);
  });

  it('a call sees the block at which it runs, and overrides of the block only once', () => {
    const dev = ethereumChain();
    dev.block();
    const { ethereum, at } = calls(dev);
    const probe = { address: addressOf(7), code: bytesOf('0x4360005260206000f3') };
    const number = (block: object, context = at): bigint => {
      const result = ethereum.call(dev.state, context, { to: probe.address }, [probe], block);
      return result.kind === 'success' ? numberOf(result.output) : -1n;
    };
    expect([number({}), number({}), number({ number: 77n }), number({ number: 78n }), number({})]).toEqual([
      1n,
      1n,
      77n,
      78n,
      1n,
    ]);
    expect([number({}, { ...at, height: toHeight(5n) }), number({})]).toEqual([5n, 1n]);
    dev.block();
    expect(number({}, calls(dev).at)).toBe(2n);
  });

  it('a call runs with the lower of its gas and the cap', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    // GAS, after the 21,000 of the transaction and its own 2
    const probe = { address: addressOf(7), code: bytesOf('0x5a60005260206000f3') };
    const left = (gas: bigint | undefined, cap?: bigint): bigint => {
      const result = ethereum.call(dev.state, at, { to: probe.address, gas }, [probe], {}, cap);
      return result.kind === 'success' ? numberOf(result.output) + 21_002n : -1n;
    };
    expect([
      left(undefined),
      left(undefined, 300_000n),
      left(400_000n, 300_000n),
      left(30_000n, 300_000n),
      left(60_000_000n),
    ]).toEqual([50_000_000n, 300_000n, 300_000n, 30_000n, 50_000_000n]);
  });

  it('calls report reverts, halts and refusals with the texts of geth', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    const run = (code: string, more: object = {}) =>
      ethereum.call(dev.state, at, { to, ...more }, [{ address: to, code: bytesOf(code) }], {});
    expect(run('0x602a60005260206000fd')).toMatchObject({ kind: 'revert' });
    expect(run('0xfe')).toMatchObject({ kind: 'halt', message: 'invalid opcode: INVALID' });
    expect(run('0x00', { gas: 100n })).toEqual({
      kind: 'refused',
      message: 'err: intrinsic gas too low: have 100, want 21000 (supplied gas 100)',
    });
    expect(run('0x00', { from: addressOf(9), value: 1n })).toEqual({
      kind: 'refused',
      message: `err: insufficient funds for gas * price + value: address ${signer(9).address} have 0 want 1 (supplied gas 50000000)`,
    });
  });

  it('an access list names what a call touches, with the gas that the call uses with it', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const [to, inner] = [addressOf(7), addressOf(8)];
    const slotOf = (value: number): Uint8Array =>
      Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? value : 0));
    // Reads slots 3 and 4 and asks for the balance of the inner account.
    const code = `0x600354506004545073${Buffer.from(inner).toString('hex')}3150`;
    const call = { from: addressOf(0), to };
    const result = ethereum.createAccessList(dev.state, at, call, [{ address: to, code: bytesOf(`${code}00`) }]);
    if (result.kind !== 'list') throw new Error(result.kind);
    expect(result).toMatchObject({
      accessList: [
        { address: to, storageKeys: [slotOf(3), slotOf(4)] },
        { address: inner, storageKeys: [] },
      ],
    });
    expect(result).not.toHaveProperty('error');
    const again = ethereum.call(
      dev.state,
      at,
      { ...call, accessList: result.accessList },
      [{ address: to, code: bytesOf(`${code}00`) }],
      {},
    );
    expect(again).toMatchObject({ kind: 'success', gasUsed: result.gasUsed });
    expect(
      ethereum.createAccessList(dev.state, at, call, [{ address: to, code: bytesOf(`${code}60006000fd`) }]),
    ).toMatchObject({ kind: 'list', error: 'execution reverted' });
    expect(ethereum.createAccessList(dev.state, at, { ...call, value: 1n << 200n }, [])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('insufficient funds'),
    });
  });

  it('an access list grows until the call touches nothing else', () => {
    const dev = ethereumChain();
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    // Reads slot 1; when that took less than 1,000 gas (because it was listed), slot 2 as well.
    const edits = [{ address: to, code: bytesOf('0x5a600154505a90036103e8901115601257005b60025400') }];
    const result = ethereum.createAccessList(dev.state, at, { from: addressOf(0), to }, edits);
    expect(
      result.kind === 'list' && result.accessList.map(({ storageKeys }) => storageKeys.map((key) => key[31])),
    ).toEqual([[1, 2]]);
  });

  it('a mined transaction is traced over the block before it', async () => {
    const dev = ethereumChain();
    const before = dev.state;
    const txs = [
      await tx(0, { to: signer(1).address, nonce: 0, value: 5n }),
      await tx(0, { to: signer(2).address, nonce: 1, value: 7n }),
    ];
    const block = dev.next(txs);
    dev.execute(block);
    const { ethereum } = calls(dev);
    const [, trace] = ethereum.traceTransactions(before, block, [1], '{"tracer":"callTracer"}');
    if (trace?.ok !== true) throw new Error(trace?.message);
    expect(JSON.parse(trace.json)).toMatchObject({
      from: signer(0).address.toLowerCase(),
      to: signer(2).address.toLowerCase(),
      value: '0x7',
      type: 'CALL',
      gasUsed: '0x5208',
    });
  });

  it('a call is traced between two transactions of a block', async () => {
    const dev = ethereumChain();
    const before = dev.state;
    const to = signer(2).address;
    const txs = [await tx(0, { to, nonce: 0, value: 5n }), await tx(0, { to, nonce: 1, value: 7n })];
    const block = dev.next(txs);
    dev.execute(block);
    const { ethereum } = calls(dev);
    const code = new Uint8Array(20).fill(0xcc);
    // answers the balance of the receiver
    const overrides = [{ address: code, code: bytesOf(`73${to.slice(2)}315f5260205ff3`) }];
    const balances = [0, 1, 2].map((index) => {
      const trace = ethereum.traceCallWithin(
        before,
        block,
        index,
        { to: code },
        overrides,
        {},
        '{"tracer":"callTracer"}',
      );
      if (!trace.ok) throw new Error(trace.message);
      return BigInt((JSON.parse(trace.json) as { readonly output: string }).output);
    });
    const [start = 0n] = balances;
    expect(balances).toEqual([start, start + 5n, start + 12n]);
  });

  it('transactions of a block that are traced together have the same traces as alone', async () => {
    const dev = ethereumChain();
    const before = dev.state;
    const txs = [
      await tx(0, { data: deploying('4760005260206000f3'), nonce: 0, gas: 150_000n }),
      send(1, 0n, 2, 5n),
      await tx(0, { to: signer(2).address, nonce: 1, value: 7n }),
      await tx(2, { to: signer(0).address, nonce: 0, value: 1n }),
      await tx(1, { to: signer(0).address, nonce: 1, value: 1n }),
    ];
    const block = dev.next(txs);
    const { ethereum } = calls(dev);
    for (const options of ['{"tracer":"prestateTracer"}', '{"tracer":"callTracer"}', '{}']) {
      const alone = (index: number) => [...ethereum.traceTransactions(before, block, [index], options)][index];
      const together = [...ethereum.traceTransactions(before, block, [0, 2, 3, 4], options)];
      expect(together).toEqual([alone(0), undefined, alone(2), alone(3), alone(4)]);
      expect(together.map((trace) => trace?.ok)).toEqual([true, undefined, true, true, true]);
    }
    expect([...ethereum.traceTransactions(before, block, [0, 2], '{}')]).toHaveLength(3);
    expect([...ethereum.traceTransactions(before, block, [], '{}')]).toEqual([]);
  });

  it('a prestate trace has nonce and balance before the sender paid, and its diff those after', async () => {
    const dev = ethereumChain();
    dev.block(await tx(0, { to: signer(2).address, nonce: 0, value: 7n }));
    const before = dev.state;
    const was = facts(dev, 0);
    // the second of the block is traced over the first; a refund is given back
    const txs = [
      await tx(0, { to: signer(2).address, nonce: 1, value: 7n }),
      await tx(0, { to: signer(2).address, nonce: 2, value: 7n, gas: 90_000n }),
    ];
    const block = dev.next(txs);
    const { ethereum } = calls(dev);
    const prestate = (index: number, diffMode: boolean) => {
      const trace = [
        ...ethereum.traceTransactions(
          before,
          block,
          [index],
          JSON.stringify({ tracer: 'prestateTracer', tracerConfig: { diffMode } }),
        ),
      ][index];
      if (trace?.ok !== true) throw new Error(trace?.message);
      return JSON.parse(trace.json);
    };
    dev.block(...txs);
    const became = facts(dev, 0);
    const sender = signer(0).address.toLowerCase();
    expect(prestate(0, false)).toMatchObject({ [sender]: { nonce: 1, balance: hexQuantity(was.balance) } });
    const { pre, post } = prestate(1, true);
    expect(pre).toMatchObject({ [sender]: { nonce: 2 } });
    expect(post).toMatchObject({ [sender]: { nonce: 3, balance: hexQuantity(became.balance) } });
  });

  it('BLOCKHASH and the history contract return the hashes of earlier blocks', () => {
    const dev = ethereumChain();
    const hashes = [1, 2, 3].map((height) => {
      const executed = dev.execute({ ...dev.next([]), hash: new Uint8Array(32).fill(height) });
      return executed.kind === 'executed' ? headerHashesOf(executed.results)?.hash : undefined;
    });
    expect(hashes).not.toContainEqual(new Uint8Array(32).fill(2));
    const { ethereum, at } = calls(dev);
    const to = addressOf(7);
    const ask = (code: string, target = to, data?: Uint8Array) =>
      ethereum.call(
        dev.state,
        at,
        { to: target, ...(data === undefined ? {} : { data }) },
        [{ address: to, code: bytesOf(code) }],
        {},
      );
    expect(ask('0x60024060005260206000f3')).toMatchObject({ kind: 'success', output: hashes[1] });
    const number = new Uint8Array(32);
    number[31] = 2;
    expect(ask('0x00', bytesOf('0x0000f90827f1c53a10cb7a02335b175320002935'), number)).toMatchObject({
      kind: 'success',
      output: hashes[1],
    });
  });
});
