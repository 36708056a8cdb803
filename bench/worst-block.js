/**
 * Finds the slowest block by gas: programs that fill 30 million gas with one instruction or precompile, in the sizes
 * with the most time per gas. The engine in this process executes each. Prints the slowest, and the time of a block
 * of each. CHRONICLED_BENCH_GAS is the gas of a block. CHRONICLED_BENCH_SEARCH is a number of further programs with
 * random operands and sizes, which follow from CHRONICLED_TEST_SEED. A program of several instructions is never
 * slower than the slowest of them alone.
 */
import { randomInt } from 'node:crypto';
import { createEngineFactory } from '../build/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../build/runtime/evm/load-engine.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';

const GAS = BigInt(process.env['CHRONICLED_BENCH_GAS'] ?? 30_000_000);
const SEARCHED = Number(process.env['CHRONICLED_BENCH_SEARCH'] ?? 0);
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? randomInt(2 ** 31));
const SLOWEST = 12;
const ROUNDS = 3;
const UNROLLED = 64;
const CODE = 1n << 20n;

const hex = (value, bytes) =>
  BigInt(value)
    .toString(16)
    .padStart(bytes * 2, '0');
const push = (value) => {
  const digits = BigInt(value).toString(16);
  const bytes = Math.max(1, Math.ceil(digits.length / 2));
  return (0x5f + bytes).toString(16) + hex(value, bytes);
};
const bytesOf = (digits) => Uint8Array.from(Buffer.from(digits, 'hex'));
/** Runs `before` once, then repeats `body` until the gas ends. A body leaves the stack unchanged. */
const looping = (before, body) => {
  const start = before.length / 2;
  return `${before}5b${body.repeat(UNROLLED)}61${hex(start, 2)}56`;
};

const BIG = (1n << 255n) - 19n;
/** Instructions on the slowest values: name, code, arguments. */
const INSTRUCTIONS = [
  ['ADD', '01', 2],
  ['MUL', '02', 2],
  ['DIV', '04', 2],
  ['SDIV', '05', 2],
  ['MOD', '06', 2],
  ['ADDMOD', '08', 3],
  ['MULMOD', '09', 3],
  ['EXP', '0a', 2],
  ['SIGNEXTEND', '0b', 2],
  ['SAR', '1d', 2],
  ['CLZ', '1e', 1],
];

const LARGE = [BIG, (1n << 254n) + 12_345n, (1n << 200n) - 3n];

/** One instruction on large values. */
function arithmetic([name, code, count], values) {
  const body = `${Array.from({ length: count }, (_, index) => push(values[index % 3])).join('')}${code}50`;
  return { name, code: looping('', body) };
}

/** One instruction on several sizes of memory. */
function onMemory(name, make) {
  return [32, 1_024, 16_384, 131_072].map((size) => ({
    name: `${name}, ${size} bytes`,
    code: looping(`${push(1)}${push(size)}52`, make(size)),
  }));
}

/** Another account or slot each time, from a counter on the stack. */
function cold(name, use) {
  return { name, code: looping(push(CODE), `60010180${use}`) };
}

/** Repeats a precompile with its input in memory; the gas of a call is its own. */
function precompile(name, address, input) {
  const size = input.length / 2;
  const body = `60006000${push(size)}6000${push(address)}5afa50`;
  return { name, code: looping(`${push(size)}60006000${'37'}`, body), data: input };
}

const word = (value) => hex(value, 32);
const PRIME = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const G2 = [
  11559732032986387107991004021392285783925812861821192530917403151452391805634n,
  10857046999023057135944570762232829481370756359578518086990519993285655852781n,
  4082367875863433681332203403145435568316851327593401208105741076214120093531n,
  8495653923123431417604973247489272438418190587263600148770280649306958101930n,
]
  .map(word)
  .join('');
const PAIR = word(1) + word(2) + G2 + word(1) + word(PRIME - 2n) + G2;
const modexp = (base, exponent, modulus, last = 'cf') =>
  `${word(base)}${word(exponent)}${word(modulus)}${'ab'.repeat(base)}${'ff'.repeat(exponent)}${'cd'.repeat(modulus - 1)}${last}`;

