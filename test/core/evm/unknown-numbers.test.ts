/** The engine refuses enum numbers that its port does not define; only a bug of the host could send them. */
import { expect, test } from 'vitest';
import { encodeBlock, encodeOverrides, encodeTransaction } from '../../../src/core/evm/encoding.js';
import { FlatWriter } from '../../../src/core/evm/flat-bytes.js';
import { EngineInstance } from '../../../src/runtime/evm/engine-instance.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { address, BLOCK, crypto, MapState, SENDER, tx } from './support.js';

const TO_ANYBODY = tx({ to: address(0xd00d) });
const encoded = (write: (writer: FlatWriter) => FlatWriter): Uint8Array => write(new FlatWriter()).done();
const OVERRIDDEN = encoded((writer) => encodeTransaction(encodeOverrides(writer, []), TO_ANYBODY));

function engine(block = encoded((writer) => encodeBlock(writer, BLOCK))): EngineInstance {
  const instance = new EngineInstance(loadEngineModule(), crypto, {});
  instance.call(block, (exports) => exports.begin_block());
  return instance;
}

test.each([
  ['transact', encoded((writer) => encodeTransaction(writer, TO_ANYBODY))],
  ['call', OVERRIDDEN],
  [
    'trace',
    encoded((writer) =>
      encodeTransaction(encodeOverrides(writer.bytes(new TextEncoder().encode('{}')), []), TO_ANYBODY),
    ),
  ],
] as const)('the engine export %s refuses an unknown number for the handling of fees', (name, input) => {
  const run = (fees: number) =>
    engine().execute(new MapState().fund(SENDER, 10n ** 24n), input, (exports) => exports[name](fees, 0, 0));
  expect([0, 1, 2, 3].map(run)).toEqual([0, 0, 0, 0]);
  for (const fees of [4, 255]) expect(() => run(fees)).toThrow(`${fees} is no handling of fees that the port knows`);
});

test('the engine refuses a block with an unknown kind of permission', () => {
  const permissions = { create: { kind: 'nobody', addresses: [] }, call: { kind: 'nobody', addresses: [] } } as const;
  const block = encoded((writer) => encodeBlock(writer, { ...BLOCK, permissions })).slice();
  engine(block);
  block[block.length - 10] = 3;
  expect(() => engine(block)).toThrow('3 is no kind of permission that the port knows');
});
