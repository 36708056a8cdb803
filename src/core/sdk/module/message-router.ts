import type { Registry } from '@bufbuild/protobuf';
import type { TransactionKind } from './ante.js';
import { presentModules, type AppVersion } from './app-version.js';
import type { ApplicationMessages, Context, MessageHandler } from './context.js';
import { invariant } from '../../errors.js';
import { SdkError, sdkErrors } from './sdk-error.js';
import type { Tx } from './tx.js';
import { messageTypesOf } from './version-types.js';

/** Message handlers by type URL, with the application version's aliases, and the modules' kinds of transactions. */
export class MessageRouter implements ApplicationMessages {
  readonly #handlers: ReadonlyMap<string, MessageHandler>;
  readonly #kinds: readonly TransactionKind[];
  /** Types that an `Any` of a transaction may contain. */
  readonly types: Registry;

  constructor(readonly version: AppVersion) {
    const modules = presentModules(version);
    this.types = messageTypesOf(version);
    this.#handlers = new Map(modules.flatMap((module) => module.messages).map((handler) => [handler.typeUrl, handler]));
    this.#kinds = modules.flatMap(({ transactions }) => transactions ?? []);
  }

  get typeUrlAliases(): AppVersion['typeUrlAliases'] {
    return this.version.typeUrlAliases;
  }

  /** Handler of a message type; throws SDK error 2 for an unknown one, like the SDK's decoder. */
  find(typeUrl: string): MessageHandler {
    const handler = this.#handlers.get(this.version.typeUrlAliases[typeUrl] ?? typeUrl);
    if (handler === undefined) {
      throw new SdkError(sdkErrors.txDecode, `unable to resolve type URL ${typeUrl}: ${sdkErrors.txDecode.text}`);
    }
    return handler;
  }

  /** True when the application executes messages of this type. */
  knows(typeUrl: string): boolean {
    return this.#handlers.has(this.version.typeUrlAliases[typeUrl] ?? typeUrl);
  }

  /** Kind of a transaction; undefined for an ordinary one. */
  kindOf(tx: Tx): TransactionKind | undefined {
    return this.#kinds.find((kind) => kind.includes(tx));
  }
}

/** Application version of a context, including the parts whose functions take a context. */
export function versionOf({ router }: Pick<Context, 'router'>): AppVersion {
  invariant(router instanceof MessageRouter, 'the messages of a context are made from its application version');
  return router.version;
}

/**
 * Module name from a message's package: `bank` for `/cosmos.bank.v1beta1.MsgSend`. It is the attribute `module` of
 * the message's first event.
 */
export function moduleOf(typeUrl: string): string {
  return typeUrl.replace(/^\//, '').split('.')[1] ?? '';
}
