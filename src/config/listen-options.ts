import { FACES, ofEachFace, type DaemonOptions, type Face } from './daemon-options.js';
import type { Values } from './option-sources.js';
import { ConfigError, parseListenAddress } from './values.js';

/** The key of each face's address option. */
const ADDRESS_OPTION: Readonly<Record<Face, string>> = {
  comet: 'rpc.laddr',
  eth_http: 'json-rpc.address',
  eth_ws: 'json-rpc.ws-address',
  grpc: 'grpc.address',
  rest: 'api.address',
  rest_alias: 'api.alias-address',
  metrics: 'metrics.address',
};

/**
 * Listen addresses of all faces. An address option wins over `--port-base`, but an address of the Go node's files
 * does not.
 */
export function listenOf(values: Values, own: Values): DaemonOptions['listen'] {
  const base = portBaseOf(values);
  return ofEachFace((face) => {
    const key = ADDRESS_OPTION[face];
    const found = values.given(key);
    const address = parseListenAddress(found ?? { value: values.text(key), origin: `--${key}` });
    if (base === undefined || own.given(key) !== undefined) return address;
    return { host: address.host, port: portOf(base, face) };
  });
}

/**
 * Listen addresses of a branch: on loopback, with ports from `--port-base` only, because the home's own node may use
 * its configured addresses.
 */
export function listenOfBranch(values: Values): DaemonOptions['listen'] {
  const base = portBaseOf(values) ?? 0n;
  return ofEachFace((face) => ({ host: '127.0.0.1', port: portOf(base, face) }));
}

function portBaseOf(values: Values): bigint | undefined {
  const base = values.integer('port-base');
  if (base !== undefined && base > 65_535n - BigInt(FACES.length - 1))
    throw new ConfigError(`--port-base: ${base} leaves no room for ${FACES.length} ports below 65536`);
  return base;
}

/** The port of a face. With base 0 every face gets 0: the system chooses. */
function portOf(base: bigint, face: Face): number {
  return base === 0n ? 0 : Number(base) + FACES.indexOf(face);
}
