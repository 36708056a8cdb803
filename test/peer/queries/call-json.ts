/** Random calls of the EVM in the JSON that `EthCall` and its kin take. */
import type { Material } from './request.js';

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** A random one of what the chain knows, or another. */
function address({ choices, known }: Material): unknown {
  if (choices.below(30) === 0)
    return choices.pick(['0x', 'bad', 7, null, `0x${'ab'.repeat(19)}`, `0x${'ab'.repeat(21)}`]);
  if (choices.below(4) === 0)
    return `0x${choices.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 256, 1024, 2048, 2049, 2050, 2051, 2052, 2053, 2054]).toString(16).padStart(40, '0')}`;
  const values = known.of('hex');
  return values.length === 0 ? `0x${'11'.repeat(20)}` : choices.pick(values);
}

function quantity({ choices }: Material): unknown {
  if (choices.below(15) === 0)
    return choices.pick(['0x', '0x01', 'bad', 5, '10', `0x${'f'.repeat(65)}`, `0x${'f'.repeat(64)}`, null]);
  return `0x${choices.pick([0, 1, 7, 100, 21_000, 53_000, 100_000, 1_000_000, 10_000_000, 2 ** 40]).toString(16)}`;
}

/** Selectors of ERC-20, of the precompiles, and runs of code. */
const DATA = [
  '0x',
  '0x18160ddd',
  '0x06fdde03',
  '0x95d89b41',
  '0x313ce567',
  '0x00',
  '0xfe',
  '0x60006000fd',
  '0x600a600c600039600a6000f3602a60805260206080f3',
  '0x60016000556000600155',
  '0x4260005260206000f3',
  '0x4360005260206000f3',
  '0x4160005260206000f3',
  '0x4460005260206000f3',
  '0x4560005260206000f3',
  '0x4660005260206000f3',
  '0x4860005260206000f3',
  '0x3a60005260206000f3',
  '0x60014060005260206000f3',
  '0x475f5260205ff3',
  '0x4a5f5260205ff3',
];

function data({ choices, known }: Material): unknown {
  if (choices.below(20) === 0) return choices.pick(['0x1', 'bad', '', 5, null]);
  if (choices.below(4) === 0)
    return `0x70a08231${String(known.of('hex')[0] ?? '')
      .slice(2)
      .padStart(64, '0')}`;
  if (choices.below(6) === 0) return `0x${Buffer.from(choices.bytes(choices.pick([4, 36, 68, 100]))).toString('hex')}`;
  return choices.pick(DATA);
}

/** Arguments of a call: mostly well-formed ones. */
export function callJson(material: Material): Uint8Array {
  const { choices } = material;
  if (choices.below(30) === 0)
    return choices.pick([
      Buffer.from(''),
      Buffer.from('{'),
      Buffer.from('[]'),
      Buffer.from('null'),
      Buffer.from('{} {}'),
    ]);
  const hash = `0x${'00'.repeat(31)}01`;
  const parts: readonly (readonly [string, number, () => unknown])[] = [
    ['from', 2, () => address(material)],
    ['to', 2, () => address(material)],
    ['gas', 3, () => quantity(material)],
    ['gasPrice', 8, () => quantity(material)],
    ['maxFeePerGas', 10, () => quantity(material)],
    ['maxPriorityFeePerGas', 12, () => quantity(material)],
    ['value', 4, () => quantity(material)],
    ['nonce', 10, () => quantity(material)],
    ['data', 2, () => data(material)],
    ['input', 3, () => data(material)],
    [
      'accessList',
      10,
      () => choices.pick([[], null, [{ address: address(material), storageKeys: [hash] }], [{}], 'bad']),
    ],
    ['chainId', 8, () => choices.pick(['0x40000', '0x40000', '0x1', '0x0', quantity(material)])],
    ['blobVersionedHashes', 40, () => [hash]],
    ['maxFeePerBlobGas', 40, () => quantity(material)],
    ['authorizationList', 30, () => choices.pick([[], [{}]])],
    ['nope', 30, () => 1],
  ];
  return json(
    Object.fromEntries(
      parts.flatMap(([name, rarity, value]) => (choices.below(rarity) === 0 ? [[name, value()]] : [])),
    ),
  );
}

/** State overrides by address. */
export function overridesJson(material: Material): Uint8Array {
  const { choices } = material;
  if (choices.below(10) === 0)
    return choices.pick([Buffer.from('{'), Buffer.from('null'), Buffer.from('[]'), Buffer.from('{"bad":{}}')]);
  const word = (): string => `0x${choices.below(4).toString(16).padStart(64, '0')}`;
  const slots = (): unknown => ({ [word()]: word() });
  const account = {
    ...(choices.below(2) === 0 && { balance: quantity(material) }),
    ...(choices.below(3) === 0 && { nonce: quantity(material) }),
    ...(choices.below(2) === 0 && { code: data(material) }),
    ...(choices.below(4) === 0 && { state: slots() }),
    ...(choices.below(4) === 0 && { stateDiff: slots() }),
    ...(choices.below(10) === 0 && { movePrecompileToAddress: address(material) }),
  };
  return json({ [String(address(material))]: account });
}

/** Options of a tracer. */
export function configJson({ choices }: Material): string {
  return choices.pick([
    '',
    '',
    '{}',
    '{"onlyTopCall":true}',
    '{"withLog":true}',
    '{"diffMode":true}',
    '{',
    'null',
    '[]',
    '{"nope":1}',
  ]);
}
