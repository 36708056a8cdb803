import type { AppVersion } from './app-version.js';
import type { MessageHandler, Module } from './module.js';
import { SdkError, sdkErrors } from './sdk-error.js';

/** Message handlers by type URL, with the application version's aliases. */
export class MessageRouter {
  readonly #handlers: ReadonlyMap<string, MessageHandler>;

  constructor(
    modules: readonly Module[],
    private readonly version: AppVersion,
  ) {
    this.#handlers = new Map(modules.flatMap((module) => module.messages).map((handler) => [handler.typeUrl, handler]));
  }

  get typeUrlAliases(): AppVersion['typeUrlAliases'] {
    return this.version.typeUrlAliases;
  }

  /** Handler of a message; SDK error 2 when this application has no such message, as the SDK's decoder answers. */
  find(typeUrl: string): MessageHandler {
    const handler = this.#handlers.get(this.version.typeUrlAliases[typeUrl] ?? typeUrl);
    if (handler === undefined) {
      throw new SdkError(sdkErrors.txDecode, `unable to resolve type URL ${typeUrl}: ${sdkErrors.txDecode.text}`);
    }
    return handler;
  }
}

/** Module segment of a message's package: `bank` of `/cosmos.bank.v1beta1.MsgSend`; attribute `module` of its first event. */
export function moduleOf(typeUrl: string): string {
  return typeUrl.replace(/^\//, '').split('.')[1] ?? '';
}
