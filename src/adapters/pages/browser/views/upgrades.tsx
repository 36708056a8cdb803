/**
 * Plans of upgrades, a rehearsal, versions of the modules.
 * Asks: `/cosmos/upgrade/v1beta1/current_plan`, `module_versions`, `applied_plan/{name}`, `/abci_info`,
 * `chronicle_rehearseUpgrade`.
 */
import { useAnswer } from '../data/answer.js';
import { comet, rest, restOrNull } from '../data/faces.js';
import type { Proposal } from '../data/governance.js';
import { facts, headHeight, moment, namespaces, standstill } from '../data/store.js';
import { Callout, Shown } from '../parts/answers.js';
import { BlockLink, To } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { RehearsalCard } from '../parts/rehearsal.js';

interface Plan {
  readonly name: string;
  readonly height: string;
  readonly info: string;
}

/** The view of upgrades. */
export function Upgrades() {
  const plan = useAnswer(['plan'], () =>
    rest<{ readonly plan: Plan | null }>('/cosmos/upgrade/v1beta1/current_plan', moment.value),
  );
  const modules = useAnswer(['modules'], () =>
    rest<{ readonly module_versions: readonly { readonly name: string; readonly version: string }[] }>(
      '/cosmos/upgrade/v1beta1/module_versions',
      moment.value,
    ),
  );
  const past = useAnswer(['plans'], () => plansOfProposals(moment.value));
  const app = useAnswer(['app'], () =>
    comet<{ readonly response: { readonly version?: string; readonly app_version?: string } }>('abci_info').catch(
      () => null,
    ),
  );
  return (
    <>
      <Title>Upgrades</Title>
      <Card title="Plan">
        <Shown answer={plan}>
          {({ plan: next }) =>
            next === null ? (
              <p class="empty">No upgrade is scheduled.</p>
            ) : (
              <>
                <Callout kind="warn">
                  The chain {standsAt(next.height) ? 'is halted' : 'halts'} before block {next.height} for the upgrade “
                  {next.name}”.
                </Callout>
                <Pairs
                  rows={[
                    ['Name', next.name],
                    ['Height', next.height],
                    [
                      'Blocks until then',
                      !standsAt(next.height) &&
                        (BigInt(next.height) - 1n - (moment.value ?? headHeight.value)).toString(),
                    ],
                    ['Info', next.info !== '' && <span class="text">{next.info}</span>],
                  ]}
                />
              </>
            )
          }
        </Shown>
        <Shown answer={app}>
          {(info) =>
            info !== null && (
              <Pairs
                rows={[
                  ['Program', info.response.version],
                  ['Application version', info.response.app_version ?? '0'],
                ]}
              />
            )
          }
        </Shown>
      </Card>
      {facts.value?.is_dev === true && namespaces.value.has('chronicle') && plan.state === 'there' && (
        <RehearsalCard planned={plan.value.plan?.name ?? ''} />
      )}
      <Card title="Plans of proposals" id="list">
        <Shown answer={past}>
          {(list) => (
            <Table
              label="Plans"
              columns={['Plan', 'Proposal', '>Height', 'Applied']}
              empty="No proposal has asked for an upgrade."
              rows={list.map(({ plan: one, proposal, applied }) => ({
                key: proposal,
                cells: [
                  one.name,
                  <To route={{ view: 'proposal', id: proposal }}>{proposal}</To>,
                  one.height,
                  applied === '0' ? 'not yet' : <BlockLink height={applied} />,
                ],
              }))}
            />
          )}
        </Shown>
      </Card>
      <Card title="Modules">
        <Shown answer={modules}>
          {({ module_versions: list }) => (
            <Table
              label="Versions of modules"
              columns={['Module', '>Version']}
              rows={list.map(({ name, version }) => ({ key: name, cells: [name, version] }))}
            />
          )}
        </Shown>
      </Card>
    </>
  );
}

/** True where the chain stands before the height of its plan. */
function standsAt(height: string): boolean {
  return moment.value === undefined && standstill.value !== undefined && headHeight.value === BigInt(height) - 1n;
}

interface PlanOfProposal {
  readonly plan: Plan;
  readonly proposal: string;
  /** Height; 0 for one that was not applied. */
  readonly applied: string;
}

async function plansOfProposals(at: bigint | undefined): Promise<readonly PlanOfProposal[]> {
  const { proposals } = await rest<{ readonly proposals: readonly Proposal[] }>(
    '/cosmos/gov/v1/proposals?pagination.reverse=true&pagination.limit=100',
    at,
  );
  const plans = proposals.flatMap(({ id, messages }) =>
    messages
      .filter((message) => message['@type'].endsWith('MsgSoftwareUpgrade'))
      .map((message) => ({ proposal: id, plan: message['plan'] as Plan })),
  );
  return await Promise.all(
    plans.map(async (one) => ({
      ...one,
      applied:
        (
          await restOrNull<{ readonly height: string }>(
            `/cosmos/upgrade/v1beta1/applied_plan/${encodeURIComponent(one.plan.name)}`,
            at,
          )
        )?.height ?? '0',
    })),
  );
}
