import { type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { FinalizeBlockResult } from '../../../src/core/application-requests.js';
import { encodeAddress, moduleAddress } from '../../../src/core/sdk/codec/address.js';
import type { AppVersion } from '../../../src/core/sdk/module/app-version.js';
import type { Module } from '../../../src/core/sdk/module/module.js';
import { chronicle } from '../../../src/core/app/presets.js';
import { SdkError } from '../../../src/core/sdk/module/sdk-error.js';
import { MsgUpdateParamsSchema as AuthUpdate } from '../../../src/core/proto/cosmos/auth/v1beta1/tx_pb.js';
import {
  QueryParamsRequestSchema as AuthParamsQuery,
  QueryParamsResponseSchema as AuthParamsAnswer,
} from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import * as bankQuery from '../../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import {
  MsgSendSchema,
  MsgSetSendEnabledSchema,
  MsgUpdateParamsSchema as BankUpdate,
} from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import {
  QueryParamsRequestSchema,
  QueryParamsResponseSchema,
} from '../../../src/core/proto/cosmos/consensus/v1/query_pb.js';
import { MsgUpdateParamsSchema } from '../../../src/core/proto/cosmos/consensus/v1/tx_pb.js';
import { MsgUpdateParamsSchema as FeeMarketUpdate } from '../../../src/core/proto/cosmos/evm/feemarket/v1/tx_pb.js';
import { AccessType } from '../../../src/core/proto/cosmos/evm/vm/v1/evm_pb.js';
import { MsgUpdateParamsSchema as EvmUpdate } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { account, codes, DevChain, signed } from './dev-chain.js';
import { crypto } from './support.js';
import { encode } from '../../support/encode.js';

const GOV = encodeAddress('chron', moduleAddress(crypto, 'gov'));
const SECONDS = (seconds: bigint) => ({ seconds, nanos: 0 });
const BLOCK = { maxBytes: 1_000_000n, maxGas: 30_000_000n };
const EVIDENCE = { maxAgeNumBlocks: 100n, maxAgeDuration: SECONDS(1_000n), maxBytes: 10_000n };
const VALIDATOR = { pubKeyTypes: ['ed25519'] };
const AUTH = {
  maxMemoCharacters: 10n,
  txSigLimit: 7n,
  txSizeCostPerByte: 10n,
  sigVerifyCostEd25519: 590n,
  sigVerifyCostSecp256k1: 1000n,
};

/** A chain whose begin blocker executes a message as the gov account, as a passed proposal would. */
class GovernedChain extends DevChain {
  readonly #council: Council;

  constructor() {
    const council: Council = { decree: undefined, failure: undefined };
    const module: Module = {
      name: 'council',
      store: 'council',
      consensusVersion: 1n,
      initGenesis: () => undefined,
      exportGenesis: () => null,
      messages: [],
      queries: [],
      beginBlock(context) {
        const { decree } = council;
        const handler = chronicle.modules
          .flatMap(({ messages }) => messages)
          .find(({ typeUrl }) => typeUrl === decree?.typeUrl);
        if (decree === undefined || handler === undefined) return;
        try {
          handler.handle(context, decree.value);
        } catch (error) {
          if (!(error instanceof SdkError)) throw error;
          council.failure = error;
        }
      },
    };
    const version: AppVersion = {
      ...chronicle,
      modules: [...chronicle.modules, module],
      initOrder: [...chronicle.initOrder, 'council'],
      beginBlockOrder: [...chronicle.beginBlockOrder, 'council'],
      stores: [...chronicle.stores, 'council'],
    };
    super({ version });
    this.#council = council;
  }

  /** Executes the message in the next block; returns codespace, code and text of its failure, and the block. */
  decree<Desc extends DescMessage>(
    schema: Desc,
    message: MessageInitShape<Desc>,
    ...txs: readonly Uint8Array[]
  ): { readonly failure: readonly unknown[] | undefined; readonly block: FinalizeBlockResult } {
    const council = this.#council;
    Object.assign(council, {
      decree: { typeUrl: `/${schema.typeName}`, value: encode(schema, message) },
      failure: undefined,
    });
    const block = this.block(...txs);
    council.decree = undefined;
    const { failure } = council;
    return { failure: failure && [failure.registered.codespace, failure.registered.code, failure.message], block };
  }
}

