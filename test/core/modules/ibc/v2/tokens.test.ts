/** ERC-20 tokens in transfers of IBC v2, and the ICS-20 precompile. */
import { create } from '@bufbuild/protobuf';
import { encodeFunctionData, getAddress, type Hex, hexToBigInt, parseAbi, toHex } from 'viem';
import { expect, test } from 'vitest';
import { ensureAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { setMetadata, setSendEnabled } from '../../../../../src/core/modules/bank/balances.js';
import { setTokenPair, tokenPairOfDenom } from '../../../../../src/core/modules/erc20/store.js';
import { TOKEN_CODE } from '../../../../../src/core/modules/erc20/token-code.js';
import { codeHashKey, codeKey, storageKey } from '../../../../../src/core/modules/evm/store.js';
import { MetadataSchema } from '../../../../../src/core/proto/cosmos/bank/v1beta1/bank_pb.js';
import { Owner, TokenPairSchema } from '../../../../../src/core/proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { MsgConvertERC20Schema } from '../../../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import type { AppVersion } from '../../../../../src/core/sdk/module/app-version.js';
import type { Context } from '../../../../../src/core/sdk/module/context.js';
import { later } from '../../../app/later-chain.js';
import { crypto, fromHex } from '../../../app/support.js';
import { anyOf, IbcChain } from '../chains/chain.js';
import { balanceOf, supplyOf, voucherOf } from '../chains/coins.js';
import { createClients, deliver, type End, synchronize, update } from '../chains/relay.js';
import { escrowOf, inSeconds, packetOf, pair, receive, relay, send, shown, timeout, after } from './relay.js';

const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(string sourcePort, string sourceChannel, string denom, uint256 amount, address sender, string receiver, (uint64 revisionNumber, uint64 revisionHeight) timeoutHeight, uint64 timeoutTimestamp, string memo) returns (uint64)',
]);
const TOKEN = getAddress(`0x${'aa'.repeat(20)}`);
const CONTRACT = fromHex(TOKEN.slice(2));
const DENOM = `erc20:${TOKEN}`;
const SENDER = `0x${'0802'.padStart(40, '0')}` as const;

function path(version?: AppVersion): { a: End; b: End } {
  const first = { evm: true, ...(version && { version, denom: 'achr', prefix: 'chron' }) };
  return pair(
    createClients(
      new IbcChain('alpha-1', first),
      new IbcChain('beta-4', { evm: true, prefix: 'other', denom: 'abeta' }),
    ),
  );
}

function change({ chain }: End, action: (context: Context) => void): void {
  const context = chain.context();
  action(context);
  chain.keep(context);
  chain.block();
  chain.block();
}

const hexOf = ({ chain }: End, index: number): Hex => toHex(chain.accountBytes(index));
const tokensOf = (end: End, token: Hex, index: number): bigint =>
  hexToBigInt(
    end.chain.call(token, encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [hexOf(end, index)] })),
  );

/** A contract in which account 0 has a thousand tokens, four hundred of them as coins. */
function withToken(end: End): void {
  const { chain } = end;
  const code = fromHex(TOKEN_CODE.slice(2));
  const hash = crypto.keccak256(code);
  const word = (digits: string): Uint8Array => fromHex(digits.padStart(64, '0'));
  change(end, (context) => {
    ensureAccount(context, CONTRACT);
    context.store.set('evm', codeKey(hash), code);
    context.store.set('evm', codeHashKey(CONTRACT), hash);
    // the mapping of balances is the third variable
    const slot = crypto.keccak256(Buffer.concat([new Uint8Array(12), chain.accountBytes(0), word('02')]));
    context.store.set('evm', storageKey(CONTRACT, slot), word('03e8'));
    const facts = { erc20Address: TOKEN, denom: DENOM, enabled: true, contractOwner: Owner.EXTERNAL };
    setTokenPair(context, create(TokenPairSchema, facts), CONTRACT);
    setMetadata(context, create(MetadataSchema, { base: DENOM }));
  });
  deliver(end, [
    anyOf(MsgConvertERC20Schema, {
      contractAddress: TOKEN,
      amount: '400',
      receiver: chain.account(0),
      sender: hexOf(end, 0),
    }),
  ]);
}

