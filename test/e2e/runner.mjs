/** Runs `chronicled dev` from the built daemon until src/node/main.ts exists: same flags, same ready file. */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createDaemonConfig, readyFile } from '../../dist/node/config/index.js';
import { startDaemon } from '../../dist/node/daemon.js';
import { createLogger } from '../../dist/node/logger.js';

const flags = new Map();
for (let rest = process.argv.slice(3); rest.length > 0; ) {
  const name = rest.shift().replace(/^--/, '');
  flags.set(name, rest.length === 0 || rest[0].startsWith('--') ? 'true' : rest.shift());
}
const config = createDaemonConfig({
  env: process.env,
  userHome: '/nonexistent',
  readFile: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
});
const resolved = config.resolve('dev', flags);
if (!resolved.ok) throw new Error(resolved.problem.message);
const { options } = resolved;
const daemon = await startDaemon(options, createLogger(options.logLevel, options.logFormat));
const at = (face) => ({ host: '127.0.0.1', port: daemon.faces.ports[face] });
// A client of CometBFT cannot read the status of a chain without a block: ready means that block 1 is there.
if (daemon.node.api.queries.chain.head().height === 0n) {
  const first = new Promise((resolve) => daemon.node.hub.onCommit(resolve));
  daemon.node.consensus.mine();
  await first;
}
const { height, position } = daemon.node.api.queries.chain.head();
const facts = { pid: process.pid, version: '', chainId: options.chainId, evmChainId: 0n, height, position, bound: { comet: at('comet'), metrics: at('metrics') } };
process.once('SIGTERM', () => {
  void daemon.stop().then(() => process.exit(0));
});
void daemon.node.failed.then((reason) => {
  process.stderr.write(`failed: ${reason?.stack ?? reason}\n`);
  process.exit(1);
});
if (options.readyFile !== undefined) {
  writeFileSync(`${options.readyFile}.tmp`, JSON.stringify(readyFile(facts)), { mode: 0o600 });
  renameSync(`${options.readyFile}.tmp`, options.readyFile);
}
