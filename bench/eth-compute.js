/** Contracts that compute, and blocks full of calls of one precompile: time of our engine compared with anvil's. */
import { keccak256, pad, toHex, hexToBytes } from 'viem';
import { generateKeyPairSync, hash, sign as signDigest } from 'node:crypto';
import { openConnection } from './http.js';
import { compare, timeRows } from './ethereum/compare.js';
import { startPeers } from './ethereum/peers.js';
import { deployment, perform, receiptOf, request, sendRequest, sign, worker } from './ethereum/transactions.js';
import secp256k1 from 'secp256k1';

const BLOCK_GAS = 16_000_000n;
/**
 * Milliseconds between two requests for a receipt. Without a pause the processor would mostly answer requests instead
 * of executing the block.
 */
const ASK_AGAIN = 10;
/** Warm-up calls, for engines that compile while they run. */
const WARM_CALLS = 10;
/** Init code that deploys `runtime` (hex, below 256 bytes). */
const deploying = (runtime) => `0x60${byte(runtime.length / 2)}600c60003960${byte(runtime.length / 2)}6000f3${runtime}`;
const byte = (value) => value.toString(16).padStart(2, '0');
/**
 * Repeats a call until 200,000 gas are left: the first word of the call data names the precompile, and the rest is
 * its input. CALLDATACOPY of the input to 0, then STATICCALL in a loop.
 */
const SPINNER = deploying(
  '602036036020600037' + '5b' + '60006000602036036000600035' + '5afa50' + '62030d405a11' + '600957' + '00',
);
/** Runs MUL and ADD with 64-bit constants; the first word is the count. Returns the last value. */
const ARITHMETIC = deploying(
  '6001600035' +
    '5b' +
    '90675851f42d4c957f2d026714057b7ef767814f01' +
    '9060019003' +
    '80600557' +
    '506000526020' +
    '6000f3',
);

const words = (...values) => values.map((value) => pad(toHex(value), { size: 32 }).slice(2)).join('');

/** Valid inputs: a precompile refuses an invalid one before it does the work. */
function inputs() {
  const digest = hexToBytes(keccak256('0x01'));
  const { signature, recid } = secp256k1.ecdsaSign(digest, new Uint8Array(32).fill(7));
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const message = Buffer.from('chronicle');
  const p256 = signDigest('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const hashed = new Uint8Array(32);
  hashed.set(hexToBytes(sha256Hex(message)));
  // bn254: the generator of G1; of G2 as EIP-197 gives it; e(P, Q) * e(-P, Q) = 1.
  const prime = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
  const g2 = words(
    11559732032986387107991004021392285783925812861821192530917403151452391805634n,
    10857046999023057135944570762232829481370756359578518086990519993285655852781n,
    4082367875863433681332203403145435568316851327593401208105741076214120093531n,
    8495653923123431417604973247489272438418190587263600148770280649306958101930n,
  );
  return [
    [
      'ecrecover',
      1,
      Buffer.from(digest).toString('hex') + words(BigInt(27 + recid)) + Buffer.from(signature).toString('hex'),
    ],
    ['modexp of 2,048 bits', 5, words(256n, 32n, 256n) + 'ab'.repeat(256) + 'ff'.repeat(32) + `${'cd'.repeat(255)}cf`],
    ['ecMul', 7, words(1n, 2n, 2n ** 253n + 12345n)],
    ['pairing of 2', 8, words(1n, 2n) + g2 + words(1n, prime - 2n) + g2],
    [
      'p256',
      256,
      Buffer.from(hashed).toString('hex') +
        p256.toString('hex') +
        Buffer.from(x, 'base64url').toString('hex') +
        Buffer.from(y, 'base64url').toString('hex'),
    ],
  ];
}

function sha256Hex(data) {
  return `0x${hash('sha256', data, 'hex')}`;
}

/** True when every peer has the precompile and accepts the input. */
async function isEverywhere(connections, address, input) {
  const to = pad(toHex(address), { size: 20 });
  const answers = await Promise.all(
    [...connections.values()].map((connection) =>
      connection.call('eth_call', [{ to, data: `0x${input}`, gas: toHex(1_000_000n) }, 'latest']),
    ),
  );
  return answers.every((answer) => answer === answers[0] && answer !== '0x');
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const peers = await startPeers();
  const busy = worker.deploy(0);
  const spinner = deployment(0, SPINNER, 1_000_000n);
  const arithmetic = deployment(0, ARITHMETIC, 1_000_000n);
  const connections = new Map();
  for (const peer of peers) {
    const connection = await openConnection(peer.url);
    connections.set(peer.name, connection);
    await perform(connection, [busy, spinner, arithmetic]);
  }
  const calls = async (name, to, data) => {
    const body = request('eth_call', [{ to, data }, 'latest']);
    const compared = await compare(peers, { rounds: 20, warm: WARM_CALLS }, async (peer) => {
      const { error } = await connections.get(peer.name).send(body);
      if (error !== undefined) throw new Error(`${peer.name}: ${JSON.stringify(error)}`);
      return 1;
    });
    return timeRows(name, compared);
  };
  const figures = [
    await calls('eth_call, arithmetic loop, 200,000 rounds', arithmetic.address, `0x${words(200_000n)}`),
    await calls('eth_call, keccak loop, 20,000 rounds', busy.address, worker.call('hashing', [20_000n])),
  ];
  for (const [name, address, input] of inputs()) {
    if (!(await isEverywhere(connections, address, input))) {
      process.stderr.write(`${name}: the peers answer differently, not compared\n`);
      continue;
    }
    const signed = [];
    const compared = await compare(peers, { rounds: 3 }, async (peer, round) => {
      const one = (signed[round] ??= sign(1, {
        to: spinner.address,
        gas: BLOCK_GAS,
        data: `0x${words(BigInt(address))}${input}`,
      }));
      const connection = connections.get(peer.name);
      const { error } = await connection.send(sendRequest(one));
      if (error !== undefined) throw new Error(`${peer.name} refused: ${JSON.stringify(error)}`);
      const receipt = await receiptOf(connection, one.hash, ASK_AGAIN);
      if (receipt.status !== '0x1') throw new Error(`${peer.name}: ${name} failed`);
      return 1;
    });
    figures.push(timeRows(`block of ${BLOCK_GAS / 1_000_000n} Mgas of ${name}`, compared));
  }
  for (const connection of connections.values()) connection.close();
  await Promise.all(peers.map((peer) => peer.stop()));
  return figures.flat();
}
