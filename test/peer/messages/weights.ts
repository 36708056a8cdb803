/** Frequency of each message type; types that can have an effect in the present state are most frequent. */
import type { Actor } from './actors.js';
import * as values from './values.js';
import type { World } from './world.js';

/** Messages that only succeed in proposals or in Ethereum's own form are rare on their own. */
const RARE =
  /Params$|MsgEthereumTx|SetSendEnabled|Upgrade$|CommunityPoolSpend|RegisterPre|ToggleConversion|ExecLegacy|Evidence$/;
/** Messages that later ones depend on; the first blocks start with them. */
const FIRST = /MsgCreateValidator|MsgDelegate$|MsgGrant|MsgSubmitProposal/;
/** Number of blocks without unusual values. */
export const CALM = 6n;

type Needs = (world: World, actor: Actor) => boolean;

const delegates: Needs = ({ standing }, { bech32 }) => standing.delegations.some((one) => one.delegator === bech32);
const operates: Needs = ({ standing }, actor) => standing.validators.some((one) => one.operator === actor.operator);
const hasUnbondings: Needs = ({ standing }, { bech32 }) =>
  standing.unbondings.some(({ delegator }) => delegator === bech32);

/** Types by what makes them useful. */
const SITUATIONS: readonly (readonly [pattern: RegExp, weight: number, needs: Needs])[] = [
  [/gov\.v1\.MsgVote/, 2.5, ({ standing }) => standing.proposals.some(({ isVoted }) => isVoted)],
  [/gov\.v1beta1\.MsgVote/, 1, ({ standing }) => standing.proposals.some(({ isVoted }) => isVoted)],
  [/MsgDeposit$/, 1, ({ standing }) => standing.proposals.length > 0],
  [/MsgCancelProposal/, 3, ({ standing }, { bech32 }) => standing.proposals.some((one) => one.proposer === bech32)],
  [/authz.*MsgExec$/, 14, ({ standing }, actor) => standing.grants.some(({ grantee }) => grantee === actor)],
  [/MsgRevoke$/, 3, ({ standing }, actor) => standing.grants.some(({ granter }) => granter === actor)],
  [/MsgRevokeAllowance$/, 1, ({ standing }, actor) => standing.allowances.some(({ granter }) => granter === actor)],
  [
    /MsgUnjail/,
    8,
    ({ standing }, actor) => standing.validators.some((one) => one.jailed && one.operator === actor.operator),
  ],
  [/MsgCancelUnb/, 14, hasUnbondings],
  [/MsgUndelegate$|MsgBeginRedelegate$/, 3, delegates],
  [/MsgWithdrawDelegatorReward$/, 2, delegates],
  [/MsgEditValidator|MsgWithdrawValidatorCommission/, 2, operates],
  [/MsgCreateValidator/, 5, (world, actor) => values.validators(world).includes(actor) && !operates(world, actor)],
  [/MsgDelegate$|gov\.v1\.MsgSubmit/, 5, () => true],
  [/MsgGrant/, 2, () => true],
];

export function weightOf(world: World, actor: Actor, name: string): number {
  if (world.height < CALM && FIRST.test(name)) return 12;
  if (RARE.test(name)) return 0.2;
  for (const [pattern, weight, needs] of SITUATIONS) if (pattern.test(name)) return needs(world, actor) ? weight : 0.2;
  return 1;
}