const PROGRAMS = [
  ...INSTRUCTIONS.map((instruction) => arithmetic(instruction, LARGE)),
  { name: 'JUMPDEST', code: looping('', '5b') },
  { name: 'PUSH and POP', code: looping('', '600150') },
  { name: 'DUP16 and POP', code: looping('5f'.repeat(16), '8f50') },
  { name: 'JUMP', code: `5b${'600056'}` },
  ...onMemory('KECCAK256', (size) => `${push(size)}60002050`),
  ...onMemory('MCOPY', (size) => `${push(size)}600060015e`),
  ...onMemory('CODECOPY', (size) => `${push(size)}6000600039`),
  ...onMemory('LOG4', (size) => `6004600360026001${push(size)}6000a4`),
  ...onMemory('RETURNDATACOPY of none', () => '5f5f5f3e'),
  ...onMemory('CREATE2 of empty code', () => '5a5f5f5ff550'),
  ...onMemory('CREATE of code', (size) => `${push(Math.min(size, 49_152))}5f5ff050`),
  cold('SLOAD of cold slots', '5450'),
  cold('SSTORE of new slots', '600190' + '55'),
  cold('TSTORE', '600190' + '5d'),
  cold('BALANCE of cold accounts', '3150'),
  cold('EXTCODESIZE of cold accounts', '3b50'),
  cold('EXTCODEHASH of cold accounts', '3f50'),
  cold('CALL of cold accounts', '5f5f5f5f5f85610fffF150'.toLowerCase() + '50'),
  { name: 'CALL of itself', code: looping('', '5f5f5f5f5f305af150') },
  { name: 'BLOCKHASH', code: looping('', '5f4050') },
  { name: 'SELFBALANCE', code: looping('', '4750') },
  precompile('ecrecover', 1, `${word(12_345n)}${word(27)}${word(BIG / 3n)}${word(BIG / 5n)}`),
  ...[64, 4_096, 131_072].flatMap((size) => [
    precompile(`sha256 of ${size} bytes`, 2, 'a7'.repeat(size)),
    precompile(`ripemd160 of ${size} bytes`, 3, 'a7'.repeat(size)),
    precompile(`identity of ${size} bytes`, 4, 'a7'.repeat(size)),
  ]),
  ...[32, 64, 128, 256, 512, 1_024].flatMap((size) => [
    precompile(`modexp of ${size * 8} bits, exponent of 256`, 5, modexp(size, 32, size)),
    precompile(`modexp of ${size * 8} bits, as long an exponent`, 5, modexp(size, size, size)),
    precompile(`modexp of ${size * 8} bits, even`, 5, modexp(size, 32, size, 'ce')),
  ]),
  precompile('ecAdd', 6, word(1) + word(2) + word(1) + word(PRIME - 2n)),
  precompile('ecMul', 7, word(1) + word(2) + word(2n ** 256n - 1n)),
  ...[1, 4].map((pairs) => precompile(`pairing of ${2 * pairs}`, 8, PAIR.repeat(pairs))),
  ...[1, 12, 100_000, 4_000_000].map((rounds) =>
    precompile(
      `blake2f of ${rounds} rounds`,
      9,
      `${hex(rounds, 4)}${'a5'.repeat(64)}${'5a'.repeat(128)}${'11'.repeat(16)}01`,
    ),
  ),
  precompile(
    'p256',
    256,
    `${word(12_345n)}${word(BIG / 3n)}${word(BIG / 5n)}${word(0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n)}${word(0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n)}`,
  ),
];

