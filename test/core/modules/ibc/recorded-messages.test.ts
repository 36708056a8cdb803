/**
 * The messages of IBC that a Go node executed on a chain of its own (faces/ibc.jsonl, faces/ibc-state.jsonl): their
 * results, the state after them, its roots, and the answers of queries over REST.
 */
import { readFileSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRest } from '../../../../src/adapters/rest/index.js';
import { refusal, type ServiceTable, STATUS } from '../../../../src/adapters/services/index.js';
import { servedFiles } from '../../../../src/adapters/services/files.js';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { parseGenesis } from '../../../../src/core/genesis/genesis-document.js';
import { createMultistore } from '../../../../src/core/multistore/multistore.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import type { ExecTxResult } from '../../../../src/core/proto/tendermint/abci/types_pb.js';
import { ConsensusParamsSchema } from '../../../../src/core/proto/tendermint/types/params_pb.js';
import type { StateReader } from '../../../../src/core/state/state.js';
import { goldenLines, goldenPath, hasGolden } from '../../../support/golden.js';
import { ask } from '../../../adapters/rest/ask.js';
import { chain } from '../../app/recorded-evm.js';
import { crypto, fromBase64, stateOf, toHex, PLAIN_BLOCK } from '../../app/support.js';
import { createHostTimers } from '../../../../src/runtime/host/time.js';

interface Result {
  readonly height: string;
  readonly tx_result: {
    readonly code: number;
    readonly codespace: string;
    readonly log: string;
    readonly data: string | null;
    readonly gas_used: string;
    readonly events: readonly {
      readonly type: string;
      readonly attributes: readonly { readonly key: string; readonly value: string }[];
    }[];
  };
}
interface Recorded {
  readonly kind: string;
  readonly name: string;
  readonly raw: string;
  readonly broadcast: { readonly code: number; readonly codespace: string; readonly log: string };
  readonly result: Result | null;
  readonly key: string;
  readonly req: string;
  readonly res: { readonly status: number; readonly body: string };
}
interface Pair {
  readonly store?: string;
  readonly root?: string;
  readonly s?: string;
  readonly k: string;
  readonly v: string;
}

const LAST = 27;
/** Height and time of the block that created the client, as the recorded state has them. */
const CREATED = { height: 22, time: 0x18e9cc9670476e11n };
const SECOND = 1_000_000_000n;

const lines = hasGolden ? goldenLines<Recorded>('faces/ibc.jsonl') : [];
const sent = lines.filter(({ kind }) => kind === 'tx');
const included = sent.filter(({ result }) => result !== null);
const asked = lines.filter(({ kind }) => kind === 'rest');

