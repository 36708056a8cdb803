/** Transfers between two chains of this process through the middlewares of claims and recovery. */
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { evmd } from '../../../../../src/core/app/presets.js';
import { getBalance, getSupply, setBalance, setSupply } from '../../../../../src/core/modules/bank/balances.js';
import { defaultParams, setParams } from '../../../../../src/core/modules/claims/params.js';
import { getRecord, setRecord } from '../../../../../src/core/modules/claims/records.js';
import { claimsMiddleware, evmosErrors } from '../../../../../src/core/modules/claims/transfers.js';
import {
  errorAcknowledgement,
  resultAcknowledgement,
} from '../../../../../src/core/modules/ibc/channel/acknowledgement.js';
import { ibcModule } from '../../../../../src/core/modules/ibc/module.js';
import { around, type Middleware, type Port } from '../../../../../src/core/modules/ibc/channel/port.js';
import {
  setParams as setRecovery,
  defaultParams as recoveryParams,
} from '../../../../../src/core/modules/recovery/params.js';
import { recoveryMiddleware } from '../../../../../src/core/modules/recovery/transfers.js';
import { encodePacketData } from '../../../../../src/core/modules/transfer/packet-data.js';
import { transferPort } from '../../../../../src/core/modules/transfer/port.js';
import { MsgTransferSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { PacketSchema } from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress, moduleAddress } from '../../../../../src/core/sdk/codec/address.js';
import { SdkError, sdkErrors } from '../../../../../src/core/sdk/module/sdk-error.js';
import { CHAIN_LIMITS } from '../../../../../src/core/limits/limits.js';
import type { AppVersion } from '../../../../../src/core/sdk/module/app-version.js';
import { moduleOf } from '../../../app/later-chain.js';
import { crypto } from '../../../app/support.js';
import { anyOf, IbcChain } from './chain.js';
import { balanceOf, voucherOf } from './coins.js';
import {
  connect,
  createClients,
  deliver,
  type End,
  openChannel,
  packetsOf,
  receive,
  synchronize,
  update,
} from './relay.js';

const [claims, recovery] = [moduleOf('claims'), moduleOf('recovery')];
const port = around(around(transferPort, claimsMiddleware), recoveryMiddleware);
const version: AppVersion = {
  ...evmd,
  modules: [...evmd.modules.map((module) => (module.name === 'ibc' ? ibcModule([port]) : module)), claims, recovery],
  initOrder: [...evmd.initOrder, 'claims', 'recovery'],
  endBlockOrder: [...evmd.endBlockOrder, 'claims'],
  stores: [...evmd.stores, 'claims', 'recovery'].toSorted(),
  moduleVersions: { ...evmd.moduleVersions, claims: 2n, recovery: 1n },
  moduleAccounts: { ...evmd.moduleAccounts, claims: [] },
};
const NONE = [false, false, false, false];
const ESCROW = moduleAddress(crypto, 'claims');

interface Airdrop {
  /** Claims records by index of the account: initial amount, and which actions were claimed. */
  readonly records?: Readonly<Record<number, readonly [amount: bigint, completed?: readonly boolean[]]>>;
  readonly authorized?: readonly string[];
  readonly evm?: readonly string[];
  readonly recovers?: boolean;
  readonly isEnabled?: boolean;
}

/** A path to a chain whose airdrop has just started. */
function path({ records = {}, authorized = ['channel-0'], evm = [], recovers = false, isEnabled = true }: Airdrop): {
  a: End;
  b: End;
} {
  const [a, b] = createClients(
    new IbcChain('alpha-1'),
    new IbcChain('beta-4', { version, prefix: 'other', denom: 'abeta' }),
  );
  connect(a, b);
  openChannel(a, b);
  const context = b.chain.context();
  const params = defaultParams('abeta');
  setParams(context, {
    ...params,
    isEnabled,
    start: context.time,
    authorizedChannels: authorized,
    evmChannels: evm,
  });
  if (recovers) setRecovery(context, { ...recoveryParams(), enableRecovery: true });
  let total = 0n;
  for (const [index, [initial, completed = NONE]] of Object.entries(records)) {
    setRecord(context, b.chain.accountBytes(Number(index)), { initial, completed });
    total += (initial / 4n) * BigInt(completed.filter((done) => !done).length);
  }
  setBalance(context, ESCROW, 'abeta', total);
  setSupply(context, 'abeta', getSupply(context, 'abeta') + total);
  b.chain.keep(context);
  b.chain.block();
  b.chain.block();
  return { a, b };
}