/** Random integers below 2^32 from a seed (xorshift). */
function numbers(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** An instruction on random values, a hash of random length, or a precompile with an input of random size. */
function searched(next) {
  const sized = (maximum) => 1 + (next() % 2 ** (1 + (next() % maximum)));
  const value = () => {
    const bits = BigInt(next() % 257);
    return (BigInt(next()) * 0x1_0001_0001_0001_0001_0001_0001_0001n) % (1n << bits);
  };
  const digits = (bytes) => Array.from({ length: bytes }, () => hex(next() % 256, 1)).join('');
  switch (next() % 4) {
    case 0: {
      const instruction = INSTRUCTIONS[next() % INSTRUCTIONS.length];
      const values = [value(), value(), value()];
      return arithmetic([`${instruction[0]} of ${values.join(', ')}`, ...instruction.slice(1)], values);
    }
    case 1: {
      const size = sized(16);
      const body = `${push(size)}60002050`;
      return { name: `KECCAK256, ${size} bytes`, code: looping(`${push(1)}${push(size)}52`, body) };
    }
    case 2: {
      const [base, exponent, modulus] = [sized(10), sized(10), sized(10)];
      const input = `${word(base)}${word(exponent)}${word(modulus)}${digits(base + exponent + modulus)}`;
      return precompile(`modexp of ${base}, ${exponent} and ${modulus} bytes`, 5, input);
    }
    default: {
      const address = 2 + (next() % 3);
      const size = sized(16);
      return precompile(`precompile ${address}, ${size} bytes`, address, digits(size));
    }
  }
}

const SENDER = bytesOf('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const AT = bytesOf(hex(0xc0de, 20));

/** Processor milliseconds, which other work on the machine hardly affects. */
function processorTime(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Milliseconds of one transaction with the whole gas of the block, and the gas that it used. */
function measured(engine, crypto, { code, data = '' }) {
  const bytes = bytesOf(code);
  const codeHash = crypto.keccak256(bytes);
  const empty = crypto.keccak256(new Uint8Array());
  const state = {
    account: (address) =>
      Buffer.compare(address, AT) === 0
        ? { balance: 0n, nonce: 1n, codeHash }
        : Buffer.compare(address, SENDER) === 0
          ? { balance: 10n ** 30n, nonce: 0n, codeHash: empty }
          : undefined,
    code: () => bytes,
    storage: () => undefined,
    blockHash: () => new Uint8Array(32),
  };
  const transaction = {
    type: 0,
    from: SENDER,
    to: AT,
    nonce: 0n,
    gasLimit: GAS,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: undefined,
    value: 0n,
    data: bytesOf(data),
    accessList: [],
    authorizations: [],
  };
  let used = 0n;
  engine.clear();
  const milliseconds = processorTime(() => {
    const outcome = engine.call(state, transaction, { fees: 'none' }, []);
    if (outcome.kind !== 'executed') throw new Error(`refused: ${outcome.reason} ${outcome.detail}`);
    used = outcome.result.gasUsed;
  });
  return { milliseconds, used };
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const crypto = await createHostCrypto();
  const engine = createEngineFactory(loadEngineModule(), crypto)();
  engine.beginBlock(BLOCK);
  const block = (program) => {
    const rounds = Array.from({ length: ROUNDS }, () => measured(engine, crypto, program));
    return { name: program.name, used: rounds[0].used, value: Math.min(...rounds.map((one) => one.milliseconds)) };
  };
  // Warm-up, in which V8 compiles the engine.
  for (let warm = 0; warm < ROUNDS; warm += 1)
    for (const program of PROGRAMS.slice(0, 4)) measured(engine, crypto, program);
  const next = numbers(SEED);
  const more = Array.from({ length: SEARCHED }, () => searched(next));
  if (SEARCHED > 0) process.stderr.write(`${SEARCHED} programs of seed ${SEED}\n`);
  const all = [...PROGRAMS, ...more].map(block).sort((one, other) => other.value - one.value);
  return all.slice(0, SLOWEST).map(({ name, value, used }) => ({
    name: `a block of ${GAS / 1_000_000n} million gas of ${name}${used < GAS ? ` (used ${used})` : ''}`,
    value,
    unit: 'ms',
  }));
}

const BLOCK = {
  fork: 'osaka',
  chainId: 271_828n,
  number: 1n,
  coinbase: bytesOf(hex(1, 20)),
  timestamp: 1_700_000_000n,
  gasLimit: GAS,
  baseFee: 0n,
  prevRandao: new Uint8Array(32),
};
