import { contentOf } from './dialects/content-of.ts'
import { enrich } from './enrich.ts'
import type { ReadableSpan } from './sdk.ts'

/** {@link enrich} with everything that is recorded on a server. */
export const enriched = (span: ReadableSpan): ReadableSpan => enrich(span, contentOf)