interface Council {
  decree: { readonly typeUrl: string; readonly value: Uint8Array } | undefined;
  failure: SdkError | undefined;
}

const send = (from: number, sequence: bigint, amount = 1n, denom = 'achr', change = {}) =>
  signed(
    from,
    sequence,
    MsgSendSchema,
    { fromAddress: account(from).address, toAddress: account(3).address, amount: [{ denom, amount: String(amount) }] },
    change,
  );
const result = (block: FinalizeBlockResult, index: number) =>
  block.kind === 'executed' ? block.results.txResults[index] : undefined;

describe('an update of parameters that is not signed by gov is refused', () => {
  const dev = new DevChain();
  const authority = account(0).address;
  it.each([
    [
      'auth',
      signed(0, 0n, AuthUpdate, { authority, params: AUTH }),
      'undefined',
      1,
      `expected gov account as only signer for proposal message; invalid authority; expected ${GOV}, got ${authority}`,
    ],
    [
      'bank',
      signed(0, 1n, BankUpdate, { authority, params: { defaultSendEnabled: false } }),
      'gov',
      13,
      `invalid authority; expected ${GOV}, got ${authority}: expected gov account as only signer for proposal message`,
    ],
    [
      'bank send switches',
      signed(0, 2n, MsgSetSendEnabledSchema, { authority, sendEnabled: [{ denom: 'achr', enabled: false }] }),
      'gov',
      13,
      `invalid authority; expected ${GOV}, got ${authority}: expected gov account as only signer for proposal message`,
    ],
    [
      'consensus',
      signed(0, 3n, MsgUpdateParamsSchema, { authority, block: BLOCK, evidence: EVIDENCE, validator: VALIDATOR }),
      'gov',
      13,
      `invalid authority; expected ${GOV}, got ${authority}: expected gov account as only signer for proposal message`,
    ],
    [
      'upgrade',
      signed(1, 0n, MsgSoftwareUpgradeSchema, { authority: account(1).address, plan: { name: 'x', height: 9n } }),
      'upgrade',
      6,
      `expected ${GOV} got ${account(1).address}: expected authority account as only signer for proposal message`,
    ],
  ])('by module %s', (_name, tx, codespace, code, text) => {
    expect(result(dev.block(tx), 0)).toMatchObject({
      codespace,
      code,
      log: `failed to execute message; message index: 0: ${text}`,
    });
  });
});

describe('auth parameters', () => {
  it('apply from the next transaction on', () => {
    const dev = new GovernedChain();
    const { failure, block } = dev.decree(
      AuthUpdate,
      { authority: GOV, params: { ...AUTH, txSigLimit: 1n, txSizeCostPerByte: 1_000n } },
      send(0, 0n),
    );
    expect(failure).toBe(undefined);
    expect(result(block, 0)).toMatchObject({ code: 11, codespace: 'sdk' });
    expect(dev.query('/cosmos.auth.v1beta1.Query/Params', AuthParamsQuery, {}, AuthParamsAnswer).params).toMatchObject({
      txSizeCostPerByte: 1_000n,
      maxMemoCharacters: 10n,
    });
  });

  it.each([
    ['txSigLimit', 'invalid tx signature limit: 0'],
    ['sigVerifyCostEd25519', 'invalid ED25519 signature verification cost: 0'],
    ['sigVerifyCostSecp256k1', 'invalid SECK256k1 signature verification cost: 0'],
    ['maxMemoCharacters', 'invalid max memo characters: 0'],
    ['txSizeCostPerByte', 'invalid tx size cost per byte: 0'],
  ] as const)('are refused when %s is zero', (name, text) => {
    expect(new GovernedChain().decree(AuthUpdate, { authority: GOV, params: { ...AUTH, [name]: 0n } }).failure).toEqual(
      ['undefined', 1, text],
    );
  });
});

