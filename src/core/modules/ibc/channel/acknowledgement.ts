/** Answers to packets in the form that most applications give them (ibc-go v10 `types/acknowledgement.go`). */
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

/** The answer of an application that took a packet. */
export function resultAcknowledgement(result: Uint8Array): Acknowledgement {
  return { success: true, bytes: utf8(`{"result":"${toBase64(result)}"}`) };
}

/** The answer of an application that refused a packet: the code of the error alone, which is the same on all nodes. */
export function errorAcknowledgement({ registered }: SdkError): Acknowledgement {
  const reason = `ABCI code: ${registered.code}: error handling packet: see events for details`;
  return { success: false, bytes: utf8(`{"error":${goJsonText(reason)}}`) };
}

/** Reads an answer in this form; undefined for other bytes. */
export function readAcknowledgement(bytes: Uint8Array): Answer | undefined {
  try {
    return fromJsonString(AcknowledgementSchema, text(bytes));
  } catch {
    return undefined;
  }
}

/** Writes an answer in this form as ibc-go does; undefined for bytes of another form. */
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
