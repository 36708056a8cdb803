/**
 * When a batch of the log is synced to disk (`--log.sync`): `block` syncs all batches except those with only
 * admissions or filters, `always` all batches, `os` none.
 */
export const LOG_SYNCS = ['block', 'always', 'os'] as const;
export type LogSync = (typeof LOG_SYNCS)[number];