describe('bank parameters', () => {
  it('give the default for sends, send_enabled entries override it, and a removed entry restores it', () => {
    const dev = new GovernedChain();
    expect(
      codes(dev.decree(BankUpdate, { authority: GOV, params: { defaultSendEnabled: false } }, send(0, 0n)).block),
    ).toEqual([5]);
    expect(result(dev.block(send(0, 1n)), 0)?.log).toBe(
      'failed to execute message; message index: 0: achr transfers are currently disabled: send transactions are disabled',
    );
    expect(
      codes(
        dev.decree(
          MsgSetSendEnabledSchema,
          {
            authority: GOV,
            sendEnabled: [
              { denom: 'achr', enabled: true },
              { denom: 'other', enabled: false },
            ],
          },
          send(0, 2n),
        ).block,
      ),
    ).toEqual([0]);
    const { sendEnabled } = dev.query(
      '/cosmos.bank.v1beta1.Query/SendEnabled',
      bankQuery.QuerySendEnabledRequestSchema,
      {},
      bankQuery.QuerySendEnabledResponseSchema,
    );
    expect(sendEnabled.map(({ denom, enabled }) => [denom, enabled])).toEqual([
      ['achr', true],
      ['other', false],
    ]);
    expect(
      codes(dev.decree(MsgSetSendEnabledSchema, { authority: GOV, useDefaultFor: ['achr'] }, send(0, 3n)).block),
    ).toEqual([5]);
  });

  it('refuse the old send_enabled field, and absent parameters disable sends', () => {
    const dev = new GovernedChain();
    expect(
      dev.decree(BankUpdate, { authority: GOV, params: { sendEnabled: [{ denom: 'achr', enabled: true }] } }).failure,
    ).toEqual(['undefined', 1, 'use of send_enabled in params is no longer supported']);
    expect(codes(dev.decree(BankUpdate, { authority: GOV }, send(0, 0n)).block)).toEqual([5]);
  });

  it.each([
    [
      {
        sendEnabled: [
          { denom: 'achr', enabled: true },
          { denom: 'achr', enabled: false },
        ],
      },
      'duplicate denom entries found for "achr": invalid request',
    ],
    [
      { sendEnabled: [{ denom: '!', enabled: true }] },
      'invalid SendEnabled denom "!": invalid denom: !: invalid request',
    ],
    [{ useDefaultFor: ['?'] }, 'invalid UseDefaultFor denom "?": invalid denom: ?: invalid request'],
  ])('refuse MsgSetSendEnabled with %j', (request, text) => {
    expect(new GovernedChain().decree(MsgSetSendEnabledSchema, { authority: GOV, ...request }).failure).toEqual([
      'sdk',
      18,
      text,
    ]);
  });
});

describe('fee market parameters', () => {
  const FEE_MARKET = {
    baseFeeChangeDenominator: 8,
    elasticityMultiplier: 2,
    baseFee: '7',
    minGasPrice: '0',
    minGasMultiplier: '0',
  };
  it.each([
    ['base fee change denominator cannot be 0', undefined],
    ['base fee change denominator cannot be 0', { ...FEE_MARKET, baseFeeChangeDenominator: 0 }],
    ['enable height cannot be negative: -1', { ...FEE_MARKET, enableHeight: -1n, elasticityMultiplier: 0 }],
    ['elasticity multiplier cannot be zero: 0', { ...FEE_MARKET, elasticityMultiplier: 0 }],
    [
      'value cannot be greater than 1: 1.500000000000000000',
      { ...FEE_MARKET, minGasMultiplier: '1500000000000000000' },
    ],
    ['initial base fee cannot be negative: -0.000000000000000007', { ...FEE_MARKET, baseFee: '-7' }],
    ['value cannot be negative: -0.000000000000000001', { ...FEE_MARKET, minGasMultiplier: '-1' }],
    ['value cannot be negative: -0.000000000000000002', { ...FEE_MARKET, minGasPrice: '-2' }],
    ['invalid parameter: nil', { ...FEE_MARKET, minGasPrice: '' }],
  ])('are refused with "%s"', (text, params) => {
    expect(new GovernedChain().decree(FeeMarketUpdate, { authority: GOV, ...(params && { params }) }).failure).toEqual([
      'undefined',
      1,
      text,
    ]);
  });

  it('are refused when the base fee is absent (a panic in Go) or not an integer', () => {
    const update = (baseFee: string) =>
      new GovernedChain().decree(FeeMarketUpdate, { authority: GOV, params: { ...FEE_MARKET, baseFee } }).failure;
    expect(update('')).toEqual([
      'undefined',
      111222,
      'recovered: runtime error: invalid memory address or nil pointer dereference: panic',
    ]);
    expect(update('1.5')).toEqual(['sdk', 2, 'math/big: cannot unmarshal "1.5" into a *big.Int: tx parse error']);
  });
});

