import { causeOf, CorruptionError, type DamageLocation } from '../../store/errors.js';

/** Reply of a thread whose work threw an error. */
export interface FailedReply {
  readonly kind: 'failed';
  /** Stack trace or message of the error. */
  readonly message: string;
  /** Set when the database is damaged: the whole node must stop. */
  readonly damage?: { readonly problem: string; readonly where: DamageLocation };
}

/** Converts an error to a reply. */
export function failedReply(error: unknown): FailedReply {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const damage = causeOf(error, CorruptionError);
  return { kind: 'failed', message, ...(damage && { damage: { problem: damage.problem, where: damage.where } }) };
}

/** Converts a reply back to an error: CorruptionError for damage, otherwise the result of `otherwise`. */
export function errorOf({ message, damage }: FailedReply, otherwise: (message: string) => Error): Error {
  return damage === undefined ? otherwise(message) : new CorruptionError(damage.problem, damage.where);
}
