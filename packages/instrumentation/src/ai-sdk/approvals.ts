import type { Attributes } from '@opentelemetry/api'
import { asArray, asRecord } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'

/** By the ids of its approvals a call is found that goes on from another one, in whatever process. */
export function approvals(ids: readonly unknown[]): Attributes {
  return ids.length > 0 ? metadataAttributes({ approval_ids: ids }) : {}
}

/** The answers with which a conversation goes on. */
export function answersIn(messages: readonly unknown[]): Attributes {
  const last = asRecord(messages.at(-1))
  return last.role === 'tool' ? approvals(idsOf(last.content, 'tool-approval-response')) : {}
}

/** Returns the ids of the parts of a type. */
export function idsOf(content: unknown, type: 'tool-approval-request' | 'tool-approval-response'): unknown[] {
  return asArray(content)
    .map(asRecord)
    .filter((part) => part.type === type)
    .map(({ approvalId }) => approvalId)
}