describe.skipIf(!hasGolden)('IBC messages recorded from evmd', () => {
  const app = createApplication({ version: evmd, chain, crypto });
  const multistore = createMultistore({ crypto, stores: evmd.stores });
  const results = new Map<string, ExecTxResult>();
  const state = stateOf([]);
  const at = (height: number) => ({
    chainId: '9001',
    height: toHeight(BigInt(height)),
    time: toTimeNs(CREATED.time + BigInt(height - CREATED.height) * SECOND),
  });

  beforeAll(() => {
    const genesis = parseGenesis(JSON.parse(readFileSync(goldenPath('chain-a/genesis.json'), 'utf8')));
    if (!genesis.ok) throw new Error(genesis.message);
    let writes = app.initChain(genesis.genesis).writes;
    for (let height = 1; height <= LAST; height += 1) {
      const txs = included.filter(({ result }) => result?.height === `${height}`);
      const before = stateOf(writes, state);
      const block = app.finalizeBlock(before, {
        ...PLAIN_BLOCK,
        ...at(height),
        txs: txs.map(({ raw }) => fromBase64(raw)),
      });
      if (block.kind !== 'executed') throw new Error(block.reason);
      for (const [index, { name }] of txs.entries()) {
        const result = block.results.txResults[index];
        if (result !== undefined) results.set(name, result);
      }
      // what InitChain writes enters the trees with the first block
      const all = height === 1 ? [...writes, ...block.writes] : block.writes;
      writes = [];
      for (const { store, key, value } of all) {
        if (value === undefined) state.delete(store, key);
        else state.set(store, key, value);
      }
      multistore.apply(all);
      multistore.commit(toHeight(BigInt(height)));
    }
  });

  test('are six executed transactions and one that was refused', () => {
    expect(included).toHaveLength(6);
    expect(sent).toHaveLength(7);
  });

  test.each(included)('$name has the recorded result, gas and events', ({ name, result }) => {
    const ours = results.get(name);
    const theirs = result?.tx_result;
    expect({
      code: ours?.code,
      codespace: ours?.codespace,
      log: ours?.log,
      data: ours?.data.length === 0 ? null : Buffer.from(ours?.data ?? []).toString('base64'),
      gas: `${ours?.gasUsed}`,
      events: ours?.events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map(({ key, value }) => ({ key, value, index: true })),
      })),
    }).toEqual({
      code: theirs?.code,
      codespace: theirs?.codespace,
      log: theirs?.log,
      data: theirs?.data,
      gas: theirs?.gas_used,
      events: theirs?.events,
    });
  });

  test.each(sent.filter(({ result }) => result === null))('$name is refused at admission', ({ raw, broadcast }) => {
    const { code, codespace, log } = app.checkTx(app.createCheckState(state, at(LAST)), fromBase64(raw));
    expect({ code, codespace, log }).toMatchObject({
      code: broadcast.code,
      codespace: broadcast.codespace,
      log: broadcast.log,
    });
  });

  test.each(['ibc', 'transfer'])('store %s has the recorded entries and root', (store) => {
    const recorded = goldenLines<Pair>('faces/ibc-state.jsonl');
    const pairs = recorded.flatMap(({ s, k, v }) => (s === store ? [[k, v]] : []));
    expect(pairsOf(state, store)).toEqual(pairs);
    const root = multistore.latest?.roots.find(({ name }) => name === store)?.root;
    expect(toHex(root ?? new Uint8Array()).toUpperCase()).toBe(recorded.find((line) => line.store === store)?.root);
  });

  test.each(lines.filter(({ kind }) => kind === 'abci_query with proof'))(
    'the proof of $key is the recorded one',
    ({ key, res }) => {
      const recorded = JSON.parse(res.body).result.response;
      const proved = multistore.prove('ibc', Buffer.from(key), toHeight(BigInt(recorded.height)), (store, one) =>
        state.get(store, one),
      );
      if (!proved.ok) throw new Error(JSON.stringify(proved.error));
      // the second operation leads to the app hash, which depends on stores that were not recorded
      const [first] = proved.ops;
      expect({
        type: first?.type,
        data: Buffer.from(first?.data ?? []).toString('base64'),
      }).toEqual({
        type: recorded.proofOps.ops[0].type,
        data: recorded.proofOps.ops[0].data,
      });
    },
  );

  test('an exported genesis starts a chain with the same clients, connections and channels', () => {
    const version = { ...evmd, initOrder: ['ibc', 'transfer'] };
    const options = { version, chain, crypto };
    const sections = JSON.parse(JSON.stringify(exportGenesis(state, { ...options, at: at(LAST) })));
    expect(sections.ibc.client_genesis.clients_consensus[0].consensus_states[0].consensus_state).toMatchObject({
      next_validators_hash: '950ECE8B7B84A6E4A63468D026C4CB0516570D9891EF0D1F142B1993819B9513',
    });
    const { writes } = createApplication(options).initChain({
      ...at(0),
      initialHeight: toHeight(1n),
      consensusParams: create(ConsensusParamsSchema),
      validators: [],
      appState: sections,
    });
    for (const store of ['ibc', 'transfer']) expect(pairsOf(stateOf(writes), store)).toEqual(pairsOf(state, store));
  });

  const files = servedFiles();
  const table: ServiceTable = {
    services: files.services,
    files,
    timers: createHostTimers(),
    methods: new Map(
      files.services
        .filter(({ typeName }) => /^ibc\..*\.Query$/.test(typeName))
        .flatMap(({ methods }) => methods)
        .map((desc) => {
          const path = `/${desc.parent.typeName}/${desc.name}`;
          return [path, { path, desc, nodeLevel: false, call: (data, height) => table.call(path, data, height) }];
        }),
    ),
    call: (path, data) => {
      const answer = app.query(state, at(LAST), path, data);
      return Promise.resolve(
        answer.ok
          ? { ok: true, value: answer.value, height: at(LAST).height }
          : { ...refusal(STATUS.notFound, answer.log), height: undefined },
      );
    },
  };
  const face = createRest(table, { version: '' });

  test.each(asked)('GET $req answers as recorded (query %#)', async ({ req, res }) => {
    const answer = await ask(face, { method: 'GET', path: req });
    expect(answer.status).toBe(res.status);
    if (res.status === 200) expect(answer.body).toBe(res.body);
    else expect(JSON.parse(answer.body).message).toContain(JSON.parse(res.body).message);
  });
});

function pairsOf(state: StateReader, store: string): readonly (readonly string[])[] {
  return [...state.range(store, {})].map(({ key, value }) => [toHex(key), toHex(value)]);
}
