/** Access to a face through a browser, case by case: requests that no client library would send. */
import { describe, expect, it } from 'vitest';
import { admit, CLOSED, refuseForeign } from '../../../src/adapters/transport/guards.js';
import type { RequestHead } from '../../../src/adapters/transport/server.js';

const head = (headers: Readonly<Record<string, string>>, method = 'POST'): RequestHead => ({
  method,
  path: '/',
  query: '',
  headers: new Map(Object.entries(headers)),
});

describe('origins', () => {
  const exposure = { hosts: [], origins: ['http://a*a.example'] };

  it.each([
    ['http://ab.a.example', true],
    ['http://aa.example', true],
    ['HTTP://A.a.EXAMPLE', true],
    // it begins and ends as the pattern does, and shares one letter between both
    ['http://a.example', false],
    ['http://aa.example.evil', false],
  ])('%s matches: %s', (origin, isAllowed) => {
    expect(refuseForeign(head({ host: 'localhost', origin }), exposure) === undefined).toBe(isAllowed);
  });

  it.each([
    ['http://app.localhost:80', true],
    ['http://a.b.localhost:1', true],
    ['http://.localhost:', true],
    ['http://localhost:80', false],
    ['http://app.localhost', false],
    ['http://app.localhost.evil:80', false],
  ])('%s matches a pattern with two stars: %s', (origin, isAllowed) => {
    const origins = ['http://*.localhost:*'];
    expect(refuseForeign(head({ host: 'localhost', origin }), { hosts: [], origins }) === undefined).toBe(isAllowed);
  });

  it.each(['Titanoboa', 'my-tool_1.0'])('%j is the name of a program, which no browser sends', (origin) => {
    expect(refuseForeign(head({ host: 'localhost', origin }), CLOSED)).toBeUndefined();
  });
  it.each(['null', 'NULL', 'evil.example/', 'a b', 'evil:80', 'https:evil'])('%j may be of a page', (origin) => {
    expect(refuseForeign(head({ host: 'localhost', origin }), CLOSED)).toMatchObject({ status: 403 });
  });

  it.each(['http://', 'https://', ''])('%j is not the page of a face whose name is not known', (origin) => {
    expect(refuseForeign(head({ origin }), CLOSED)).toMatchObject({ status: 403 });
  });
});

describe('hosts', () => {
  it.each(['localhost', 'app.localhost:8545', 'A.b-c.LocalHost', 'localhost.', '127.0.0.1:1', '[::1]:1', ''])(
    '%j is a name of this machine, or none',
    (host) => expect(refuseForeign(head({ host }), CLOSED)).toBeUndefined(),
  );
  it.each(['evillocalhost', 'localhost.evil', '.localhost', 'a..localhost', 'a/.localhost', 'localhost..'])(
    '%j may be rebound',
    (host) => expect(refuseForeign(head({ host }), CLOSED)).toMatchObject({ status: 403 }),
  );
});

describe('a preflight', () => {
  const preflight = (names: string): readonly [number, string | undefined, string | undefined] => {
    const admission = admit(
      head(
        {
          host: 'localhost',
          origin: 'http://dapp.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': names,
        },
        'OPTIONS',
      ),
      { hosts: [], origins: ['*'] },
    );
    if (admission.kind !== 'answer') throw new Error('not answered');
    const { status, headers } = admission.response;
    return [status, headers['access-control-allow-origin'], headers['access-control-allow-headers']];
  };

  it('names the headers that may be sent', () =>
    expect(preflight('Content-Type, X-Thing')).toEqual([204, '*', 'content-type, x-thing']));
  it.each(['a:b', 'a;b', 'a\tb', '"a"', 'ä', 'x'.repeat(1_025)])(
    'echoes nothing that is no list of names: %.10j',
    (names) => expect(preflight(names)).toEqual([204, undefined, undefined]),
  );
});
