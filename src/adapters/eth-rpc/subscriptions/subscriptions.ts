import { bigintOfBytes } from '../../../core/bytes/big-endian.js';
import { hexQuantity } from '../../../core/bytes/hex.js';
import type { Randomness } from '../../../core/ports/time.js';
import type { SubscriptionRefusal } from '../../../core/subscriptions/index.js';
import { CURSOR_ERRORS, followedBy, type PushEngine, type PushSubscription } from '../../push/index.js';
import { invalidParams, rpcErrorOf, serverError, type RpcError } from '../errors.js';
import { bodyOf, ETHEREUM_ENCODING, prefixOf } from './encoding.js';
import type { EthereumSubscriptions, Subscribed } from './ports.js';

const ID_BYTES = 16;

/** Creates the subscriptions of Ethereum websockets on top of the push engine. */
export function createEthereumSubscriptions(
  engine: Pick<PushEngine, 'connect'>,
  randomness: Randomness,
): EthereumSubscriptions {
  return {
    connect(socket) {
      const byId = new Map<string, PushSubscription>();
      const connection = engine.connect(ETHEREUM_ENCODING, socket);
      return {
        subscribe({ criteria, start, cursors }) {
          const id = hexQuantity(bigintOfBytes(randomness.bytes(ID_BYTES)));
          const prefix = prefixOf(id);
          const subscribed = connection.subscribe({ criteria, start, cursors, prefix: () => prefix });
          return followedBy(subscribed, (settled): Subscribed => {
            if (!settled.ok) return { ok: false, error: refusalOf(settled.refusal) };
            const { subscription } = settled;
            byId.set(id, subscription);
            return {
              ok: true,
              id,
              activate() {
                subscription.activate();
                // the only notification of `syncing`: a node that makes the blocks is never behind
                if (criteria.kind === 'syncing' && byId.has(id)) socket.send(prefix + bodyOf('false', undefined));
              },
            };
          });
        },
        unsubscribe(id) {
          const subscription = byId.get(id);
          byId.delete(id);
          return subscription?.end() === true;
        },
        drained: () => connection.drained(),
        end: (cutOff) => connection.end(cutOff),
        stalled: () => connection.stalled(),
        closed() {
          byId.clear();
          connection.closed();
        },
      };
    },
  };
}

/** Converts a refused subscribe to an error. The switch is exhaustive: a new code without a case does not compile. */
function refusalOf(refusal: SubscriptionRefusal): RpcError {
  switch (refusal.code) {
    case 'too-many-of-client':
      return serverError(`too many subscriptions: limit ethSubscriptionsPerClient (${refusal.maximum}) exceeded`);
    case 'too-many-of-face':
      return serverError(`too many subscriptions: limit ${refusal.limit} (${refusal.maximum}) exceeded`);
    case 'too-many-clients':
    case 'query-too-long':
    case 'bad-query':
    case 'already-subscribed':
      return serverError(refusal.code);
    case 'cursor-ahead':
    case 'cursor-abandoned':
    case 'cursor-pruned':
      return invalidParams(CURSOR_ERRORS[refusal.code]);
    case 'failed':
      return rpcErrorOf(refusal.error);
  }
}
