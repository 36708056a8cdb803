/** Conversions that are refused, and contracts that lie, over the recorded state of golden chain-a after height 145. */
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, test } from 'vitest';
import { Contexts } from '../../../../src/core/app/contexts.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { setMetadata } from '../../../../src/core/modules/bank/balances.js';
import { addCoins } from '../../../../src/core/modules/bank/transfer.js';
import { registerContract } from '../../../../src/core/modules/erc20/register.js';
import { deleteTokenPair, setTokenPair, tokenPairOf } from '../../../../src/core/modules/erc20/store.js';
import { callContract } from '../../../../src/core/modules/evm/internal-call.js';
import { codeHashKey, codeKey } from '../../../../src/core/modules/evm/store.js';
import { ensureAccount } from '../../../../src/core/modules/auth/accounts.js';
import { checksumAddress } from '../../../../src/core/keys/address.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { MetadataSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { Owner, TokenPairSchema } from '../../../../src/core/proto/cosmos/evm/erc20/v1/erc20_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { encodeAddress, moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { type Context, withStore } from '../../../../src/core/sdk/module/context.js';
import { GasMeter, MeteredStore, OutOfGas } from '../../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import { createEngineFactory } from '../../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../../src/runtime/evm/load-engine.js';
import { hasGolden } from '../../../support/golden.js';
import { readRecordedChain } from '../../../support/recorded-chain.js';
import { chain } from '../../app/recorded-evm.js';
import { crypto, fromHex, stateOf, toHex } from '../../app/support.js';
import { recordedWrites } from '../../app/recorded-state.js';
import { program } from '../../precompiles/program.js';
import { encode } from '../../../support/encode.js';

const HEIGHT = 145;
const TOKEN = fromHex('aa'.repeat(20));
const TOKEN_NAME = `0x${'aa'.repeat(20)}`;
const DENOM = `erc20:${TOKEN_NAME}`;
const OWNER = fromHex('40a0cb1c63e026a81b55ee1308586e21eec1efa9');
const OWNER_NAME = encodeAddress('cosmos', OWNER);
const GOVERNANCE = encodeAddress('cosmos', moduleAddress(crypto, 'gov'));
/** Code that returns a number from every call. */
const answers = (number: number): string => `60${number.toString(16).padStart(2, '0')}5f5260205ff3`;
const REVERTS = '5f5ffd';
/** Code that returns its counter, except for `transfer(address,uint256)`, for which it runs the given code. */
const countsUnless = (transfer: string): string => `5f3560e01c63a9059cbb146016575f545f5260205ff35b${transfer}`;
/** Adds the amount of a transfer to the counter. */
const COUNT = '5f54602435015f55';
/** Emits a Transfer event without its arguments. */
const TELL = '7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef5f5fa1';

describe.skipIf(!hasGolden)('conversions of erc20', () => {
  const heights = hasGolden ? readRecordedChain().filter(({ height }) => height <= HEIGHT) : [];
  const state = stateOf(hasGolden ? [...recordedWrites(), ...heights.flatMap(({ writes }) => writes)] : []);
  const proposer = fromHex(heights.at(-1)?.block.block.header.proposer_address ?? '');
  const router = new MessageRouter(evmd);
  const contexts = new Contexts({
    version: evmd,
    chain,
    crypto,
    router,
    evm: createEngineFactory(loadEngineModule(), crypto),
  });
  const at = { chainId: chain.chainId, height: toHeight(BigInt(HEIGHT)), time: toTimeNs(10n ** 18n) };
  let context: Context;

  beforeEach(() => {
    const scope = new BlockScope(new Uint8Array(32), proposer, new GasMeter(undefined));
    context = contexts.of(at, new CacheStore(state), 'deliver', scope);
    contexts.forget();
  });

  /** Registers the token pair of a contract with this code. */
  function putToken(code: string, enabled = true, contractOwner = Owner.EXTERNAL): void {
    const bytes = fromHex(code);
    const hash = crypto.keccak256(bytes);
    ensureAccount(context, TOKEN);
    if (code !== '') {
      context.store.set('evm', codeKey(hash), bytes);
      context.store.set('evm', codeHashKey(TOKEN), hash);
    }
    const pair = create(TokenPairSchema, { erc20Address: TOKEN_NAME, denom: DENOM, enabled, contractOwner });
    setTokenPair(context, pair, TOKEN);
  }

  function send<In extends DescMessage>(schema: In, message: MessageInitShape<In>): void {
    router.find(`/${schema.typeName}`).handle(context, encode(schema, message));
  }

  const convertTokens = (amount = '5', contractAddress = TOKEN_NAME): void =>
    send(pb.MsgConvertERC20Schema, { contractAddress, amount, receiver: OWNER_NAME, sender: `0x${toHex(OWNER)}` });
  const convertCoins = (amount = 5n, denom = DENOM): void =>
    send(pb.MsgConvertCoinSchema, { coin: coin(denom, amount), sender: OWNER_NAME, receiver: `0x${toHex(OWNER)}` });

  test.each([
    ['returns false', answers(0), 'failed to execute transfer: internal logic error'],
    ['returns true and moves nothing', answers(1), 'expected: 6, actual: 1: post transfer balance invariant failed'],
    ['reverts', REVERTS, 'failed to retrieve balance: EVM call unexpected error'],
    ['returns nothing', '00', 'failed to retrieve balance: EVM call unexpected error'],
    ['reverts the transfer', countsUnless(REVERTS), 'execution reverted: evm transaction execution failed'],
    ['emits no Transfer event', countsUnless(`${COUNT}00`), 'expected Transfer event: expected event'],
    [
      'emits two Transfer events',
      countsUnless(`${COUNT}${TELL}${TELL}00`),
      'duplicate Transfer event: unexpected event',
    ],
  ])('tokens of a contract that %s are not converted', (_, code, message) => {
    putToken(code);
    expect(() => convertTokens()).toThrow(message);
  });

  test.each([
    ['returns false', answers(0), 'failed to execute unescrow tokens from user: internal logic error'],
    ['returns true and moves nothing', answers(1), 'expected: 6, actual: 1: post transfer balance invariant failed'],
  ])('coins of a contract that %s are not converted', (_, code, message) => {
    putToken(code);
    addCoins(context, OWNER, [coin(DENOM, 9n)]);
    expect(() => convertCoins()).toThrow(message);
  });

  test('coins that the sender does not have are not converted', () => {
    putToken(answers(1));
    expect(() => convertCoins()).toThrow(/^failed to escrow coins: spendable balance 0erc20/);
  });

  test('a disabled pair converts nothing, nor does the coin of the chain', () => {
    putToken(answers(1), false);
    expect(() => convertTokens()).toThrow('is not enabled by governance: erc20 token pair is disabled');
    // evmd v0.6.0 panics with a nil pointer
    expect(() => convertCoins(5n, 'atest')).toThrow('nil pointer dereference');
    expect(() => convertCoins(5n, 'nope')).toThrow("token 'nope' not registered by id: token pair not found");
    putToken(answers(1), true, Owner.MODULE);
    expect(() => convertTokens()).toThrow('native coins manual conversion is disabled');
  });

  test('a pair without an owner converts nothing', () => {
    putToken(answers(1), true, Owner.UNSPECIFIED);
    expect(() => convertTokens()).toThrow('undefined owner of contract pair');
  });

  test.each([
    ['over a store without a meter pays for the EVM only', false],
    ['over a metered store also pays for the writes before a precompile runs', true],
  ])('a call %s', (_, isMetered) => {
    putToken(`60015f55${program([{ to: fromHex('0804'.padStart(40, '0')) }], 'return')}`);
    const gas = new GasMeter(undefined);
    const { store } = context;
    const within = withStore(context, isMetered ? new MeteredStore(store, gas) : store, [], gas);
    const call = { from: OWNER, to: TOKEN, data: new Uint8Array(), writes: true };
    const { gasUsed } = callContract(within, call);
    expect(gas.consumed === gasUsed).toBe(!isMetered);
  });

  const register = (): void => send(pb.MsgRegisterERC20Schema, { signer: OWNER_NAME, erc20addresses: [TOKEN_NAME] });
  /** Puts a contract that has no token pair. */
  function putContract(code: string): void {
    putToken(code);
    const pair = tokenPairOf(context, TOKEN_NAME);
    if (pair !== undefined) deleteTokenPair(context, pair, TOKEN);
  }

  test('a contract is registered once, if its denom is free and it returns its decimals', () => {
    putToken(answers(6));
    expect(register).toThrow(/^token ERC20 contract already registered: 0x\w+: token pair already exists$/);
    putContract('6101ff5f5260205ff3');
    expect(register).toThrow('abi: improperly encoded uint8 value: contract ABI unpack failed');
    putContract(answers(6));
    setMetadata(context, create(MetadataSchema, { base: `erc20:${checksumAddress(crypto, TOKEN)}` }));
    expect(register).toThrow('denom metadata already registered: internal ethereum token mapping error');
  });

  test('a registration whose gas ends in a call of the contract fails with out of gas alone', () => {
    putContract(answers(6));
    const gas = new GasMeter(20_000n);
    const metered = { ...context, gas, store: new MeteredStore(context.store, gas) };
    expect(() => registerContract(metered, TOKEN)).toThrow(OutOfGas);
  });

  test('a conversion removes the pair of a contract without code', () => {
    putToken('');
    convertTokens();
    expect(tokenPairOf(context, TOKEN_NAME)).toBeUndefined();
  });

  test('malformed messages are refused', () => {
    expect(() => convertTokens('0')).toThrow('cannot mint a non-positive amount: invalid coins');
    expect(() => convertTokens('5', '0x12')).toThrow("invalid contract hex address '0x12': invalid address");
    expect(() => send(pb.MsgRegisterERC20Schema, { signer: OWNER_NAME, erc20addresses: ['0x1'] })).toThrow(
      'invalid ERC20 contract address: 0x1: invalid address',
    );
    expect(() => send(pb.MsgRegisterERC20Schema, { signer: OWNER_NAME, erc20addresses: [TOKEN_NAME] })).toThrow(
      'failed to create wrapped coin denom metadata for ERC20',
    );
  });

  test('only governance changes pairs and parameters', () => {
    putToken(answers(1));
    const refused = /^invalid authority; expected cosmos1\w+, got cosmos1\w+: expected gov account/;
    expect(() => send(pb.MsgToggleConversionSchema, { authority: OWNER_NAME, token: DENOM })).toThrow(refused);
    expect(() => send(pb.MsgUpdateParamsSchema, { authority: OWNER_NAME })).toThrow(refused);
    expect(() => send(pb.MsgUpdateParamsSchema, { authority: TOKEN_NAME })).toThrow(
      'Invalid authority address: decoding bech32 failed',
    );
    send(pb.MsgToggleConversionSchema, { authority: GOVERNANCE, token: DENOM });
    expect(tokenPairOf(context, DENOM)?.enabled).toBe(false);
    send(pb.MsgUpdateParamsSchema, { authority: GOVERNANCE, params: { enableErc20: false } });
    expect(() => convertTokens()).toThrow('module is currently disabled by governance: erc20 module is disabled');
  });
});
