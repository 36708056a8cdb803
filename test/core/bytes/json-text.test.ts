/** JSON of strings that came from invalid UTF-8: each invalid byte is written as U+FFFD, as Go's encoder does. */
import { createRegistry } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { goJson } from '../../../src/adapters/raw-json.js';
import { readMessages } from '../../../src/adapters/eth-rpc/envelope.js';
import { createToJson } from '../../../src/adapters/rest/json/to-json.js';
import { text } from '../../../src/core/bytes/bytes.js';
import { jsonText, parseJson, shownJson } from '../../../src/core/text/json-text.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { printableJson } from '../../../src/core/text/printable.js';
import { DescriptionSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/staking_pb.js';
import { encode } from '../../support/encode.js';

/** An incomplete sequence of two bytes, for which Go writes U+FFFD twice, then the characters `\ud800`. */
const ODD = text(Uint8Array.of(0xe2, 0x82, 0x5c, 0x75, 0x64, 0x38, 0x30, 0x30));
const SHOWN = '\ufffd\ufffd\\ud800';

it('JSON writes every string as Go does, with backslashes kept', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('\\', 'u', 'd8', '00', '\ud83d', '\udc80', '\udcff', '"', 'é') }),
      (given) => {
        expect(JSON.parse(jsonText({ given }))).toEqual({ given: given.toWellFormed() });
        expect(JSON.parse(shownJson(JSON.stringify([given], undefined, 2)))).toEqual([given.toWellFormed()]);
      },
    ),
  );
});

it.each([
  ['CometBFT RPC', (given: string) => goJson(given)],
  ['the command line', (given: string) => printableJson(given)],
])('%s writes U+FFFD for each invalid byte', (_, show) => {
  expect(JSON.parse(show(ODD))).toBe(SHOWN);
});

it('REST writes U+FFFD for each invalid byte', () => {
  const bytes = encode(DescriptionSchema, { moniker: ODD });
  expect(createToJson(createRegistry())(DescriptionSchema, bytes)).toContain(
    String.raw`"moniker":"\ufffd\ufffd\\ud800"`,
  );
});

it('the JSON parser turns an escaped lone surrogate into U+FFFD, not into a byte', () => {
  expect(parseJson(String.raw`["\udc80","\ud83d\ude00","\\udc80"]`)).toEqual(['\ufffd', '\ud83d\ude00', '\\udc80']);
  expect(parseJson('["\udc80"]')).toEqual(['\ufffd']);
  expect(
    readMessages(String.raw`{"jsonrpc":"2.0","id":1,"method":"a","params":["\udc80"]}`, DEFAULT_LIMITS),
  ).toMatchObject({
    message: { params: ['\ufffd'] },
  });
});
