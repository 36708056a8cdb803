/** Access to an API through a browser, case by case: requests that no client library would send. */
import { describe, expect, it } from 'vitest';
import { admit, CLOSED, refuseForeign } from '../../../src/adapters/transport/guards.js';
import type { RequestHead } from '../../../src/adapters/transport/server.js';

const head = (headers: Readonly<Record<string, string>>, method = 'POST'): RequestHead => ({
  method,
  path: '/',
  query: '',
  headers: new Map(Object.entries(headers)),
});

describe('origin patterns', () => {
  const exposure = { hosts: [], origins: ['http://a*a.example'] };

  it.each([
    ['http://ab.a.example', true],
    ['http://aa.example', true],
    ['HTTP://A.a.EXAMPLE', true],
    // It begins and ends like the pattern, and both share one letter.
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

  it.each(['Titanoboa', 'my-tool_1.0'])('the origin %j, which only a program sends, is admitted', (origin) => {
    expect(refuseForeign(head({ host: 'localhost', origin }), CLOSED)).toBeUndefined();
  });
  it.each(['null', 'NULL', 'evil.example/', 'a b', 'evil:80', 'https:evil'])(
    'the origin %j, which a page may have, is refused',
    (origin) => {
      expect(refuseForeign(head({ host: 'localhost', origin }), CLOSED)).toMatchObject({ status: 403 });
    },
  );

  it.each(['http://', 'https://', ''])('the origin %j without a Host header is refused', (origin) => {
    expect(refuseForeign(head({ origin }), CLOSED)).toMatchObject({ status: 403 });
  });
});

/** Origin patterns of a dev node. */
const DEV = ['http://localhost:*', 'http://127.0.0.1:*', 'http://*.localhost:*'];

describe('requests without Origin, by their Sec-Fetch headers', () => {
  it.each([
    // Programs, and URLs that a person types.
    [undefined, 'localhost:8545', [], true],
    ['none', 'localhost:8545', [], true],
    ['same-origin', 'node.example', [], true],
    // An image, a link or a form of another site, of another port and of another name of the site.
    ['cross-site', 'localhost:8545', [], false],
    ['cross-site', 'localhost:8545', DEV, false],
    ['same-site', 'localhost:8545', [], false],
    ['same-site', 'node.example', ['https://app.node.example'], false],
    ['same-site', 'node.example', ['http://node.example:*'], false],
    ['new-mark', 'localhost:8545', DEV, false],
    // Pages of this machine call a dev node from every port.
    ['same-site', 'localhost:8545', DEV, true],
    ['same-site', '127.0.0.1:8545', DEV, true],
    ['same-site', 'app.localhost:8545', DEV, true],
    ['same-site', '192.0.2.7:8545', DEV, false],
    ['same-site', 'node.example', ['*'], true],
    ['cross-site', 'node.example', ['*'], true],
  ] as const)('%j at %s with origins %j passes: %s', (site, host, origins, passes) => {
    const exposure = { hosts: ['node.example'], origins };
    for (const method of ['GET', 'POST']) {
      const sent = head({ host, ...(site !== undefined && { 'sec-fetch-site': site }) }, method);
      expect(refuseForeign(sent, exposure)?.status).toBe(passes ? undefined : 403);
    }
  });
});

describe('Host headers', () => {
  it.each(['localhost', 'app.localhost:8545', 'A.b-c.LocalHost', 'localhost.', '127.0.0.1:1', '[::1]:1', ''])(
    '%j, a name of this machine or none, is admitted',
    (host) => expect(refuseForeign(head({ host }), CLOSED)).toBeUndefined(),
  );
  it.each(['evillocalhost', 'localhost.evil', '.localhost', 'a..localhost', 'a/.localhost', 'localhost..'])(
    '%j, which may be rebound by DNS, is refused',
    (host) => expect(refuseForeign(head({ host }), CLOSED)).toMatchObject({ status: 403 }),
  );
});

describe('a CORS preflight', () => {
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

  it('lists the headers that may be sent', () =>
    expect(preflight('Content-Type, X-Thing')).toEqual([204, '*', 'content-type, x-thing']));
  it.each(['a:b', 'a;b', 'a\tb', '"a"', 'ä', 'x'.repeat(1_025)])(
    'echoes nothing that is not a list of names: %.10j',
    (names) => expect(preflight(names)).toEqual([204, undefined, undefined]),
  );
});
