import { causeOf, CorruptionError, type DamageLocation } from '../../store/errors.js';

/** The answer of a thread whose work threw. */
export interface FailedReply {
  readonly kind: 'failed';
  /** Stack or message of the error. */
  readonly message: string;
  /** The database is damaged: the node must end, and not only the thread. */
  readonly damage?: { readonly problem: string; readonly where: DamageLocation };
}

/** The reply of a thread whose work threw: the text and the stack of the error. */
export function failedReply(error: unknown): FailedReply {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const damage = causeOf(error, CorruptionError);
  return { kind: 'failed', message, ...(damage && { damage: { problem: damage.problem, where: damage.where } }) };
}

/** The error that a reply stands for: CorruptionError for damage, else what `otherwise` makes of its message. */
export function errorOf({ message, damage }: FailedReply, otherwise: (message: string) => Error): Error {
  return damage === undefined ? otherwise(message) : new CorruptionError(damage.problem, damage.where);
}
