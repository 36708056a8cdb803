/** Random queries to evmd and to this program about one chain get the same answers. */
import { type DescMethod, fromBinary, type Message } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedFiles } from '../../../src/adapters/services/index.js';
import { MsgEthereumTxSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import { TxSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { goldenPath, hasGolden } from '../../support/golden.js';
import { readRecordedChain } from '../../support/recorded-chain.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { Random } from '../random.js';
import { ask, type Difference, type Question } from './compare.js';
import { KnownValues } from './known-values.js';
import { plainQuestion } from './paths.js';
import { playRecorded } from './recorded-play.js';
import { report } from './report.js';
import { type Material, request } from './request.js';

/** At this height there are proposals of all kinds, unbondings, a jailed validator, allowances and contracts. */
const PLAYED = Number(process.env['PEER_HEIGHT'] ?? 200);
const QUESTIONS = Number(process.env['PEER_QUESTIONS'] ?? 1_500);
const SEED = process.env['PEER_SEED'];
const SEEDS = SEED === undefined ? [1, Math.floor(Math.random() * 2 ** 31)] : [Number(SEED)];
/** Without the calls of the EVM, whose rules and words here are geth's: they are compared where they are asked for. */
const ONLY = new RegExp(process.env['PEER_METHODS'] ?? '^(?!.*/(EthCall|EstimateGas|Trace\\w+)$)');

const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

const methods: readonly DescMethod[] = servedFiles()
  .services.filter(({ typeName }) => /^(cosmos|ibc)\..*Query$/.test(typeName))
  .flatMap((service) => service.methods)
  .filter((method) => ONLY.test(pathOf(method)));

const recordedTxs = (): readonly Uint8Array[] =>
  readRecordedChain()
    .flatMap(({ block }) => block.block.data.txs)
    .map((tx) => Uint8Array.from(Buffer.from(tx, 'base64')));

const ethereumMessages = (): readonly Message[] =>
  recordedTxs()
    .flatMap((tx) => fromBinary(TxSchema, tx).body?.messages ?? [])
    .filter(({ typeUrl }) => typeUrl.endsWith('.MsgEthereumTx'))
    .map(({ value }) => fromBinary(MsgEthereumTxSchema, value));

describe.skipIf(EVMD === undefined || !hasGolden)('random queries (skipped without EVMD)', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', readFileSync(goldenPath('chain-a/genesis.json')), 262_144n);
    await playRecorded(pair, PLAYED);
  }, 300_000);
  afterAll(() => pair.stop());

  it.each(SEEDS)(`seed %i: ${QUESTIONS} answers are equal to those of evmd`, { timeout: 0 }, async (seed) => {
    const choices = new Random(seed);
    const known = new KnownValues();
    const material: Material = { choices, known, ethereum: ethereumMessages() };
    const ofPaths = { random: choices, known, txs: recordedTxs(), head: BigInt(PLAYED) };
    const differences: Difference[] = [];
    const askOne = async (question: Question, method: DescMethod | undefined, keep: boolean): Promise<void> => {
      const { theirs, difference } = await ask(pair, question, method);
      if (difference !== undefined) differences.push(difference);
      if (method !== undefined && theirs.code === 0 && keep) known.addAll(method.output, theirs.value);
    };
    const nothing = { data: new Uint8Array(), height: 0n, prove: false };
    for (const method of methods) await askOne({ path: pathOf(method), ...nothing }, method, true);
    for (let asked = 0; asked < QUESTIONS; asked += 1) {
      const method = choices.pick(methods);
      const { bytes: data } = request(material, method.input);
      const question = { path: pathOf(method), data, height: heightOf(choices), prove: choices.below(20) === 0 };
      await askOne(question, method, choices.below(4) === 0);
      if (asked % 10 === 0 && process.env['PEER_METHODS'] === undefined)
        await askOne(plainQuestion(ofPaths), undefined, false);
    }
    report(differences);
    expect(differences.slice(0, 5)).toEqual([]);
  });

  function heightOf(choices: Random): bigint {
    if (choices.below(2) === 0) return 0n;
    const head = BigInt(PLAYED);
    if (choices.below(8) === 0) return choices.pick([-1n, 1n, head + 1n, 2n ** 63n - 1n, -(2n ** 63n), head]);
    return BigInt(1 + choices.below(PLAYED));
  }
});