/** Sends from an account of `a`, relays the packet, and returns its result on `b`. */
function relayed(a: End, b: End, sender: number, receiver: number, amount: bigint) {
  const message = anyOf(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: a.channelId,
    token: { denom: a.chain.denom, amount: amount.toString() },
    sender: a.chain.account(sender),
    receiver: b.chain.account(receiver),
    timeoutTimestamp: a.chain.now + 600_000_000_000n,
  });
  const sent = a.chain.send([message], sender);
  const [packet] = packetsOf(sent);
  if (packet === undefined) throw new Error(sent.log);
  synchronize(a, b);
  const received = deliver(b, [update(b, a), receive(b, a, packet.packet)]);
  const answer = Buffer.from(packetsOf(received, 'write_acknowledgement')[0]?.acknowledgement ?? []).toString();
  return { received, answer, isTaken: answer === '{"result":"AQ=="}' };
}
const shown = ({ events }: ExecTxResult, type: string): readonly string[] =>
  events
    .filter((event) => event.type === type)
    .map(({ attributes }) => attributes.map(({ key, value }) => `${key}=${value}`).join(' '));
const recordOf = ({ chain }: End, index: number) => getRecord(chain.context(), chain.accountBytes(index));
const escrowed = ({ chain }: End): bigint => getBalance(chain.context(), ESCROW, 'abeta');

describe('claims', () => {
  test('pay the receiver of a transfer over an authorized channel once', () => {
    const { a, b } = path({ records: { 2: [400n] } });
    const { received, isTaken } = relayed(a, b, 1, 2, 9n);
    expect(isTaken).toBe(true);
    expect(shown(received, 'claim')).toEqual([
      `sender=${b.chain.account(2)} amount=100abeta action=ACTION_IBC_TRANSFER msg_index=1`,
    ]);
    expect(recordOf(b, 2)?.completed).toEqual([false, false, false, true]);
    expect(escrowed(b)).toBe(300n);
    expect(shown(relayed(a, b, 1, 2, 9n).received, 'claim')).toEqual([]);
  });

  test('pay nothing over other channels', () => {
    const { a, b } = path({ records: { 2: [400n] }, authorized: [] });
    expect(relayed(a, b, 1, 2, 9n).isTaken).toBe(true);
    expect(recordOf(b, 2)?.completed).toEqual(NONE);
  });

  test('move the record of a sender with the amount that triggers it, and with no other amount', () => {
    const { a, b } = path({ records: { 1: [400n] } });
    expect(relayed(a, b, 1, 2, 9n).isTaken).toBe(true);
    expect([recordOf(b, 1)?.initial, recordOf(b, 2)]).toEqual([400n, undefined]);
    expect(relayed(a, b, 1, 2, 63_743n).isTaken).toBe(true);
    expect(recordOf(b, 1)).toBeUndefined();
    expect(recordOf(b, 2)).toEqual({ initial: 400n, completed: [false, false, false, true] });
  });

  test('merge two records, and pay for the actions that the receiver had claimed', () => {
    const { a, b } = path({ records: { 1: [402n], 2: [800n, [true, false, false, false]] } });
    const { received } = relayed(a, b, 1, 2, 63_743n);
    // a quarter of the first for the vote, a quarter of both for the transfer
    expect(shown(received, 'merge_claims_records')).toEqual([
      `recipient=${b.chain.account(2)} claimed_coins=400abeta fund_community_pool_coins= msg_index=1`,
    ]);
    expect(recordOf(b, 2)).toEqual({ initial: 1_200n, completed: [true, false, false, true] });
    expect(escrowed(b)).toBe(600n);
  });

  test('are neither merged nor moved after the sender has claimed', () => {
    const voted = path({ records: { 1: [400n, [true, false, false, false]], 2: [800n] } });
    expect(relayed(voted.a, voted.b, 1, 2, 63_743n).isTaken).toBe(false);
    const claimed = path({ records: { 1: [400n, [false, false, false, true]], 2: [800n] } });
    expect(relayed(claimed.a, claimed.b, 1, 2, 63_743n).isTaken).toBe(true);
    for (const { b } of [voted, claimed])
      expect([recordOf(b, 1)?.initial, recordOf(b, 2)]).toEqual([400n, { initial: 800n, completed: NONE }]);
  });

  test('are ignored while the module is disabled', () => {
    const { a, b } = path({ records: { 1: [400n], 2: [800n] }, isEnabled: false });
    expect(relayed(a, b, 1, 2, 63_743n).isTaken).toBe(true);
    expect(relayed(a, b, 1, 1, 9n).isTaken).toBe(true);
    expect([recordOf(b, 1)?.completed, recordOf(b, 2)?.completed]).toEqual([NONE, NONE]);
  });

  test("refuse a transfer to the sender's own address: key type 'secp256k1' not supported", () => {
    expect(evmosErrors.keyTypeNotSupported.text).toBe("key type 'secp256k1' not supported");
    const { a, b } = path({ records: { 1: [400n] } });
    const before = balanceOf(b.chain, b.chain.account(1), voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`));
    const { answer } = relayed(a, b, 1, 1, 9n);
    expect(answer).toBe('{"error":"ABCI code: 2: error handling packet: see events for details"}');
    expect(balanceOf(b.chain, b.chain.account(1), voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`))).toBe(
      before,
    );
  });
});

