import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { idOf } from '../../src/adapters/json-rpc-id.js';

const LONG = 'x'.repeat(100_000);

describe('the id of a message that is not parsed', () => {
  it.each([
    ['at the beginning', `{"jsonrpc":"2.0","id":7,"method":"m","params":["${LONG}"]}`, '7'],
    ['at the end, as ethers writes it', `{"method":"m","params":["${LONG}"],"id":7,"jsonrpc":"2.0"}`, '7'],
    ['between spaces', ` {\n "id" : "a" , "params" : ["${LONG}"] }`, '"a"'],
    ['between spaces at the end', `{"params":["${LONG}"] , "id" : "a"\n} \n`, '"a"'],
    ['with quotes and backslashes', String.raw`{"x":"\\\"}","id":"\"\\","params":[]}`, String.raw`"\"\\"`],
    ['with quotes and backslashes at the end', String.raw`{"params":[],"id":"\"\\","x":"\\\"{"}`, String.raw`"\"\\"`],
    ['null', '{"id":null}', 'null'],
    ['a number with a sign, a point and an exponent', '{"params":[],"id":-1.5e+3}', '-1.5e+3'],
  ])('is found %s', (_, text, id) => {
    expect(idOf(Buffer.from(text))).toBe(id);
  });

  it.each([
    ['none', '{"method":"m"}'],
    ['one of a nested object', '{"method":"m","params":{"id":7}}'],
    ['one of a nested object between members', '{"method":"m","params":[{"id":7}],"jsonrpc":"2.0"}'],
    ['one in a text', String.raw`{"method":"m","params":[],"x":"\",\"id\":7"}`],
    ['those of a batch', '[{"id":7}]'],
    ['one between two long members', `{"a":"${LONG}","id":7,"b":"${LONG}"}`],
    ['one that is no id', '{"id":true}'],
    ['one that is an object', '{"id":{}}'],
    ['a longer one than an answer repeats', `{"params":[],"id":"${'i'.repeat(1_100)}"}`],
    ['a number whose beginning is far', `{"params":[],"id":${'1'.repeat(100)}}`],
    ['one in bytes that are no JSON', 'id":7}'],
    ['one in nothing', ''],
  ])('is not found in %s', (_, text) => {
    expect(idOf(Buffer.from(text))).toBeUndefined();
  });

  it('is found in linear time, even among many backslashes and quotes', () => {
    const looked = (text: string): number => {
      const slice = vi.spyOn(String.prototype, 'slice');
      try {
        expect(idOf(Buffer.from(`{"params":["${LONG}"],"id":9,"x":"${text}"}`))).toBe('9');
        return slice.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
      } finally {
        slice.mockRestore();
      }
    };
    const backslashes = '\\\\'.repeat(500);
    // The text cut out grows with the number of members, not with the quotes in one of them.
    expect(looked(`${backslashes}${'\\"'.repeat(450)}`)).toBeLessThan(2 * looked(`${backslashes}${'xx'.repeat(450)}`));
  });

  it('is the id that parsing finds, when one is found', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const entry = fc.tuple(fc.oneof(fc.constant('id'), fc.string()), value);
    let found = 0;
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ([name]) => name }), fc.nat(2), (entries, indent) => {
        const text = JSON.stringify(Object.fromEntries(entries), null, indent);
        const id = idOf(Buffer.from(text));
        // The text is compared, not the value: JSON writes -0 as 0.
        if (id === undefined) return;
        found += 1;
        expect(JSON.parse(id)).toEqual(JSON.parse(text)['id']);
      }),
      { examples: [[[['id', -0]], 0]] },
    );
    expect(found).toBeGreaterThan(5);
  });
});
