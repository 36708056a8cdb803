/** Governance proposals. */
import type { Coin, Message } from './faces.js';

export interface Tally {
  readonly yes_count: string;
  readonly abstain_count: string;
  readonly no_count: string;
  readonly no_with_veto_count: string;
}

export interface Proposal {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly status: string;
  readonly final_tally_result: Tally | null;
  readonly submit_time: string;
  readonly deposit_end_time: string;
  readonly total_deposit: readonly Coin[];
  readonly voting_start_time: string | null;
  readonly voting_end_time: string | null;
  readonly title: string;
  readonly summary: string;
  readonly metadata: string;
  readonly proposer: string;
  readonly expedited: boolean;
  readonly failed_reason: string;
}

/** A proposal status as text, with its colour. */
export function statusOf(status: string): { readonly text: string; readonly kind: 'good' | 'bad' | 'warn' | 'plain' } {
  const text = status.replace('PROPOSAL_STATUS_', '').replaceAll('_', ' ').toLowerCase();
  if (text === 'passed') return { text, kind: 'good' };
  if (text === 'rejected' || text === 'failed') return { text, kind: 'bad' };
  return { text, kind: text.endsWith('period') ? 'warn' : 'plain' };
}

/** Vote counts in display order. */
export function votesOf(tally: Tally): readonly (readonly [name: string, count: bigint, kind: string])[] {
  return [
    ['yes', BigInt(tally.yes_count), 'good'],
    ['abstain', BigInt(tally.abstain_count), ''],
    ['no', BigInt(tally.no_count), 'warn'],
    ['no with veto', BigInt(tally.no_with_veto_count), 'bad'],
  ];
}

/** Seconds from a block's time until a period ends; 0 if it has ended. */
export function secondsUntil(end: string, blockSeconds: number): number {
  const at = Date.parse(end);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil(at / 1_000) - blockSeconds + 1);
}
