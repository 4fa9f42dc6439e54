import type { IncomingMessage } from 'node:http'
import type { DeferredAttributes } from '@svc/core/context'

/** Returns attributes for the spans of a request, beside propagated ones. */
export type RequestValues = (request: IncomingMessage) => DeferredAttributes | undefined