test('a voucher becomes an ERC-20 token with its first packet', () => {
  const { a, b } = path();
  const voucher = voucherOf(b, `transfer/${b.clientId}/${a.chain.denom}`);
  const token = getAddress(`0x${voucher.slice(-40)}`);
  const { received } = relay(a, b, send(a, b, a.chain.denom, 1_000n));
  expect(shown(received, 'register_erc20_extension')).toEqual([
    `source_channel=${a.clientId} erc20_token=${token} cosmos_coin=${voucher} msg_index=1`,
  ]);
  expect(tokensOf(b, token, 1)).toBe(1_000n);
  expect(tokenPairOfDenom(b.chain.context(), voucher)?.contractOwner).toBe(Owner.MODULE);
  const again = relay(a, b, send(a, b, a.chain.denom, 5n));
  expect(shown(again.received, 'register_erc20_extension')).toEqual([]);
});

test.each<[string, AppVersion | undefined]>([
  ['evmd', undefined],
  ['chronicle', later],
])('coins of a contract become its tokens again on return, refusal and timeout (%s)', (_, version) => {
  const { a, b } = path(version);
  withToken(a);
  expect([tokensOf(a, TOKEN, 0), balanceOf(a.chain, a.chain.account(0), DENOM)]).toEqual([600n, 400n]);
  relay(a, b, send(a, b, DENOM, 300n, { receiver: b.chain.account(0), encoding: 'application/x-solidity-abi' }));
  const voucher = voucherOf(b, `transfer/${b.clientId}/${DENOM}`);
  const back = send(b, a, voucher, 100n);
  // CheckTx executes the whole message, with the contract
  synchronize(a, b);
  const { known } = a;
  expect(a.chain.check(a.chain.tx(0, [update(a, b), receive(a, b, back)]))).toBe(' 0: ');
  a.known = known;
  a.chain.block();
  relay(b, a, back);
  expect([tokensOf(a, TOKEN, 1), balanceOf(a.chain, a.chain.account(1), DENOM)]).toEqual([100n, 0n]);
  relay(a, b, send(a, b, DENOM, 60n, { receiver: 'nobody' }));
  expect([tokensOf(a, TOKEN, 0), balanceOf(a.chain, a.chain.account(0), DENOM)]).toEqual([660n, 40n]);
  const late = send(a, b, DENOM, 40n, { timeoutTimestamp: inSeconds(a, 60n) });
  b.chain.block([], 120n);
  b.chain.block();
  expect(after(a, b, () => timeout(a, b, late)).log).toBe('');
  expect([tokensOf(a, TOKEN, 0), balanceOf(a.chain, a.chain.account(0), DENOM)]).toEqual([700n, 0n]);
  expect(supplyOf(a.chain, DENOM)).toBe(balanceOf(a.chain, escrowOf(a), DENOM));
});

test('coins stay coins when their conversion fails, and the packet succeeds', () => {
  const { a, b } = path();
  withToken(a);
  relay(a, b, send(a, b, DENOM, 300n, { receiver: b.chain.account(0) }));
  change(a, (context) => setSendEnabled(context, DENOM, false));
  const { answer, received } = relay(b, a, send(b, a, voucherOf(b, `transfer/${b.clientId}/${DENOM}`), 100n));
  expect(Buffer.from(answer).toString()).toBe('{"result":"AQ=="}');
  expect(shown(received, 'erc20_callback_failure')).toHaveLength(1);
  expect([tokensOf(a, TOKEN, 1), balanceOf(a.chain, a.chain.account(1), DENOM)]).toEqual([0n, 100n]);
});

test('the ICS-20 precompile sends over a client', async () => {
  const { a, b } = path();
  const { denom } = a.chain;
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'transfer',
    args: [
      'transfer',
      a.clientId,
      denom,
      25n,
      hexOf(a, 0),
      b.chain.account(1),
      { revisionNumber: 0n, revisionHeight: 0n },
      inSeconds(a, 600n),
      '',
    ],
  });
  const sent = await a.chain.transact(0, SENDER, data);
  expect(shown(sent, 'ethereum_tx').join(' ')).not.toContain('ethereumTxFailed');
  const { packet } = packetOf(sent);
  a.chain.block();
  expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(25n);
  relay(a, b, packet);
  expect(balanceOf(b.chain, b.chain.account(1), voucherOf(b, `transfer/${b.clientId}/${denom}`))).toBe(25n);
});
