/** Folders whose tests start processes, threads or servers, open connections, or count the objects of their process. */
const FOLDERS = ['attacks', 'clients', 'e2e', 'network', 'package', 'peer', 'power'];

/** Files of other folders that do so, by the end of their paths. */
export const FILES = [
  'abci/engine-queries.test.ts',
  'abci/kvstore-recorded.test.ts',
  'abci/server.test.ts',
  'actor-restarts.test.ts',
  'cli/addresses.test.ts',
  'cli/amounts.test.ts',
  'cli/commands.test.ts',
  'cli/dev-mine.test.ts',
  'cli/foreign-flags.test.ts',
  'cli/ibc.test.ts',
  'cli/missing-module.test.ts',
  'cli/named-accounts.test.ts',
  'cli/peer-flags.test.ts',
  'cli/recorded.test.ts',
  'cli/seed-forms.test.ts',
  'cli/signatures.test.ts',
  'cli/signing-info.test.ts',
  'cli/text-output.test.ts',
  'cli/unordered.test.ts',
  'cli/wait-tx.test.ts',
  'cosmjs.test.ts',
  'dev/process.test.ts',
  'eth-rpc/clients.test.ts',
  'executor-memory.test.ts',
  'grpc/bad-input.test.ts',
  'grpc/daemon.test.ts',
  'grpc/health.test.ts',
  'grpc/recorded.test.ts',
  'house/docs.test.ts',
  'house/import-matrix.test.ts',
  'house/prose.test.ts',
  'house/tidy.test.ts',
  'house/valid-answers.test.ts',
  'http-post.test.ts',
  'killed-daemon.test.ts',
  'manifest.test.ts',
  'node/launch.test.ts',
  'node/preinstalls.test.ts',
  'paced-connection.test.ts',
  'planted-bugs.test.ts',
  'proto/descriptors.test.ts',
  'reading-process.test.ts',
  'recorded-ethereum/faces.test.ts',
  'recorded-ethereum/mempool.test.ts',
  'rest/daemon.test.ts',
  'rest/server.test.ts',
  'retained-memory.test.ts',
  'store/level-store.test.ts',
  'subscriptions/socket.test.ts',
  'testing/liars.test.ts',
  'testing/live.test.ts',
  'threads/worker.test.ts',
  'transport/frames.test.ts',
  'transport/transport.test.ts',
  'verification/compilers.test.ts',
];

/** Files that start nothing and need more than three seconds: long searches by random inputs, whole recorded chains. */
export const LONG_FILES = [
  'abci/module-gas.test.ts',
  'actor-failures.test.ts',
  'compare/compare-golden.test.ts',
  'compose/pruned-blocks.test.ts',
  'compose/pruning.test.ts',
  'crash-at-commit.test.ts',
  'dev/properties.test.ts',
  'eth-rpc/subscriptions/promises.test.ts',
  'evm/differential.test.ts',
  'filter-manager/promises.test.ts',
  'flipped-bytes.test.ts',
  'ibc/chains/packets.test.ts',
  'recorded-homes.test.ts',
];

/** The files of the project `long`, as patterns. */
export const LONG = LONG_FILES.map((end) => `test/**/${end}`);

/** The files of the project `process`, as patterns; all others are of the projects `long` and `unit`. */
export const PROCESS = [`test/{${FOLDERS.join(',')}}/**/*.test.ts`, ...FILES.map((end) => `test/**/${end}`)];
