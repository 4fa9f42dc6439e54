import type { IncomingMessage } from 'node:http'
import type { LateAttributes } from '@svc/core/context'

/** Says what the spans of a request get beside what code propagates. */
export type RequestValues = (request: IncomingMessage) => LateAttributes | undefined
