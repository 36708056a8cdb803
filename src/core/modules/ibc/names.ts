import { Order, State } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { State as ConnectionState } from '../../proto/ibc/core/connection/v1/connection_pb.js';

/** ibc-go's name of a packet order; its number when unknown. */
export function orderName(order: Order): string {
  const name: string | undefined = Order[order];
  return name === undefined ? `${order}` : `ORDER_${name}`;
}

/** ibc-go's name of a channel state; its number when unknown. */
export function stateName(state: State): string {
  const name: string | undefined = State[state];
  return name === undefined ? `${state}` : `STATE_${name}`;
}

/** ibc-go's name of a connection state; its number when unknown. */
export function connectionStateName(state: ConnectionState): string {
  const name: string | undefined = ConnectionState[state];
  return name === undefined ? `${state}` : `STATE_${name}`;
}
