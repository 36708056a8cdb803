import type { Any } from '@bufbuild/protobuf/wkt';
import { GenericAuthorizationSchema } from '../../core/proto/cosmos/authz/v1beta1/authz_pb.js';
import { MsgExecSchema, MsgGrantSchema, MsgRevokeSchema } from '../../core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { SendAuthorizationSchema } from '../../core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { AuthorizationType, StakeAuthorizationSchema } from '../../core/proto/cosmos/staking/v1beta1/authz_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { accountAddress, nodePrefix, operatorOf } from '../values/names.js';
import { listOf, sendOwn } from '../tx/send-as.js';
import { coinsOf, messageAny } from '../tx/draft.js';
import { readTransaction } from '../tx/read.js';
import { coinsOfNode } from '../values/units.js';

const STAKES: ReadonlyMap<string, AuthorizationType> = new Map([
  ['delegate', AuthorizationType.DELEGATE],
  ['unbond', AuthorizationType.UNDELEGATE],
  ['redelegate', AuthorizationType.REDELEGATE],
]);

const LIMIT = 'spend-limit should be greater than zero, for a stake of one coin';

/** `tx authz grant GRANTEE TYPE`: the types are send, generic, delegate, unbond and redelegate. */
const grant: CommandBody = async (context, [name = '', type = ''], flags) => {
  const authorization = await authorizationOf(context, type, flags);
  const end = flags.whole('expiration') ?? 0n;
  await sendOwn(context, flags, MsgGrantSchema, async (granter) => ({
    granter,
    grantee: await accountAddress(context, name),
    grant: { authorization, ...(end > 0n && { expiration: { seconds: end } }) },
  }));
};

async function authorizationOf(context: CommandContext, type: string, flags: Flags): Promise<Any> {
  const stake = STAKES.get(type);
  if (stake !== undefined) return stakeOf(context, stake, flags);
  if (type === 'generic') return messageAny(GenericAuthorizationSchema, { msg: flags.needed('msg-type') });
  if (type !== 'send') throw new CommandError(EXIT.usage, `invalid authorization type, ${type}`);
  const allowList: string[] = [];
  for (const receiver of listOf(flags.text('allow-list'))) allowList.push(await accountAddress(context, receiver));
  const spendLimit = coinsOf(await coinsOfNode(context, flags.needed('spend-limit'), '--spend-limit'));
  if (spendLimit.some(({ amount }) => amount === '0')) throw new CommandError(EXIT.usage, LIMIT);
  return messageAny(SendAuthorizationSchema, { spendLimit, allowList });
}

async function stakeOf(context: CommandContext, authorizationType: AuthorizationType, flags: Flags): Promise<Any> {
  const operators = async (flag: string): Promise<string[]> => {
    const all: string[] = [];
    const names = listOf(flags.text(flag));
    const prefix = names.length === 0 ? undefined : await nodePrefix(context);
    for (const name of names) all.push(await operatorOf(context, name, prefix));
    return all;
  };
  const [allowed, denied] = [await operators('allowed-validators'), await operators('deny-validators')];
  if ((allowed.length === 0) === (denied.length === 0))
    throw new CommandError(EXIT.usage, 'one of --allowed-validators and --deny-validators is needed here');
  const limit = flags.text('spend-limit');
  const [maxTokens, ...more] = limit === undefined ? [] : coinsOf(await coinsOfNode(context, limit, '--spend-limit'));
  if (more.length > 0 || maxTokens?.amount === '0') throw new CommandError(EXIT.usage, LIMIT);
  return messageAny(StakeAuthorizationSchema, {
    authorizationType,
    validators:
      allowed.length > 0
        ? { case: 'allowList', value: { address: allowed } }
        : { case: 'denyList', value: { address: denied } },
    ...(maxTokens && { maxTokens }),
  });
}

const revoke: CommandBody = async (context, [name = '', msgTypeUrl = ''], flags) => {
  await sendOwn(context, flags, MsgRevokeSchema, async (granter) => ({
    granter,
    grantee: await accountAddress(context, name),
    msgTypeUrl,
  }));
};

/** `tx authz exec FILE`: executes the messages of a transaction of `--generate-only` for their accounts. */
const exec: CommandBody = async (context, [file = ''], flags) => {
  const { body } = await readTransaction(context, file);
  await sendOwn(context, flags, MsgExecSchema, (signer) => ({ grantee: signer, msgs: body?.messages ?? [] }));
};

export const commands: readonly CommandRow[] = [
  send('authz grant <grantee> <type>', 'allow messages: send, generic, delegate, unbond or redelegate', grant, {
    options: [
      { flag: '--spend-limit <coins>', doc: 'sum of all sends or delegations' },
      { flag: '--allow-list <addresses>', doc: 'receivers that sends may have, separated by commas' },
      { flag: '--msg-type <url>', doc: 'type of the messages of a generic permission' },
      { flag: '--allowed-validators <addresses>', doc: 'validators that may be chosen, separated by commas' },
      { flag: '--deny-validators <addresses>', doc: 'validators that may not be chosen, separated by commas' },
      { flag: '--expiration <seconds>', doc: 'end as Unix time; 0 for no end' },
    ],
  }),
  send('authz revoke <grantee> <msg-type-url>', 'end a permission', revoke),
  send('authz exec <file>', 'execute the messages of a transaction for the accounts that allow it', exec),
];
