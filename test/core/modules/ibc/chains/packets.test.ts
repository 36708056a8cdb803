/**
 * Random transfers between a chain of each preset. The relayer holds packets back and delivers them late or twice,
 * and both chains restart: no token appears or vanishes, and no packet is lost or counts twice. CHRONICLED_HISTORIES is
 * the number of histories, and CHRONICLED_TEST_SEED repeats a run.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chronicle } from '../../../../../src/core/app/presets.js';
import { setBalance, setSupply } from '../../../../../src/core/modules/bank/balances.js';
import { packetKey } from '../../../../../src/core/modules/ibc/keys.js';
import { escrowAddress } from '../../../../../src/core/modules/transfer/escrow.js';
import { MsgTransferSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import type { Packet } from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import { encodeAddress } from '../../../../../src/core/sdk/codec/address.js';
import { versionOfChain } from '../../../../../src/core/sdk/module/version-of-chain.js';
import { crypto } from '../../../app/support.js';
import { anyOf, IbcChain } from './chain.js';
import { balanceOf, supplyOf, voucherOf } from './coins.js';
import {
  acknowledge,
  connect,
  createClients,
  type End,
  openChannel,
  packetsOf,
  receive,
  synchronize,
  timeout,
  update,
} from './relay.js';

const HISTORIES = Number(process.env['CHRONICLED_HISTORIES'] ?? 40);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
const TOKEN = 'utoken';
const SUPPLY = 10n ** 12n;
const SECOND = 1_000_000_000n;

/** Two chains with a channel, and the same supply of the token on each. */
function stage(): readonly [End, End] {
  const version = versionOfChain(chronicle, { genesisModules: ['ibc'] });
  const [a, b] = createClients(
    new IbcChain('alpha-1'),
    new IbcChain('beta-4', { version, prefix: 'other', denom: 'abeta' }),
    {
      trustingPeriod: { seconds: 10n ** 8n },
      unbondingPeriod: { seconds: 2n * 10n ** 8n },
    },
  );
  connect(a, b);
  openChannel(a, b);
  for (const { chain } of [a, b]) {
    const context = chain.context();
    setBalance(context, chain.accountBytes(0), TOKEN, SUPPLY);
    setSupply(context, TOKEN, SUPPLY);
    chain.keep(context);
    chain.block();
  }
  return [a, b];
}

const ENDS = stage();
const escrowOf = ({ chain, portId, channelId }: End): string =>
  encodeAddress(
    chain.prefix,
    escrowAddress((data) => crypto.sha256(data), { portId, channelId }),
  );
/** The denom of the voucher on a chain for the token of the other chain. */
const voucherAt = (end: End): string => voucherOf(end, `transfer/${end.channelId}/${TOKEN}`);

type Side = 0 | 1;
const other = (side: Side): Side => (side === 0 ? 1 : 0);

/** A packet in flight, with its acknowledgement once the relayer knows it. */
interface Flight {
  readonly from: Side;
  readonly packet: Packet;
  answer?: Uint8Array;
}

type Step =
  | {
      readonly kind: 'send';
      readonly from: Side;
      readonly isVoucher: boolean;
      readonly amount: bigint;
      readonly seconds: bigint;
      readonly isLost: boolean;
    }
  | {
      readonly kind: 'receive' | 'answer' | 'time out';
      readonly from: Side;
      readonly at: number;
      readonly isTwice: boolean;
    }
  | { readonly kind: 'wait'; readonly seconds: bigint }
  | { readonly kind: 'restart'; readonly from: Side };

const side = fc.constantFrom<Side>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      from: side,
      isVoucher: fc.boolean(),
      amount: fc.bigInt(1n, 1_000n),
      seconds: fc.constantFrom(30n, 600n),
      isLost: fc.nat(5).map((each) => each === 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('receive' as const, 'answer' as const, 'time out' as const),
      from: side,
      at: fc.nat(3),
      isTwice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(5n, 60n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), from: side }) },
);

class Path {
  flights: Flight[] = [];

  take(step: Step): void {
    switch (step.kind) {
      case 'wait':
        for (const { chain } of ENDS) chain.block([], step.seconds);
        return;
      case 'restart':
        ENDS[step.from].chain.restart();
        return;
      case 'send':
        this.send(step);
        return;
      case 'receive':
      case 'answer':
      case 'time out': {
        const flights = this.flights.filter(({ from }) => from === step.from);
        const flight = flights[step.at];
        if (flight !== undefined) this.relay(flight, step.kind, step.isTwice);
      }
    }
  }

