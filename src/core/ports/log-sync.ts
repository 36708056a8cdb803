/**
 * When a batch of the log is synced to the disk (`--log.sync`): `block` syncs every batch except those with only
 * admissions or filters, `always` every batch, `os` none.
 */
export const LOG_SYNCS = ['block', 'always', 'os'] as const;
export type LogSync = (typeof LOG_SYNCS)[number];
