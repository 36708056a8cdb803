/**
 * Kills two nodes and a relayer, each in its own process, at random while tokens are transferred in both directions:
 * `node scripts/ibc-kills.js [seeds] [first seed] [steps]`. Needs a build. At the end, each packet has either arrived
 * once or been refunded, and the escrow of each chain equals the vouchers on the other chain. Prints a line for each
 * seed; the exit code is 1 if a check fails.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { encodeFunctionData, parseAbi } from 'viem';

const root = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(root, 'dist/node/main.js');
const RELAYER = join(root, 'build/ibc-kills/relayer.mjs');
const ICS20 = '0x0000000000000000000000000000000000000802';
const ABI = parseAbi([
  'struct Height { uint64 revisionNumber; uint64 revisionHeight; }',
  'function transfer(string, string, string, uint256, address, string, Height, uint64, string) returns (uint64)',
]);
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const NONE = { revisionNumber: 0n, revisionHeight: 0n };
const [seeds = '10', first = '1', steps = '14'] = process.argv.slice(2);

async function bundleRelayer() {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    input: join(root, 'test/support/relayer-process.ts'),
  });
  await bundle.write({ file: RELAYER, format: 'esm', codeSplitting: false });
  await bundle.close();
}

/** Random integers below a bound, from a seed (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** A process that is started, killed and started again with the same arguments. */
class Part {
  output = '';
  #child;

  constructor(args) {
    this.args = args;
  }

  start() {
    const child = spawn(process.execPath, this.args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        this.output = `${this.output}${chunk}`.slice(-4_000);
      });
    this.#child = child;
  }

  async kill() {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

/** A node that keeps its addresses when it is started again. */
class Node extends Part {
  constructor(folder, chainId, port) {
    super([
      ...[PROGRAM, 'dev', '--home', join(folder, chainId), '--chain-id', chainId, '--quiet', '--mining', 'instant'],
      ...['--log.sync', 'os', '--rpc.laddr', `tcp://127.0.0.1:${port}`, '--json-rpc.address', `127.0.0.1:${port + 1}`],
      ...['--json-rpc.ws-address', `127.0.0.1:${port + 2}`, '--grpc.address', `127.0.0.1:${port + 3}`],
      ...['--api.address', `tcp://127.0.0.1:${port + 4}`, '--api.alias-address', `127.0.0.1:${port + 5}`],
      ...['--metrics.address', `127.0.0.1:${port + 6}`],
    ]);
    this.addresses = [chainId, `http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];
    this.api = `http://127.0.0.1:${port + 4}`;
  }

  async ask(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await (await fetch(this.addresses[2], { method: 'POST', headers, body })).json();
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  async rest(path) {
    return (await fetch(`${this.api}${path}`)).json();
  }

  ready() {
    return until('a node is ready', () => this.ask('eth_chainId', [])).catch((error) => {
      throw new Error(`${error.message}: ${this.output}`);
    });
  }
}

function partsOf(folder, port) {
  const [a, b] = [new Node(folder, 'alpha_271828-1', port), new Node(folder, 'beta_271829-1', port + 200)];
  return { a, b, relayer: new Part([RELAYER, ...a.addresses, ...b.addresses]) };
}

/** Calls `ask` until it returns something other than undefined, for at most two minutes. */
async function until(what, ask) {
  for (let left = 1_200; left > 0; left -= 1) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await pause(100);
  }
  throw new Error(`never: ${what}`);
}

async function oneRun({ a, b, relayer }, random) {
  for (const part of [a, b, relayer]) part.start();
  for (const node of [a, b]) await node.ready();
  const ends = new Map();
  for (const node of [a, b]) ends.set(node, { channel: await openChannel(node), packets: [] });
  let kills = 0;
  for (let step = 0; step < Number(steps); step += 1) {
    const node = [a, b][random(2)];
    for (let count = 1 + random(3); count > 0; count -= 1) ends.get(node).packets.push(await send(node, ends, random));
    await pause(random(600));
    if (random(2) === 0) continue;
    const part = [a, b, relayer][random(3)];
    await part.kill();
    kills += 1;
    await pause(random(300));
    part.start();
    if (part !== relayer) await part.ready();
  }
  await until('no packet waits', () => allEnded([a, b], ends));
  const late = (await check(a, b, ends)) + (await check(b, a, ends));
  return { sent: [...ends.values()].reduce((sum, { packets }) => sum + packets.length, 0), kills, late };
}

function openChannel(node) {
  return until('a channel is open', async () => {
    const { channels } = await node.rest('/ibc/core/channel/v1/channels');
    return channels.find(({ state, port_id }) => state === 'STATE_OPEN' && port_id === 'transfer')?.channel_id;
  });
}

/** Sends tokens to a fresh address, with a timeout of a few seconds or of an hour. */
async function send(node, ends, random) {
  const isShort = random(3) === 0;
  const receiver = `0x${Array.from({ length: 40 }, () => random(16).toString(16)).join('')}`;
  const amount = BigInt(1 + random(1_000));
  const timeout = (BigInt(Date.now()) + (isShort ? BigInt(random(4_000)) : 3_600_000n)) * 1_000_000n;
  const { channel } = ends.get(node);
  const args = ['transfer', channel, 'achr', amount, SENDER, await bech32(receiver), NONE, timeout, ''];
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args });
  // the chain refuses a timeout in the past
  const hash = await node
    .ask('eth_sendTransaction', [{ from: SENDER, to: ICS20, data, gas: '0xf4240' }])
    .catch(() => '');
  return { receiver: await bech32(receiver), amount, isShort, hash };
}