  send({ from, isVoucher, amount, seconds, isLost }: Extract<Step, { kind: 'send' }>): void {
    const [end, to] = [ENDS[from], ENDS[other(from)]];
    const denom = isVoucher ? voucherAt(end) : TOKEN;
    const result = end.chain.send([
      anyOf(MsgTransferSchema, {
        sourcePort: 'transfer',
        sourceChannel: end.channelId,
        token: { denom, amount: amount.toString() },
        sender: end.chain.account(0),
        receiver: isLost ? 'nobody' : to.chain.account(0),
        timeoutTimestamp: end.chain.now + seconds * SECOND,
      }),
    ]);
    const [sent] = packetsOf(result);
    if (result.code === 0 && sent !== undefined) this.flights.push({ from, packet: sent.packet });
  }

  /**
   * Relays a packet, its acknowledgement or its timeout, unless the chain refuses it; a second message changes nothing.
   */
  relay(flight: Flight, kind: 'receive' | 'answer' | 'time out', isTwice = false): void {
    const [source, destination] = [ENDS[flight.from], ENDS[other(flight.from)]];
    const { answer, packet } = flight;
    if (kind === 'answer' && answer === undefined) return;
    const [on, of] = kind === 'receive' ? [destination, source] : [source, destination];
    synchronize(on, of);
    of.chain.block([], 1n);
    synchronize(on, of);
    const { known } = on;
    const message =
      kind === 'receive'
        ? () => receive(on, of, packet)
        : kind === 'answer'
          ? () => acknowledge(on, of, packet, answer ?? new Uint8Array())
          : () => timeout(on, of, packet);
    const result = on.chain.send([update(on, of), message(), ...(isTwice ? [message()] : [])]);
    if (result.code !== 0) {
      on.known = known;
      return;
    }
    if (kind === 'receive') {
      const [written] = packetsOf(result, 'write_acknowledgement');
      if (written !== undefined) flight.answer = written.acknowledgement;
    } else this.flights = this.flights.filter((each) => each !== flight);
  }

  /** Relays every packet until nothing is in flight. */
  drain(): void {
    for (const flight of [...this.flights]) {
      this.relay(flight, 'receive');
      if (flight.answer === undefined) this.relay(flight, 'time out');
      else this.relay(flight, 'answer');
    }
    expect(this.flights).toEqual([]);
  }
}

/** Tokens of chain `of` that are in flight: in packets from it (`isHome`), or in packets back to it. */
function underway({ flights }: Path, of: Side, isHome: boolean): bigint {
  return flights
    .filter(({ from, answer, packet }) => {
      const isOfHome = !Buffer.from(packet.data).toString().includes('transfer/');
      const isTaken = answer !== undefined && Buffer.from(answer).toString().includes('result');
      return !isTaken && isOfHome === isHome && from === (isHome ? of : other(of));
    })
    .reduce((sum, { packet }) => sum + BigInt(JSON.parse(Buffer.from(packet.data).toString()).amount), 0n);
}

/** The tokens of a chain are in its accounts, in escrow for vouchers, or in flight. */
function expectNoneLost(path: Path): void {
  for (const of of [0, 1] as const) {
    const [home, away] = [ENDS[of], ENDS[other(of)]];
    const escrowed = balanceOf(home.chain, escrowOf(home), TOKEN);
    expect(supplyOf(home.chain, TOKEN)).toBe(SUPPLY);
    expect(balanceOf(home.chain, home.chain.account(0), TOKEN) + escrowed).toBe(SUPPLY);
    expect(escrowed).toBe(supplyOf(away.chain, voucherAt(away)) + underway(path, of, true) + underway(path, of, false));
  }
}

test(
  `random packets, faults and restarts neither lose nor create tokens (seed ${SEED})`,
  () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 14 }), (steps) => {
        const path = new Path();
        for (const each of steps) {
          path.take(each);
          expectNoneLost(path);
        }
        path.drain();
        expectNoneLost(path);
        for (const { chain, channelId } of ENDS)
          for (const sequence of [1n, 2n, 3n])
            expect(chain.value(packetKey('commitments', { portId: 'transfer', channelId }, sequence))).toBeUndefined();
      }),
      { numRuns: HISTORIES, seed: SEED },
    );
  },
  HISTORIES * 3_000,
);
