import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import type { Attributes, Value } from '../../store/received.ts'
import { arrayOf, firstText, isEmpty, readText } from './read.ts'

const inMetadata = (key: string) => [`${ATTRIBUTE.OBSERVATION_METADATA}.${key}`, `${ATTRIBUTE.TRACE_METADATA}.${key}`]

const USER_KEYS = [
  ATTRIBUTE.TRACE_COMPAT_USER_ID,
  ATTRIBUTE.TRACE_USER_ID,
  ...inMetadata('svc_user_id'),
  'ai.telemetry.metadata.userId',
]

const SESSION_KEYS = [
  ATTRIBUTE.TRACE_COMPAT_SESSION_ID,
  ATTRIBUTE.TRACE_SESSION_ID,
  GEN_AI.CONVERSATION_ID,
  ...inMetadata('svc_session_id'),
  'ai.telemetry.metadata.sessionId',
]

const TAG_KEYS = [
  ATTRIBUTE.TRACE_TAGS,
  ATTRIBUTE.COMPAT_TAGS,
  ...inMetadata('svc_tags'),
  'ai.telemetry.metadata.tags',
  'tag.tags',
]

const PUBLIC_KEYS = [ATTRIBUTE.TRACE_PUBLIC, ATTRIBUTE.COMPAT_PUBLIC]

/** The fields of a span that belong to its whole trace (contract 5.4). */
export function identityOf(attributes: Attributes) {
  return {
    traceName: readText(attributes[ATTRIBUTE.TRACE_NAME]) ?? null,
    userId: firstText(attributes, USER_KEYS) ?? null,
    sessionId: firstText(attributes, SESSION_KEYS) ?? null,
    tags: tagsOf(attributes[TAG_KEYS.find((key) => !isEmpty(attributes[key])) ?? '']),
    public: PUBLIC_KEYS.some((key) => attributes[key] === true || attributes[key] === 'true'),
  }
}

/** An array, JSON text of an array, or a comma list. */
function tagsOf(value: Value | undefined): string[] {
  const list = arrayOf(value) ?? (typeof value === 'string' ? value.split(',') : [])
  const tags = list.map((tag) => readText(tag)?.trim()).filter((tag): tag is string => tag !== undefined && tag !== '')
  return [...new Set(tags)]
}
