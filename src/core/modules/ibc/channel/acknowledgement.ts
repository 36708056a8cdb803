/** Standard form of acknowledgements (ibc-go v10 `types/acknowledgement.go`). */
import { fromJsonString } from '@bufbuild/protobuf';
import { toBase64 } from '../../../bytes/base64.js';
import { text, utf8 } from '../../../bytes/bytes.js';
import {
  type Acknowledgement as Answer,
  AcknowledgementSchema,
} from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import { goJsonText } from '../../../sdk/go/go-json-text.js';
import type { SdkError } from '../../../sdk/module/sdk-error.js';
import type { Acknowledgement } from './port.js';

/** Acknowledgement of success. */
export function resultAcknowledgement(result: Uint8Array): Acknowledgement {
  return { success: true, bytes: utf8(`{"result":"${toBase64(result)}"}`) };
}

/** Acknowledgement of an error: contains only the error code, because that is deterministic. */
export function errorAcknowledgement({ registered }: SdkError): Acknowledgement {
  const reason = `ABCI code: ${registered.code}: error handling packet: see events for details`;
  return { success: false, bytes: utf8(`{"error":${goJsonText(reason)}}`) };
}

/** Decodes a standard acknowledgement; undefined for other bytes. */
export function readAcknowledgement(bytes: Uint8Array): Answer | undefined {
  try {
    return fromJsonString(AcknowledgementSchema, text(bytes));
  } catch {
    return undefined;
  }
}

/** Encodes a standard acknowledgement like ibc-go; undefined for other bytes. */
export function canonicalAcknowledgement(bytes: Uint8Array): string | undefined {
  const response = readAcknowledgement(bytes)?.response;
  if (response === undefined) return undefined;
  switch (response.case) {
    case 'result':
      return `{"result":"${toBase64(response.value)}"}`;
    case 'error':
      return `{"error":${goJsonText(response.value)}}`;
    case undefined:
      return '{}';
  }
}
