/**
 * Validators with power, missed blocks and commission, and the staking of the chain.
 * Asks: `/cosmos/staking`, `/cosmos/slashing`, `/cosmos/mint`, `/validators`, `/consensus_state`.
 */
import { useAnswer } from '../data/answer.js';
import { comet, restOrNull } from '../data/faces.js';
import { shareText } from '../data/format.js';
import type { NodeFacts } from '../data/node-facts.js';
import { percentText, powerText, type ValidatorRow, validatorsAt } from '../data/staking.js';
import { moment } from '../data/store.js';
import { Shown } from '../parts/answers.js';
import { To } from '../parts/ids.js';
import { Card, Pairs, Table, Title } from '../parts/layout.js';
import { Badge, Coins } from '../parts/values.js';

/** The view of all validators. */
export function Validators({ facts }: { facts: NodeFacts }) {
  const validators = useAnswer(['validators'], () => validatorsAt(moment.value, facts.bech32_prefix));
  const numbers = useAnswer(['staking'], async () => {
    const at = moment.value;
    const [pool, inflation, params] = await Promise.all([
      restOrNull<{ readonly pool: { readonly bonded_tokens: string; readonly not_bonded_tokens: string } }>(
        '/cosmos/staking/v1beta1/pool',
        at,
      ),
      restOrNull<{ readonly inflation: string }>('/cosmos/mint/v1beta1/inflation', at),
      restOrNull<{ readonly params: { readonly unbonding_time: string; readonly max_validators: number } }>(
        '/cosmos/staking/v1beta1/params',
        at,
      ),
    ]);
    return { pool: pool?.pool, inflation: inflation?.inflation, params: params?.params };
  });
  return (
    <>
      <Title>Validators</Title>
      <Card title="Staking">
        <Shown answer={numbers}>
          {({ pool, inflation, params }) => (
            <Pairs
              rows={[
                ['Bonded', pool !== undefined && <Coins amount={BigInt(pool.bonded_tokens)} />],
                ['Not bonded', pool !== undefined && <Coins amount={BigInt(pool.not_bonded_tokens)} />],
                ['Inflation', inflation !== undefined && percentText(inflation)],
                ['Unbonding takes', params?.unbonding_time],
                ['Validators at most', params?.max_validators],
              ]}
            />
          )}
        </Shown>
      </Card>
      <Card title="Validators" id="list">
        <Shown answer={validators}>{(list) => <ValidatorTable list={list} />}</Shown>
      </Card>
      {moment.value === undefined && facts.ports.comet !== undefined && <Round />}
    </>
  );
}

function ValidatorTable({ list }: { list: readonly ValidatorRow[] }) {
  const all = list.reduce((sum, { power }) => sum + (power ?? 0n), 0n);
  return (
    <Table
      label="Validators"
      columns={['Name', 'State', '>Tokens', '>Power', '>Share', '>Missed', '>Commission']}
      rows={list.map((one) => ({
        key: one.operator_address,
        cells: [
          <To route={{ view: 'validator', address: one.operator_address }}>
            {one.description.moniker || one.operator_address}
          </To>,
          <ValidatorState validator={one} />,
          <Coins amount={BigInt(one.tokens)} places={2} />,
          powerText(one),
          one.power == null ? '' : shareText(one.power, all),
          one.missed ?? '',
          percentText(one.commission.commission_rates.rate),
        ],
      }))}
    />
  );
}

/** Whether a validator signs, and why not. */
export function ValidatorState({ validator }: { validator: ValidatorRow }) {
  if (validator.isTombstoned) return <Badge kind="bad">removed for ever</Badge>;
  if (validator.jailed) return <Badge kind="bad">jailed</Badge>;
  const word = validator.status.replace('BOND_STATUS_', '').toLowerCase();
  return <Badge kind={word === 'bonded' ? 'good' : 'warn'}>{word}</Badge>;
}

interface RoundState {
  readonly round_state: {
    readonly 'height/round/step': string;
    readonly start_time: string;
    readonly height_vote_set: readonly {
      readonly round: number;
      readonly prevotes_bit_array: string;
      readonly precommits_bit_array: string;
    }[];
    readonly proposer: { readonly address: string; readonly index: number };
  };
}

const STEPS = [
  '',
  'new height',
  'new round',
  'propose',
  'prevote',
  'prevote wait',
  'precommit',
  'precommit wait',
  'commit',
];

function Round() {
  const round = useAnswer(['round'], () => comet<RoundState>('consensus_state'));
  return (
    <Card title="Consensus now" id="round">
      <Shown answer={round}>
        {({ round_state: state }) => {
          const [height = '', number = '', step = ''] = state['height/round/step'].split('/');
          return (
            <>
              <Pairs
                rows={[
                  ['Height', height],
                  ['Round', number],
                  ['Step', STEPS[Number(step)] ?? step],
                  ['Since', <code>{state.start_time}</code>],
                  ['Proposer', <code>{state.proposer.address}</code>],
                ]}
              />
              <Table
                label="Votes of the height"
                columns={['Round', 'Prevotes', 'Precommits']}
                rows={state.height_vote_set.map((set) => ({
                  key: `${set.round}`,
                  cells: [
                    `${set.round}`,
                    <code>{set.prevotes_bit_array}</code>,
                    <code>{set.precommits_bit_array}</code>,
                  ],
                }))}
              />
            </>
          );
        }}
      </Shown>
    </Card>
  );
}
