import { Order, State } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { State as ConnectionState } from '../../proto/ibc/core/connection/v1/connection_pb.js';

/** The name of an order of packets, as in ibc-go; the number of an unknown one. */
export function orderName(order: Order): string {
  const name: string | undefined = Order[order];
  return name === undefined ? `${order}` : `ORDER_${name}`;
}

/** The name of a state of channels, as in ibc-go; the number of an unknown one. */
export function stateName(state: State): string {
  const name: string | undefined = State[state];
  return name === undefined ? `${state}` : `STATE_${name}`;
}

/** The name of a state of connections, as in ibc-go; the number of an unknown one. */
export function connectionStateName(state: ConnectionState): string {
  const name: string | undefined = ConnectionState[state];
  return name === undefined ? `${state}` : `STATE_${name}`;
}
