/**
 * Starts a network of four validators on this machine: `node scripts/network.js <folder> [port]`. Needs a build, and
 * CometBFT 0.38 in the PATH or in `COMETBFT`. Each machine is a folder with a home. Machine N listens from `port +
 * 100 N` on (Ethereum at +1); CometBFT's RPC is at +20 and its peer address at +21. A second start continues the
 * chain. Ctrl+C stops all processes. `docs/NETWORK.md` shows the same steps by hand.
 */
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MACHINES = 4;
const PROGRAM = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const [folder, base = '36000'] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/network.js <folder> [port]');

const machines = Array.from({ length: MACHINES }, (_, index) => {
  const port = Number(base) + 100 * index;
  const home = join(folder, `node${index}`);
  return { index, home, comet: join(home, 'comet'), port, abci: port + 10, rpc: port + 20, p2p: port + 21 };
});
const [first] = machines;
const genesis = (home) => join(home, 'config', 'genesis.json');

function chronicled(machine, ...args) {
  return execFileSync(process.execPath, [PROGRAM, ...args, '--home', machine.home], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** Every machine signs a genesis transaction over the genesis file of the first machine, which collects them all. */
function found() {
  for (const machine of machines) {
    chronicled(machine, 'init', `node${machine.index}`);
    if (machine !== first) copyFileSync(genesis(first.home), genesis(machine.home));
  }
  const collected = join(first.home, 'config', 'gentx');
  mkdirSync(collected, { recursive: true });
  for (const machine of machines) {
    chronicled(machine, 'genesis', 'gentx', `dev${machine.index}`, '100chr', '--p2p-port', String(machine.p2p));
    const own = join(machine.home, 'config', 'gentx');
    if (machine !== first) for (const name of readdirSync(own)) copyFileSync(join(own, name), join(collected, name));
  }
  chronicled(first, 'genesis', 'collect-gentxs');
  for (const machine of machines) if (machine !== first) copyFileSync(genesis(first.home), genesis(machine.home));
  const peers = machines.map((machine) => ({
    machine,
    address: `${chronicled(machine, 'comet', 'show-node-id')}@127.0.0.1:${machine.p2p}`,
  }));
  for (const machine of machines) {
    const others = peers.filter((peer) => peer.machine !== machine).map(({ address }) => address);
    chronicled(
      machine,
      ...['comet', 'init', '--proxy-app', `tcp://127.0.0.1:${machine.abci}`, '--timeout-commit', '1s'],
      ...['--rpc-laddr', `tcp://127.0.0.1:${machine.rpc}`, '--p2p-laddr', `tcp://127.0.0.1:${machine.p2p}`],
      ...['--persistent-peers', others.join(',')],
    );
    // All peers have the same IP address.
    const config = join(machine.comet, 'config', 'config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('[p2p]', '[p2p]\nallow_duplicate_ip = true'));
  }
}

if (!existsSync(join(first.comet, 'config', 'config.toml'))) found();

const children = [];
for (const machine of machines) {
  const engine = ['--address', `tcp://127.0.0.1:${machine.abci}`, '--comet', `http://127.0.0.1:${machine.rpc}`];
  const ports = ['--port-base', String(machine.port), '--ready-file', join(machine.home, 'ready.json')];
  start(process.execPath, [PROGRAM, 'abci', '--home', machine.home, '--quiet', ...engine, ...ports]);
  start(process.env.COMETBFT ?? 'cometbft', ['start', '--home', machine.comet, '--log_level', 'error']);
  process.stdout.write(
    `node${machine.index}   Ethereum http://127.0.0.1:${machine.port + 1}   CometBFT http://127.0.0.1:${machine.rpc}\n`,
  );
}

function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', (error) => {
    process.stderr.write(`${program}: ${error.message}\n`);
    stop();
  });
  children.push(child);
}

function stop() {
  for (const child of children) child.kill('SIGTERM');
}
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
