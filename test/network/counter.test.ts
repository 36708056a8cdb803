/** `abci-cli test` of CometBFT over the socket server, with the application that it expects: a counter. */
import { execFile } from 'node:child_process';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { abciUrl, startAbciServer } from '../../src/adapters/abci/index.js';
import type { AbciApplication } from '../../src/core/abci/abci-application.js';
import { be64 } from '../../src/core/bytes/big-endian.js';
import { EMPTY } from '../../src/core/bytes/bytes.js';
import { EncodedResults } from '../../src/core/comet/encoded-results.js';
import { toHeight, toTimeNs } from '../../src/core/primitives.js';
import { ExecTxResultSchema, ResponseCheckTxSchema } from '../../src/core/proto/tendermint/abci/types_pb.js';
import { isInstalled } from '../clients/clients.js';
import { afterwards } from '../support/temporary.js';
import { ABCI_CLI } from './engine.js';

/** Each transaction holds the number of transactions before it, big-endian; the app hash is their count. */
function counter(): AbciApplication {
  let count = 0n;
  const execute = (tx: Uint8Array): { readonly code: number } => {
    if (BigInt(`0x0${Buffer.from(tx).toString('hex')}`) !== count) return { code: 2 };
    count += 1n;
    return { code: 0 };
  };
  return {
    info: async () => ({
      data: '',
      version: '',
      appVersion: 0n,
      lastBlockHeight: toHeight(0n),
      lastBlockAppHash: EMPTY,
    }),
    query: () => Promise.reject(new Error('no queries')),
    checkTx: async () => create(ResponseCheckTxSchema, {}),
    initChain: async () => ({ consensusParams: undefined, validators: [], appHash: EMPTY }),
    prepareProposal: async ({ txs }) => txs,
    processProposal: async () => 'accept',
    extendVote: async () => EMPTY,
    verifyVoteExtension: async () => 'accept',
    async finalizeBlock({ txs }) {
      const txResults = txs.map((tx) => create(ExecTxResultSchema, execute(tx)));
      const results = EncodedResults.of({ events: [], txResults, validatorUpdates: [] });
      return results.withAppHash(count === 0n ? EMPTY : be64(count));
    },
    commit: async () => ({ retainHeight: toHeight(0n) }),
    listSnapshots: async () => [],
    offerSnapshot: async () => 'abort',
    loadSnapshotChunk: async () => EMPTY,
    applySnapshotChunk: async () => ({ result: 'abort', refetchChunks: [], rejectSenders: [] }),
  };
}

describe.skipIf(!isInstalled('CometBFT', 'bin/abci-cli'))('abci-cli test', () => {
  it('passes against the ABCI server with a counter application', async () => {
    const server = await startAbciServer({
      address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
      app: counter(),
      clock: { now: () => toTimeNs(0n) },
      log: { info: () => undefined, error: () => undefined },
    });
    afterwards(() => server.stop());
    const printed = await new Promise<string>((resolve) => {
      execFile(ABCI_CLI, ['--address', abciUrl(server.address), 'test'], (_, stdout) => resolve(stdout));
    });
    expect(printed.match(/(Passed|Failed) test: .*/g)).toEqual([
      'Passed test: InitChain',
      ...Array.from({ length: 3 }, () => ['Passed test: Commit', 'Passed test: FinalizeBlock']).flat(),
      'Passed test: Commit',
      'Passed test: PrepareProposal',
      'Passed test: ProcessProposal',
    ]);
  });
});
