/** Random queries to the base application: raw stores, simulations, peers, and unknown paths. */
import type { Random } from '../random.js';
import type { Question } from './compare.js';
import type { KnownValues } from './known-values.js';

const STORES = [
  ...'acc authz bank consensus distribution erc20 evidence evm feegrant feemarket gov ibc mint precisebank'.split(' '),
  ...'slashing staking transfer upgrade'.split(' '),
];
const ODD = [
  '',
  '/',
  '//',
  'app/version',
  '/app',
  '/app/',
  '/app/version',
  '/app/version/more',
  '/app/nope',
  '/store',
  '/store/',
  '/store//key',
  '/store/bank',
  '/store/bank/',
  '/store/bank/nope',
  '/store/bank/key/more',
  '/store/nope/key',
  'store/bank/key',
  '/p2p',
  '/p2p/filter',
  '/p2p/filter/addr',
  '/p2p/filter/addr/1.2.3.4:5',
  '/p2p/filter/id/abc',
  '/p2p/filter/id/abc/more',
  '/p2p/nope/id/abc',
  '/custom/bank/balances',
  '/nope',
  '/cosmos.bank.v1beta1.Query/Nope',
  '/cosmos.bank.v1beta1.Query',
  '/cosmos.tx.v1beta1.Service/BroadcastTx',
];

export interface PathMaterial {
  readonly random: Random;
  readonly known: KnownValues;
  /** Encoded transactions of the chain. */
  readonly txs: readonly Uint8Array[];
  readonly head: bigint;
}

export function plainQuestion({ random, known, txs, head }: PathMaterial): Question {
  const height = random.pick([0n, 0n, 1n, 2n, BigInt(1 + random.below(Number(head))), head]);
  switch (random.below(4)) {
    case 0:
      return {
        path: random.pick(ODD),
        data: random.bytes(random.pick([0, 1, 20])),
        height: random.pick([height, -1n, head + 1n]),
        prove: random.chance(0.3),
      };
    case 1:
      return { path: '/app/simulate', data: simulated(random, txs), height, prove: false };
    case 2:
      return {
        path: `/store/${random.pick(STORES)}/subspace`,
        data: Uint8Array.of(random.below(128)),
        height: 0n,
        prove: false,
      };
    default: {
      const key = Buffer.concat([Uint8Array.of(random.below(64)), oneOf(random, known)]);
      return { path: `/store/${random.pick(STORES)}/key`, data: key, height, prove: random.chance(0.5) };
    }
  }
}

function oneOf(random: Random, known: KnownValues): Uint8Array {
  const values = known.of('bytes');
  if (values.length === 0 || random.chance(0.5)) return random.bytes(random.pick([0, 1, 8, 21]));
  return values[random.below(values.length)] as Uint8Array;
}

function simulated(random: Random, txs: readonly Uint8Array[]): Uint8Array {
  if (txs.length === 0 || random.chance(0.1)) return random.bytes(random.below(40));
  return random.pick(txs);
}
