/** Faces that a page may ask through the Ethereum port, by the addresses on which both listen. */
import { expect, test } from 'vitest';
import type { DaemonOptions, Face } from '../../src/config/daemon-options.js';
import { doorNames } from '../../src/node/doors.js';

const LOCAL = '127.0.0.1';
const OPEN = '0.0.0.0';

function doors(hosts: Partial<Readonly<Record<Face, string>>>, alias?: string) {
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
  return doorNames({ listen, jsonRpc: { webSocketAlias } });
}

test('all have a door where the Ethereum ports are on loopback', () => {
  expect(doors({})).toEqual(['comet', 'rest', 'metrics']);
  expect(doors({ eth_http: 'localhost', eth_ws: '::1', comet: OPEN })).toEqual(['comet', 'rest', 'metrics']);
});

test('a face on loopback has none at a port that other machines reach', () => {
  for (const open of [{ eth_http: OPEN }, { eth_ws: '10.0.0.1' }, { eth_http: '::' }]) {
    expect(doors(open)).toEqual([]);
    expect(doors({ ...open, rest: OPEN })).toEqual(['rest']);
  }
  expect(doors({}, OPEN)).toEqual([]);
});