describe('EVM parameters', () => {
  const [p256, bech32] = ['0x0000000000000000000000000000000000000100', '0x0000000000000000000000000000000000000400'];
  const EVM = { evmDenom: 'achr', activeStaticPrecompiles: [p256, bech32], historyServeWindow: 8192n };
  const update = (params: MessageInitShape<typeof EvmUpdate>['params'], authority = GOV) =>
    new GovernedChain().decree(EvmUpdate, { authority, ...(params && { params }) }).failure;

  it('are stored when they are valid', () => {
    expect(
      update({
        ...EVM,
        extraEips: [1153n, 7939n],
        evmChannels: ['channel-0'],
        accessControl: { create: { accessType: AccessType.RESTRICTED } },
      }),
    ).toBeUndefined();
  });

  it.each([
    [`precompiles need to be sorted: [${bech32} ${p256}]`, { activeStaticPrecompiles: [bech32, p256] }],
    [`duplicate precompile ${p256}`, { activeStaticPrecompiles: [p256, p256] }],
    ['invalid precompile 0x100', { activeStaticPrecompiles: ['0x100'] }],
    ['invalid access type: 7', { accessControl: { create: { accessType: 7 } } }],
    ['invalid access type: -1', { accessControl: { call: { accessType: -1 } } }],
    ['invalid whitelist address: 0xzz', { accessControl: { call: { accessControlList: ['0xzz'] } } }],
    [
      'EIP 3 is not activateable, valid EIPs are: [0 1 1153 1344 1884 2 2200 2929 3198 3529 3855 3860 4762 5656 6780 7702 7939]',
      { extraEips: [3n] },
    ],
    ['found duplicate EIP: 1344', { extraEips: [1344n, 1344n] }],
  ])('are refused with "%s"', (text, change) => {
    expect(update({ ...EVM, ...change })).toEqual(['undefined', 1, text]);
  });

  it('may activate EIPs that raise the prices of instructions', () => {
    expect(update({ ...EVM, extraEips: [0n, 1n, 2n, 1884n] })).toBeUndefined();
  });

  it.each([2200n, 2929n, 4762n])('are refused when they activate EIP %s, which is not supported', (eip) => {
    expect(update({ ...EVM, extraEips: [1153n, eip] })).toEqual([
      'sdk',
      37,
      `extra_eips: EIP ${eip} is not supported: feature not supported`,
    ]);
  });

  it.each([
    ['identifier cannot be blank', ' '],
    ["identifier channel/0 cannot contain separator '/'", 'channel/0'],
    ['identifier channel has invalid length: 7, must be between 8-64 characters', 'channel'],
    [
      "identifier channel 0 must contain only alphanumeric or the following characters: '.', '_', '+', '-', '#', '[', ']', '<', '>'",
      'channel 0',
    ],
  ])('refuse an EVM channel with "%s"', (text, channel) => {
    expect(update({ ...EVM, evmChannels: [channel] })).toEqual([
      'channel',
      18,
      `${text}: invalid identifier: invalid channel identifier`,
    ]);
  });

  it('may restrict create and call to lists of addresses', () => {
    const accessControlList = [bech32];
    const accessType = AccessType.PERMISSIONED;
    expect(update({ ...EVM, accessControl: { create: { accessType, accessControlList } } })).toBeUndefined();
    expect(update({ ...EVM, accessControl: { call: { accessControlList } } })).toBeUndefined();
  });

  it.each([
    ['', 'empty address string is not allowed'],
    ['chron1', 'decoding bech32 failed: invalid bech32 string length 6'],
    [encodeAddress('cosmos', moduleAddress(crypto, 'gov')), 'invalid Bech32 prefix; expected chron, got cosmos'],
  ])('are refused from the malformed authority "%s"', (authority, text) => {
    expect(update(EVM, authority)).toEqual(['undefined', 1, `invalid authority address: ${text}`]);
  });
});

