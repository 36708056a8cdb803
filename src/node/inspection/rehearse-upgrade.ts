import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../config/exit-codes.js';
import { refused } from '../../core/errors.js';
import type { InspectionApi, UpgradeRehearsal } from '../../core/inspection/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { PACKAGE_ROOT } from '../../runtime/host/package-root.js';

/** Output of `upgrade rehearse -o json` (`src/cli/daemon/upgrade-rehearse.ts`). */
type Printed =
  | {
      readonly works: true;
      readonly height: string;
      readonly module_versions: Extract<UpgradeRehearsal, { works: true }>['versions'];
      readonly state: readonly { readonly line: string }[];
    }
  | Extract<UpgradeRehearsal, { works: false }>;

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Rehearses upgrades of a home, one at a time, by running the CLI command in a child process, so that the node
 * continues while it reads the whole state. An ephemeral node has no home that a child process could read.
 */
export function createRehearsals(home: string | undefined): InspectionApi['rehearseUpgrade'] {
  let isBusy = false;
  return async (name) => {
    if (home === undefined) return refused('an ephemeral node has no home to rehearse on');
    if (isBusy) return { ok: false, error: { code: 'busy', what: 'a rehearsal' } };
    isBusy = true;
    try {
      const { stdout, stderr } = await command(['upgrade', 'rehearse', '--home', home, '-o', 'json', '--', name]);
      return stdout === ''
        ? refused(stderr.trim().split('\n', 1)[0] ?? '')
        : { ok: true, value: rehearsalOf(JSON.parse(stdout)) };
    } finally {
      isBusy = false;
    }
  };
}

function rehearsalOf(printed: Printed): UpgradeRehearsal {
  if (!printed.works) return { works: false, height: printed.height, step: printed.step, reason: printed.reason };
  const { height, module_versions: versions, state } = printed;
  return { works: true, height, versions, changes: state.map(({ line }) => line) };
}

/** Runs a command of this program as a child process, which is killed if this process exits. */
function command(words: readonly string[]): Promise<Ended> {
  const { rehearsalMs, rehearsalBytes } = FIXED_LIMITS;
  const program = fileURLToPath(new URL('dist/node/main.js', PACKAGE_ROOT));
  return new Promise((resolve) => {
    const limits = { timeout: rehearsalMs, maxBuffer: rehearsalBytes };
    const child = execFile(process.execPath, [program, ...words], limits, (error, stdout, stderr) => {
      process.off('exit', end);
      // A failed rehearsal prints its reason to standard output.
      const isWhole = error === null || error.code === EXIT.failed;
      resolve({ stdout: isWhole ? stdout : '', stderr: stderr || (error?.message ?? '') });
    });
    const end = (): void => void child.kill();
    process.once('exit', end);
  });
}
