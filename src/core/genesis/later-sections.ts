/**
 * Sections of the modules that later versions of preset `chronicle` add: with them a new chain begins with those
 * versions (`sdk/module/version-of-chain.ts`). A module is off where it would change what a dev chain does.
 */
export function laterSections() {
  return {
    epochs: { epochs: [epoch('day', '86400s'), epoch('week', '604800s')] },
  };
}

/** Go's zero time: the epoch begins with the chain. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

function epoch(identifier: string, duration: string) {
  return {
    identifier,
    start_time: ZERO_TIME,
    duration,
    current_epoch: '0',
    current_epoch_start_time: ZERO_TIME,
    epoch_counting_started: false,
    current_epoch_start_height: '0',
  };
}