describe('consensus parameters', () => {
  it('replace the current ones and are returned to consensus, without the version', () => {
    const dev = new GovernedChain();
    const { failure, block } = dev.decree(MsgUpdateParamsSchema, {
      authority: GOV,
      block: { maxBytes: 2_000n, maxGas: 500_000n },
      evidence: { ...EVIDENCE, maxBytes: 1_000n },
      validator: VALIDATOR,
    });
    expect(failure).toBe(undefined);
    expect(block.kind === 'executed' && block.results.consensusParamUpdates?.block).toMatchObject({
      maxBytes: 2_000n,
      maxGas: 500_000n,
    });
    const told =
      block.kind === 'executed'
        ? block.results.events.find(({ type }) => type === 'update_consensus_params')
        : undefined;
    expect(told?.attributes.filter(({ key }) => key !== 'mode').map(({ key, value }) => [key, value])).toEqual([
      ['authority', GOV],
      [
        'parameters',
        'block:<max_bytes:2000 max_gas:500000 > evidence:<max_age_num_blocks:100 max_age_duration:<seconds:1000 > max_bytes:1000 > validator:<pub_key_types:"ed25519" > version:<> ',
      ],
    ]);
    expect(
      dev.query('/cosmos.consensus.v1.Query/Params', QueryParamsRequestSchema, {}, QueryParamsResponseSchema).params
        ?.evidence?.maxBytes,
    ).toBe(1_000n);
    expect(result(dev.block(send(0, 0n, 1n, 'achr', { gas: 600_000n })), 0)?.log).toBe(
      'tx gas limit 600000 exceeds block max gas 500000: invalid gas limit',
    );
  });

  it.each([
    ['all parameters must be present', { validator: VALIDATOR, evidence: EVIDENCE }],
    ['block.MaxBytes cannot be 0', { block: { ...BLOCK, maxBytes: 0n } }],
    ['block.MaxBytes must be -1 or greater than 0. Got -2', { block: { ...BLOCK, maxBytes: -2n } }],
    ['block.MaxBytes is too big. 104857601 > 104857600', { block: { ...BLOCK, maxBytes: 104_857_601n } }],
    ['block.MaxGas must be greater or equal to -1. Got -2', { block: { ...BLOCK, maxGas: -2n } }],
    ['evidence.MaxAgeNumBlocks must be greater than 0. Got 0', { evidence: { ...EVIDENCE, maxAgeNumBlocks: 0n } }],
    [
      'evidence.MaxAgeDuration must be grater than 0 if provided, Got 0s',
      { evidence: { ...EVIDENCE, maxAgeDuration: SECONDS(0n) } },
    ],
    [
      'evidence.MaxAgeDuration must be grater than 0 if provided, Got -1m30s',
      { evidence: { ...EVIDENCE, maxAgeDuration: SECONDS(-90n) } },
    ],
    [
      'evidence.MaxBytesEvidence is greater than upper bound, 104857601 > -1',
      { block: { ...BLOCK, maxBytes: -1n }, evidence: { ...EVIDENCE, maxBytes: 104_857_601n } },
    ],
    ['ABCI.VoteExtensionsEnableHeight cannot be negative. Got: -1', { abci: { voteExtensionsEnableHeight: -1n } }],
    [
      'evidence.MaxBytesEvidence is greater than upper bound, 1000001 > 1000000',
      { evidence: { ...EVIDENCE, maxBytes: 1_000_001n } },
    ],
    ['evidence.MaxBytes must be non negative. Got: -1', { evidence: { ...EVIDENCE, maxBytes: -1n } }],
    ['len(Validator.PubKeyTypes) must be greater than 0', { validator: { pubKeyTypes: [] } }],
    [
      'params.Validator.PubKeyTypes[1], bls, is an unknown pubkey type',
      { validator: { pubKeyTypes: ['ed25519', 'bls'] } },
    ],
    ['vote extensions are not supported', { abci: { voteExtensionsEnableHeight: 5n } }],
    // Found by comparison with evmd v0.6.0: `test/peer/messages`, seed 9532.
    [
      'vote extensions cannot be updated to a past or current height, enable height: 1, current height 1',
      { abci: { voteExtensionsEnableHeight: 1n } },
    ],
    [
      'params.Validator.PubKeyTypes[0], bls, is an unknown pubkey type',
      { abci: { voteExtensionsEnableHeight: 1n }, validator: { pubKeyTypes: ['bls'] } },
    ],
  ])('are refused with "%s"', (text, change) => {
    const complete = text.startsWith('all')
      ? change
      : { block: BLOCK, evidence: EVIDENCE, validator: VALIDATOR, ...change };
    const dev = new GovernedChain();
    const before = dev.query(
      '/cosmos.consensus.v1.Query/Params',
      QueryParamsRequestSchema,
      {},
      QueryParamsResponseSchema,
    );
    expect(dev.decree(MsgUpdateParamsSchema, { authority: GOV, ...complete }).failure).toEqual(['undefined', 1, text]);
    expect(
      dev.query('/cosmos.consensus.v1.Query/Params', QueryParamsRequestSchema, {}, QueryParamsResponseSchema),
    ).toEqual(before);
  });
});