describe('recovery', () => {
  test('sends all coins of an account without a key back to their owner', () => {
    const { a, b } = path({ recovers: true });
    const balance = balanceOf(b.chain, b.chain.account(3), 'abeta');
    const { received, isTaken } = relayed(a, b, 3, 3, 9n);
    expect(isTaken).toBe(true);
    const voucher = voucherOf(b, `transfer/${b.channelId}/${a.chain.denom}`);
    expect(shown(received, 'recovery')).toEqual([
      `sender=${a.chain.account(3)} receiver=${b.chain.account(3)} amount=${balance}abeta,9${voucher} packet_src_channel=channel-0 packet_src_port=transfer packet_dst_port=transfer packet_dst_channel=channel-0 msg_index=1`,
    ]);
    expect(packetsOf(received)).toHaveLength(2);
    expect(balanceOf(b.chain, b.chain.account(3), 'abeta')).toBe(0n);
    expect(balanceOf(b.chain, b.chain.account(3), voucher)).toBe(0n);
  });

  /** Receives a packet from an account to the same account here; `inner` acknowledges it. */
  function toItself({ a, b }: ReturnType<typeof path>, index: number, middleware: Middleware, inner: Port) {
    const texts = { denom: 'atoken', amount: '9', sender: a.chain.account(index), receiver: b.chain.account(index) };
    const packet = create(PacketSchema, {
      sourcePort: 'transfer',
      sourceChannel: 'channel-0',
      destinationPort: 'transfer',
      destinationChannel: 'channel-0',
      data: encodePacketData({ ...texts, memo: '' }),
    });
    const context = b.chain.context();
    const answer = around(inner, middleware).onReceive(context, { packet, version: 'ics20-1' });
    return { answer, sent: context.events.filter(({ type }) => type === 'send_packet').length, events: context.events };
  }
  const taking: Port = { ...transferPort, onReceive: () => resultAcknowledgement(new Uint8Array()) };
  const withCoins = (b: End, denoms: readonly string[]): void => {
    const context = b.chain.context();
    for (const denom of denoms) {
      setBalance(context, b.chain.accountBytes(3), denom, 5n);
      setSupply(context, denom, 5n);
    }
    b.chain.keep(context);
  };

  test('is disabled by default', () => {
    const { a, b } = path({});
    expect(relayed(a, b, 3, 3, 9n).isTaken).toBe(true);
    expect(balanceOf(b.chain, b.chain.account(3), 'abeta')).toBeGreaterThan(0n);
  });

  test('does nothing after a refused transfer, nor do claims', () => {
    const refused = errorAcknowledgement(new SdkError(sdkErrors.logic));
    for (const middleware of [claimsMiddleware, recoveryMiddleware]) {
      const ends = path({ recovers: true, records: { 3: [400n] } });
      const { answer, events } = toItself(ends, 3, middleware, { ...transferPort, onReceive: () => refused });
      expect([answer, events]).toEqual([refused, []]);
    }
  });

  test('returns a bounded number of coins, and no voucher of another channel', () => {
    const many = path({ recovers: true });
    withCoins(
      many.b,
      Array.from({ length: CHAIN_LIMITS.coinsRecovered + 1 }, (_, index) => `coin${index}`),
    );
    expect(toItself(many, 3, recoveryMiddleware, taking).sent).toBe(CHAIN_LIMITS.coinsRecovered);
    const foreign = path({ recovers: true });
    withCoins(foreign.b, [`ibc/${'AB'.repeat(32)}`]);
    const { answer, sent } = toItself(foreign, 3, recoveryMiddleware, taking);
    expect([answer.success, sent]).toEqual([true, 1]);
  });

  test('refuses a sender with the address of a module account: blocked address', () => {
    const { b } = path({ recovers: true });
    const texts = {
      denom: 'atoken',
      amount: '9',
      sender: encodeAddress('cosmos', moduleAddress(crypto, 'gov')),
      receiver: b.chain.account(3),
      memo: '',
    };
    const packet = create(PacketSchema, { destinationChannel: 'channel-0', data: encodePacketData(texts) });
    const taken = { ...transferPort, onReceive: () => resultAcknowledgement(new Uint8Array()) };
    for (const [middleware, code] of [
      [recoveryMiddleware, 2],
      [claimsMiddleware, 4],
    ] as const) {
      const answer = around(taken, middleware).onReceive(b.chain.context(), { packet, version: 'ics20-1' });
      expect(Buffer.from(answer.bytes).toString()).toContain(`ABCI code: ${code}: `);
    }
  });

  test('leaves coins of other receivers, of accounts with a key, and over other channels', () => {
    const other = path({ recovers: true });
    expect(shown(relayed(other.a, other.b, 3, 2, 9n).received, 'recovery')).toEqual([]);
    // account 0 is the relayer, so its key is known there
    expect(shown(relayed(other.a, other.b, 0, 0, 9n).received, 'recovery')).toEqual([]);
    const unnamed = path({ recovers: true, authorized: [] });
    expect(shown(relayed(unnamed.a, unnamed.b, 3, 3, 9n).received, 'recovery')).toEqual([]);
    const ethereum = path({ recovers: true, evm: ['channel-0'] });
    expect(shown(relayed(ethereum.a, ethereum.b, 3, 3, 9n).received, 'recovery')).toEqual([]);
  });
});
