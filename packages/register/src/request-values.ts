import type { IncomingMessage } from 'node:http'
import type { LateAttributes } from '@svc/core/context'

/** Returns attributes for the spans of a request, beside propagated ones. */
export type RequestValues = (request: IncomingMessage) => LateAttributes | undefined
