/** Transfers of IBC v2 between two chains of this process: there and back, refused, and timed out. */
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { errorAcknowledgement } from '../../../../../src/core/modules/ibc/v2/commitments.js';
import { transferErrors } from '../../../../../src/core/modules/transfer/errors.js';
import { AcknowledgementSchema } from '../../../../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import { MsgUpdateClientConfigSchema } from '../../../../../src/core/proto/ibc/core/client/v2/tx_pb.js';
import * as channelQueries from '../../../../../src/core/proto/ibc/core/channel/v2/query_pb.js';
import * as clientQueries from '../../../../../src/core/proto/ibc/core/client/v2/query_pb.js';
import { crypto, toHex } from '../../../app/support.js';
import { anyOf, utf8 } from '../chains/chain.js';
import { balanceOf, supplyOf, voucherOf } from '../chains/coins.js';
import { deliver, synchronize, update } from '../chains/relay.js';
import {
  acknowledge,
  after,
  changed,
  escrowOf,
  inSeconds,
  packetOf,
  path,
  receive,
  refused,
  relay,
  send,
  shown,
  timeout,
  transfer,
} from './relay.js';

describe('a token', () => {
  test.each(['', 'application/json', 'application/x-protobuf', 'application/x-solidity-abi'])(
    'goes to the other chain as a voucher, and comes back (%s)',
    (encoding) => {
      const { a, b } = path();
      const { denom } = a.chain;
      expect(a.clientId).not.toBe(b.clientId);
      const receiver = b.chain.account(0);
      const voucher = voucherOf(b, `transfer/${b.clientId}/${denom}`);
      const packet = send(a, b, denom, 1_000n, { receiver, memo: 'a <memo>', encoding });
      expect(packet).toMatchObject({ sequence: 1n, sourceClient: a.clientId, destinationClient: b.clientId });
      expect(packet.payloads[0]?.encoding).toBe(encoding === '' ? 'application/json' : encoding);
      const { received, answered, answer } = relay(a, b, packet);
      expect(Buffer.from(answer).toString()).toBe('{"result":"AQ=="}');
      expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(1_000n);
      expect(balanceOf(b.chain, receiver, voucher)).toBe(1_000n);
      expect(shown(received, 'fungible_token_packet')).toEqual([
        `sender=${a.chain.account(0)} receiver=${receiver} denom=${denom} amount=1000 memo=a <memo> success=true msg_index=1`,
      ]);
      expect(shown(answered, 'fungible_token_packet')[0]).toContain(String.raw`acknowledgement=result:"\001"`);
      const before = balanceOf(a.chain, a.chain.account(2), denom);
      relay(b, a, send(b, a, voucher, 400n, { receiver: a.chain.account(2), encoding }));
      expect(balanceOf(a.chain, a.chain.account(2), denom)).toBe(before + 400n);
      expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(600n);
      expect(supplyOf(b.chain, voucher)).toBe(600n);
    },
  );

  test('is shown in the events and queries that relayers use', () => {
    const { a, b } = path();
    const sent = deliver(a, [transfer(a, b, a.chain.denom, 5n)]);
    const { packet } = packetOf(sent);
    const timeoutTimestamp = packet.timeoutTimestamp.toString();
    expect(sent.events.map(({ type }) => type).filter((type) => /packet|ibc_transfer/.test(type))).toEqual([
      'send_packet',
      'ibc_transfer',
    ]);
    expect(shown(sent, 'send_packet')[0]).toMatch(
      new RegExp(
        `^packet_source_client=${a.clientId} packet_dest_client=${b.clientId} packet_sequence=1 ` +
          `packet_timeout_timestamp=${timeoutTimestamp} encoded_packet_hex=[0-9a-f]+ msg_index=0$`,
      ),
    );
    expect(shown(sent, 'message')).toContain('module=ibc_channelv2 msg_index=0');
    const ask = channelQueries.Query.method;
    const clientId = a.clientId;
    const path0 = '/ibc.core.channel.v2.Query';
    const at = <Name extends keyof typeof ask>(name: Name) => `${path0}/${ask[name].name}`;
    const commitments = () =>
      a.chain.query(at('packetCommitments'), ask.packetCommitments.input, { clientId }, ask.packetCommitments.output);
    const unreceived = () =>
      b.chain.query(
        at('unreceivedPackets'),
        ask.unreceivedPackets.input,
        { clientId: b.clientId, sequences: [1n, 2n] },
        ask.unreceivedPackets.output,
      ).sequences;
    const unanswered = () =>
      a.chain.query(
        at('unreceivedAcks'),
        ask.unreceivedAcks.input,
        { clientId, packetAckSequences: [1n, 2n] },
        ask.unreceivedAcks.output,
      ).sequences;
    expect(commitments().commitments).toMatchObject([{ clientId, sequence: 1n }]);
    expect([unreceived(), unanswered()]).toEqual([[1n, 2n], [1n]]);
    relay(a, b, packet);
    expect(commitments().commitments).toEqual([]);
    expect([unreceived(), unanswered()]).toEqual([[2n], []]);
    const acks = b.chain.query(
      at('packetAcknowledgements'),
      ask.packetAcknowledgements.input,
      { clientId: b.clientId, packetCommitmentSequences: [1n, 7n] },
      ask.packetAcknowledgements.output,
    );
    expect(acks.acknowledgements).toMatchObject([{ clientId: b.clientId, sequence: 1n }]);
    const { received } = b.chain.query(
      at('packetReceipt'),
      ask.packetReceipt.input,
      { clientId: b.clientId, sequence: 1n },
      ask.packetReceipt.output,
    );
    expect(received).toBe(true);
    const next = a.chain.query(
      at('nextSequenceSend'),
      ask.nextSequenceSend.input,
      { clientId },
      ask.nextSequenceSend.output,
    );
    expect(next.nextSequenceSend).toBe(2n);
    const info = clientQueries.Query.method.counterpartyInfo;
    const { counterpartyInfo } = a.chain.query(
      '/ibc.core.client.v2.Query/CounterpartyInfo',
      info.input,
      { clientId },
      info.output,
    );
    expect(counterpartyInfo).toMatchObject({ clientId: b.clientId, merklePrefix: [utf8('ibc'), new Uint8Array()] });
  });

  test('refused by the other chain is refunded, and so is a voucher', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    const before = balanceOf(a.chain, a.chain.account(1), denom);
    const sender = { sender: a.chain.account(0) };
    const { received, answered, answer } = relay(a, b, send(a, b, denom, 9n, { receiver: 'nobody', ...sender }));
    expect(toHex(answer)).toBe(toHex(errorAcknowledgement({ crypto })));
    expect(shown(received, 'ibccallbackerror-fungible_token_packet')[0]).toContain(
      'ibccallbackerror-success=true ibccallbackerror-error=failed to decode receiver address: nobody: invalid address',
    );
    // the acknowledgement does not say why: its code is the same for every refusal
    expect(transferErrors.receiveFailed).toEqual({ codespace: 'transfer', code: 16, text: 'receive packet failed' });
    expect(shown(answered, 'fungible_token_packet').at(-1)).toContain('error=ABCI code: 16: error handling packet');
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(0n);
    expect(balanceOf(a.chain, a.chain.account(1), denom)).toBe(before);
    const voucher = voucherOf(b, `transfer/${b.clientId}/${denom}`);
    relay(a, b, send(a, b, denom, 20n, { receiver: b.chain.account(0) }));
    relay(b, a, send(b, a, voucher, 20n, { receiver: 'nobody' }));
    expect(balanceOf(b.chain, b.chain.account(0), voucher)).toBe(20n);
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(20n);
  });

  test('that times out is refunded once', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    const packet = send(a, b, denom, 7n, { timeoutTimestamp: inSeconds(a, 60n) });
    const early = after(a, b, () => timeout(a, b, packet));
    expect(refused(early)).toMatch(
      /^channelv2 10: timeout packet verification failed: proof timestamp: \d+, timeout timestamp: \d+: timeout not reached$/,
    );
    b.chain.block([], 120n);
    b.chain.block();
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(7n);
    const late = after(b, a, () => receive(b, a, packet));
    expect(refused(late)).toMatch(/^channelv2 9: receive packet verification failed: current timestamp: \d+, timeout/);
    const result = after(a, b, () => timeout(a, b, packet));
    expect(result.log).toBe('');
    expect(shown(result, 'timeout')[0]).toContain(
      `receiver=${a.chain.account(0)} refund_tokens={"denom":{"base":"${denom}"`,
    );
    expect(shown(result, 'timeout_packet')[0]).toContain(`packet_source_client=${a.clientId}`);
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(0n);
    const again = after(a, b, () => timeout(a, b, packet));
    expect([again.code, shown(again, 'timeout_packet')]).toEqual([0, []]);
    expect(balanceOf(a.chain, escrowOf(a), denom)).toBe(0n);
  });
});

