/** Names that handlers have before their messages are described, compared with the descriptors. */
import { expect, test } from 'vitest';
import { servedFiles } from '../../../../src/adapters/services/index.js';
import { presentModules } from '../../../../src/core/sdk/module/app-version.js';
import { message } from '../../../../src/core/sdk/module/module.js';
import { loadPreset } from '../../../../src/runtime/load-preset.js';

const methods = servedFiles()
  .services.filter(({ typeName }) => typeName.endsWith('.Msg'))
  .flatMap((service) => service.methods);

test('a handler derives the names of its messages from its method', () => {
  const differing = methods.filter(({ parent, localName, input, output }) => {
    const { typeUrl, responseTypeUrl } = message(parent, localName, () => undefined);
    return typeUrl !== `/${input.typeName}` || responseTypeUrl !== `/${output.typeName}`;
  });
  // Both take a message MsgUpdateParams, and their handlers name it themselves.
  expect(differing.map(({ name }) => name)).toEqual(['UpdateClientParams', 'UpdateConnectionParams']);
  expect(methods.length).toBeGreaterThan(90);
});

test.each(['chronicle', 'evmd'])('each handler of %s has the name of a message', async (preset) => {
  const inputs = new Set(methods.map(({ input }) => `/${input.typeName}`));
  const handlers = presentModules(await loadPreset(preset)).flatMap(({ messages }) => messages);
  expect(handlers.filter(({ typeUrl }) => !inputs.has(typeUrl))).toEqual([]);
  expect(handlers.length).toBeGreaterThan(50);
});
