/** Faces that pages may reach through the Ethereum port, by the addresses on which both listen. */
import { expect, test } from 'vitest';
import type { DaemonOptions, Face } from '../../src/config/daemon-options.js';
import { proxiedFaceNames } from '../../src/node/proxied-faces.js';

const LOCAL = '127.0.0.1';
const OPEN = '0.0.0.0';

function proxied(hosts: Partial<Readonly<Record<Face, string>>>, alias?: string) {
  const at = (face: Face) => ({ host: hosts[face] ?? LOCAL, port: 1 });
  const listen: DaemonOptions['listen'] = {
    comet: at('comet'),
    eth_http: at('eth_http'),
    eth_ws: at('eth_ws'),
    grpc: at('grpc'),
    rest: at('rest'),
    rest_alias: at('rest_alias'),
    metrics: at('metrics'),
  };
  const webSocketAlias = alias === undefined ? undefined : { host: alias, port: 1 };
  return proxiedFaceNames({ listen, jsonRpc: { webSocketAlias } });
}

test('all faces are proxied when the Ethereum ports listen on loopback', () => {
  expect(proxied({})).toEqual(['comet', 'rest', 'metrics']);
  expect(proxied({ eth_http: 'localhost', eth_ws: '::1', comet: OPEN })).toEqual(['comet', 'rest', 'metrics']);
});

test('a face on loopback is not proxied through an Ethereum port that other machines reach', () => {
  for (const open of [{ eth_http: OPEN }, { eth_ws: '10.0.0.1' }, { eth_http: '::' }]) {
    expect(proxied(open)).toEqual([]);
    expect(proxied({ ...open, rest: OPEN })).toEqual(['rest']);
  }
  expect(proxied({}, OPEN)).toEqual([]);
});