describe('a relayer', () => {
  test('may repeat a packet or an acknowledgement: the repetition changes nothing', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    const packet = send(a, b, denom, 30n);
    const { answer } = relay(a, b, packet);
    const voucher = voucherOf(b, `transfer/${b.clientId}/${denom}`);
    const again = after(b, a, () => receive(b, a, packet));
    expect([again.code, shown(again, 'recv_packet'), shown(again, 'denomination')]).toEqual([0, [], []]);
    expect(supplyOf(b.chain, voucher)).toBe(30n);
    const answers = create(AcknowledgementSchema, { appAcknowledgements: [answer] });
    const twice = after(a, b, () => acknowledge(a, b, packet, answers));
    expect([twice.code, shown(twice, 'acknowledge_packet')]).toEqual([0, []]);
    // a transaction of redundant messages alone is not admitted
    synchronize(a, b);
    expect(b.chain.check(b.chain.tx(0, [update(b, a), receive(b, a, packet)]))).toContain(
      'channel 22: packet messages are redundant',
    );
  });

  test('is refused without a valid proof of the packet, the acknowledgement or the timeout', () => {
    const { a, b } = path();
    const { denom } = a.chain;
    const packet = send(a, b, denom, 30n);
    const wrong = after(b, a, () => receive(b, a, changed(packet, { timeoutTimestamp: packet.timeoutTimestamp + 1n })));
    expect(refused(wrong)).toContain(
      `commitment 2: receive packet verification failed: failed packet commitment verification for client (${b.clientId})`,
    );
    const from = after(b, a, () => receive(b, a, changed(packet, { sourceClient: '07-tendermint-9' })));
    expect(refused(from)).toBe(
      `clientv2 34: receive packet verification failed: counterparty id (${a.clientId}) does not match packet source id (07-tendermint-9): invalid counterparty`,
    );
    const to = after(b, a, () => receive(b, a, changed(packet, { destinationClient: '07-tendermint-0' })));
    expect(refused(to)).toContain('clientv2 35: receive packet verification failed: counterparty not found for client');
    // a packet that was received does not time out
    const short = send(a, b, denom, 1n, { timeoutTimestamp: inSeconds(a, 60n) });
    const received = after(b, a, () => receive(b, a, short));
    expect(received.log).toBe('');
    b.chain.block([], 120n);
    b.chain.block();
    expect(refused(after(a, b, () => timeout(a, b, short)))).toContain(
      `commitment 2: timeout packet verification failed: failed packet receipt absence verification for client (${a.clientId})`,
    );
    const { answers } = packetOf(received, 'write_acknowledgement');
    const forged = { ...answers, appAcknowledgements: [errorAcknowledgement({ crypto })] };
    expect(refused(after(a, b, () => acknowledge(a, b, short, forged)))).toContain(
      `commitment 2: acknowledge packet verification failed: failed packet acknowledgement verification for client (${a.clientId})`,
    );
    const other = changed(short, { timeoutTimestamp: 1n });
    expect(refused(after(a, b, () => acknowledge(a, b, other, answers)))).toMatch(
      /^channelv2 2: acknowledge packet verification failed: commitment bytes are not equal: got \(\[[\d ]+\]\), expected/,
    );
  });

  test('is refused unless the client allows its address', () => {
    const { a, b } = path();
    const allow = (allowedRelayers: readonly string[], from = 0) =>
      b.chain.send(
        [
          anyOf(MsgUpdateClientConfigSchema, {
            clientId: b.clientId,
            config: { allowedRelayers: [...allowedRelayers] },
            signer: b.chain.account(from),
          }),
        ],
        from,
      );
    expect(refused(allow([], 1))).toContain(
      `or client creator ${b.chain.account(0)} is authorized to update params for`,
    );
    expect(refused(allow(['x']))).toBe('undefined 1: invalid relayer address: x');
    expect(refused(allow(Array.from({ length: 21 }, () => b.chain.account(1))))).toBe(
      'undefined 1: allowed relayers length must not exceed 20 items',
    );
    expect(allow([b.chain.account(1)]).log).toBe('');
    const packet = send(a, b, a.chain.denom, 3n);
    synchronize(a, b);
    const refusal = `ibc 2: relayer ${b.chain.account(0)} is not authorized to update client ${b.clientId}: unauthorized`;
    expect(refused(b.chain.send([receive(b, a, packet)]))).toBe(refusal);
    const known = b.known;
    expect(refused(b.chain.send([update(b, a)]))).toBe(refusal);
    b.known = known;
    expect(allow([]).log).toBe('');
    const { answers } = packetOf(
      after(b, a, () => receive(b, a, packet)),
      'write_acknowledgement',
    );
    expect(allow([b.chain.account(1)]).log).toBe('');
    // for acknowledgements and timeouts the client of the sending chain decides
    const sent = send(b, a, b.chain.denom, 1n);
    for (const message of [acknowledge(b, a, sent, answers), timeout(b, a, sent)])
      expect(refused(b.chain.send([message]))).toBe(refusal);
    expect(allow([]).log).toBe('');
    const config = clientQueries.Query.method.config;
    expect(
      b.chain.query('/ibc.core.client.v2.Query/Config', config.input, { clientId: b.clientId }, config.output).config,
    ).toMatchObject({ allowedRelayers: [] });
  });
});