async function bech32(address) {
  const { toBech32, fromHex } = await import('@cosmjs/encoding');
  return toBech32('chron', fromHex(address.slice(2)));
}

async function allEnded(nodes, ends) {
  let waiting = 0;
  for (const node of nodes) {
    await node.ask('evm_mine', []);
    const { channel } = ends.get(node);
    const path = `/ibc/core/channel/v1/channels/${channel}/ports/transfer/packet_commitments`;
    waiting += (await node.rest(path)).commitments.length;
  }
  return waiting === 0 ? true : undefined;
}

/**
 * Throws if a packet did not arrive exactly once, or if escrow and vouchers differ. Counts packets that timed out.
 */
async function check(from, to, ends) {
  let [late, arrived] = [0, 0n];
  for (const { receiver, amount, isShort, hash } of ends.get(from).packets) {
    const { balances } = await to.rest(`/cosmos/bank/v1beta1/balances/${receiver}`);
    const got = balances.reduce((sum, coin) => sum + BigInt(coin.amount), 0n);
    const isSent = hash !== '' && (await from.ask('eth_getTransactionReceipt', [hash]))?.status === '0x1';
    if (got !== 0n && got !== amount) throw new Error(`${amount} were sent, and ${got} arrived`);
    if (isSent && !isShort && got === 0n) throw new Error(`${amount} were lost: ${hash}`);
    if (got === 0n) late += 1;
    arrived += got;
  }
  const escrow = BigInt((await from.rest('/ibc/apps/transfer/v1/total_escrow/achr')).amount.amount);
  const { supply } = await to.rest('/cosmos/bank/v1beta1/supply?pagination.limit=100');
  const vouchers = supply.reduce(
    (sum, { denom, amount }) => (denom.startsWith('ibc/') ? sum + BigInt(amount) : sum),
    0n,
  );
  if (escrow !== arrived || vouchers !== arrived)
    throw new Error(`escrow ${escrow}, vouchers ${vouchers}, arrived ${arrived}`);
  return late;
}

await bundleRelayer();
let failures = 0;
for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'ibc-kills-'));
  // below 32,768: above, an outgoing connection may take the port of a killed node
  const parts = partsOf(folder, 20_000 + ((process.pid + seed * 400) % 12_000));
  const began = performance.now();
  try {
    const { sent, kills, late } = await oneRun(parts, randomOf(seed));
    const seconds = Math.round((performance.now() - began) / 1_000);
    process.stdout.write(`seed ${seed}: ${sent} packets, ${kills} kills, ${late} never arrived, ${seconds} s\n`);
  } catch (error) {
    failures += 1;
    process.stdout.write(`seed ${seed}: ${error.message}\n${parts.relayer.output}\n`);
  } finally {
    for (const part of Object.values(parts)) await part.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(`${seeds} seeds, ${failures} failures\n`);
process.exitCode = failures === 0 ? 0 : 1;
