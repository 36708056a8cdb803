/**
 * Grants and fee allowances of an account, given and received.
 * Asks: `/cosmos/authz`, `/cosmos/feegrant`.
 */
import { useAnswer } from '../data/answer.js';
import type { Address } from '../data/crypto.js';
import { restOrNull } from '../data/faces.js';
import { moment } from '../data/store.js';
import { Shown } from '../parts/answers.js';
import { Json } from '../parts/json.js';
import { Card, Table } from '../parts/layout.js';

interface Grant {
  readonly granter: string;
  readonly grantee: string;
  readonly authorization: unknown;
  readonly expiration: string | null;
}

interface Allowance {
  readonly granter: string;
  readonly grantee: string;
  readonly allowance: unknown;
}

/** All grants of an account in one table. */
export function Grants({ address: { bech32 } }: { address: Address }) {
  const answer = useAnswer(['grants', bech32], async () => {
    const at = moment.value;
    const of = async <Item,>(path: string, list: string): Promise<readonly Item[]> =>
      (await restOrNull<Readonly<Record<string, readonly Item[]>>>(`${path}/${bech32}?pagination.limit=50`, at))?.[
        list
      ] ?? [];
    const [given, had, paid, paying] = await Promise.all([
      of<Grant>('/cosmos/authz/v1beta1/grants/granter', 'grants'),
      of<Grant>('/cosmos/authz/v1beta1/grants/grantee', 'grants'),
      of<Allowance>('/cosmos/feegrant/v1beta1/issued', 'allowances'),
      of<Allowance>('/cosmos/feegrant/v1beta1/allowances', 'allowances'),
    ]);
    return { grants: [...given, ...had], allowances: [...paid, ...paying] };
  });
  return (
    <Card title="Grants">
      <Shown answer={answer}>
        {({ grants, allowances }) => (
          <Table
            label="Grants"
            columns={['Kind', 'By', 'To', 'What']}
            empty="No grants and no fee allowances, given or received."
            rows={[
              ...grants.map(
                ({ granter, grantee, authorization }) => ['may act', granter, grantee, authorization] as const,
              ),
              ...allowances.map(
                ({ granter, grantee, allowance }) => ['pays fees', granter, grantee, allowance] as const,
              ),
            ].map(([kind, granter, grantee, what], index) => ({
              key: `${index}`,
              cells: [kind, <Json value={granter} />, <Json value={grantee} />, <Json value={what} />],
            }))}
          />
        )}
      </Shown>
    </Card>
  );
}
