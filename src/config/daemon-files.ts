import { LOG_LEVELS } from './daemon-options.js';
import type { DaemonConfig } from './option-spec.js';
import type { ConsensusTimeouts } from '../core/consensus/timeouts.js';

/**
 * Keys of the SDK's app.toml and of CometBFT's config.toml with the same meaning as an option of this daemon
 * (cosmos-sdk v0.53 `server/config/toml.go`, CometBFT v0.38 `config/toml.go`).
 */
const APP_KEYS: ReadonlyMap<string, string> = new Map([
  ['grpc.address', 'grpc.address'],
  ['api.address', 'api.address'],
  ['json-rpc.address', 'json-rpc.address'],
  ['json-rpc.ws-address', 'json-rpc.ws-address'],
  ['json-rpc.enable', 'json-rpc.enable'],
  ['json-rpc.api', 'evm.rpc.api'],
  ['json-rpc.txfee-cap', 'json-rpc.txfee-cap'],
  ['evm.evm-chain-id', 'evm-chain-id'],
  ['minimum-gas-prices', 'minimum-gas-price'],
  ['pruning', 'pruning'],
  ['pruning-keep-recent', 'pruning-keep-recent'],
  ['pruning-interval', 'pruning-interval'],
  ['min-retain-blocks', 'min-retain-blocks'],
  ['state-sync.snapshot-interval', 'state-sync.snapshot-interval'],
  ['state-sync.snapshot-keep-recent', 'state-sync.snapshot-keep-recent'],
]);
const COMET_KEYS: ReadonlyMap<string, string> = new Map([
  ['moniker', 'moniker'],
  ['rpc.laddr', 'rpc.laddr'],
  ['rpc.cors_allowed_origins', 'cors-allowed-origins'],
  ['consensus.create_empty_blocks', 'consensus.create-empty-blocks'],
]);

/** Options that config.toml writes in another form, with their conversion; undefined keeps the default. */
const COMET_OPTIONS: readonly (readonly [string, (comet: ReadonlyMap<string, string>) => string | undefined])[] = [
  ['block-time', (comet) => paceOf(comet.get('consensus.timeout_commit') ?? '')],
  ['consensus.create-empty-blocks-interval', (comet) => emptyPauseOf(comet)],
  ['log-level', (comet) => LEVELS.get(/(?:^|\*:)([a-z]+)$/.exec(comet.get('log_level') ?? '')?.[1] ?? '')],
  ['log-format', (comet) => /^(?:plain|json)$/.exec(comet.get('log_format') ?? '')?.[0]],
  [
    'metrics.address',
    (comet) =>
      comet.get('instrumentation.prometheus') === 'true'
        ? comet.get('instrumentation.prometheus_listen_addr')
        : undefined,
  ],
];

/** Levels of the Go node's logs (zerolog v1.34 `log.go`); with modules, that of all others: `state:info,*:error`. */
const LEVELS: ReadonlyMap<string, string> = new Map([
  ...LOG_LEVELS.filter((level) => level !== 'silent').map((level) => [level, level] as const),
  ['panic', 'fatal'],
  ['disabled', 'silent'],
]);

const TIMEOUT_KEYS: readonly (readonly [string, keyof ConsensusTimeouts])[] = [
  ['consensus.timeout_propose', 'propose'],
  ['consensus.timeout_propose_delta', 'proposeDelta'],
  ['consensus.timeout_prevote', 'prevote'],
  ['consensus.timeout_prevote_delta', 'prevoteDelta'],
  ['consensus.timeout_precommit', 'precommit'],
  ['consensus.timeout_precommit_delta', 'precommitDelta'],
  ['consensus.timeout_commit', 'commit'],
];

const DURATION = /^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$/;
const TRUTH = /^(true|false)$/;

/** Keys of app.toml and config.toml that this daemon reads. */
export const FILE_KEYS: DaemonConfig['fileKeys'] = {
  app: {
    options: APP_KEYS,
    others: new Map([['api.enabled-unsafe-cors', TRUTH]]),
  },
  config: {
    options: COMET_KEYS,
    others: new Map([
      ...TIMEOUT_KEYS.map(([key]) => [key, DURATION] as const),
      ['consensus.create_empty_blocks_interval', /^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$/],
      ['log_level', /^(.*\*:)?(trace|debug|info|warn|error|fatal|panic|disabled)$/],
      ['log_format', /^(plain|json)$/],
      ['instrumentation.prometheus', TRUTH],
      ['instrumentation.prometheus_listen_addr', /:[0-9]{1,5}$/],
    ]),
  },
};

/** Keys of app.toml that `start` also accepts as flags, although they are no options of this daemon. */
export const APP_FLAGS: readonly string[] = ['api.enabled-unsafe-cors'];

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Options set in app.toml and config.toml of a home, by the keys of this daemon. */
export function optionsOfDaemonFiles(
  app: ReadonlyMap<string, string>,
  comet: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [file, keys] of [
    [app, APP_KEYS],
    [comet, COMET_KEYS],
  ] as const) {
    for (const [theirs, ours] of keys) {
      const value = file.get(theirs);
      if (value !== undefined && value !== '') values.set(ours, value);
    }
  }
  for (const [ours, valueOf] of COMET_OPTIONS) {
    const value = valueOf(comet);
    if (value !== undefined && value !== '') values.set(ours, value);
  }
  if (app.get('api.enabled-unsafe-cors') === 'true' && !values.has('cors-allowed-origins'))
    values.set('cors-allowed-origins', '*');
  return values;
}

/** Consensus timeouts of config.toml in milliseconds; absent or malformed keys keep their defaults. */
export function timeoutsOf(comet: ReadonlyMap<string, string>): Partial<ConsensusTimeouts> {
  return Object.fromEntries(
    TIMEOUT_KEYS.flatMap(([key, name]) => {
      const milliseconds = parseGoDuration(comet.get(key) ?? '');
      return milliseconds === undefined ? [] : [[name, milliseconds] as const];
    }),
  );
}

/**
 * Seconds between blocks for a `timeout_commit`. A single validator has every precommit at once, so it waits for
 * nothing else (CometBFT v0.38 `consensus/state.go` updateToState). 0 means no pause; the shortest pause here is one
 * millisecond.
 */
function paceOf(text: string): string | undefined {
  const milliseconds = parseGoDuration(text);
  return milliseconds === undefined ? undefined : (Math.max(1, Math.round(milliseconds)) / 1_000).toString();
}

/**
 * Seconds until an empty block (`create_empty_blocks_interval`); undefined at 0, when empty blocks are made like any
 * other.
 */
function emptyPauseOf(comet: ReadonlyMap<string, string>): string | undefined {
  const text = comet.get('consensus.create_empty_blocks_interval') ?? '';
  return parseGoDuration(text) === 0 ? undefined : paceOf(text);
}

/** Milliseconds of a duration in Go's spelling (`1m30s`, `500ms`); undefined for any other text. */
function parseGoDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return text === '0' ? 0 : undefined;
  let total = 0;
  for (const [, amount, , unit] of text.matchAll(/([0-9]+(\.[0-9]+)?)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * (UNITS.get(unit ?? '') ?? 0);
  }
  return total;
}