describe('block gas limit', () => {
  /** A block may use a little more than one send of about 100,000 gas. */
  const chain = (): GovernedChain => {
    const dev = new GovernedChain();
    const used = result(dev.block(send(0, 0n)), 0)?.gasUsed ?? 0n;
    dev.decree(MsgUpdateParamsSchema, {
      authority: GOV,
      block: { ...BLOCK, maxGas: used + used / 2n },
      evidence: EVIDENCE,
      validator: VALIDATOR,
    });
    return dev;
  };
  const small = { gas: 130_000n };

  it('fails the transaction that exceeds it, which still pays its fee, and skips the rest of the block', () => {
    const dev = chain();
    const funds = (address: string): bigint =>
      BigInt(
        dev.query(
          '/cosmos.bank.v1beta1.Query/Balance',
          bankQuery.QueryBalanceRequestSchema,
          { address, denom: 'achr' },
          bankQuery.QueryBalanceResponseSchema,
        ).balance?.amount ?? '0',
      );
    const [sender, receiver, third] = [funds(account(1).address), funds(account(3).address), funds(account(2).address)];
    const block = dev.block(
      send(0, 1n, 10n, 'achr', small),
      send(1, 0n, 10n, 'achr', small),
      send(2, 0n, 10n, 'achr', small),
    );
    expect(codes(block)).toEqual([0, 11, 11]);
    const over = result(block, 1);
    expect(over?.log).toBe(
      `out of gas in location: block gas meter; gasWanted: 130000, gasUsed: ${over?.gasUsed}: out of gas`,
    );
    expect(result(block, 2)).toMatchObject({
      log: 'no block gas left to run tx: out of gas',
      gasWanted: 0n,
      gasUsed: 0n,
    });
    expect(funds(account(3).address) - receiver).toBe(10n);
    expect([funds(account(1).address) < sender, funds(account(2).address)]).toEqual([true, third]);
    expect(codes(dev.block(send(2, 0n, 10n, 'achr', small)))).toEqual([0]);
  });

  // Found by comparison with evmd v0.6.0: `test/peer/messages`, seed 9678.
  it('is checked after a transaction is decoded', () => {
    const over = [send(0, 1n, 10n, 'achr', small), send(1, 0n, 10n, 'achr', small)];
    expect(codes(chain().block(...over, Uint8Array.of(1, 2, 3), send(2, 0n, 10n, 'achr', small)))).toEqual([
      0, 11, 2, 11,
    ]);
  });

  it('also counts failed transactions, whose result says out of gas when they exceed it', () => {
    const dev = chain();
    const broke = send(1, 0n, 10n ** 30n, 'achr', small);
    expect(codes(dev.block(send(0, 1n, 10n, 'achr', small), broke))).toEqual([0, 11]);
    expect(codes(dev.block(send(1, 1n, 10n ** 30n, 'achr', small)))).toEqual([5]);
  });
});
