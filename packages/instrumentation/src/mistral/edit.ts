import type { Attributes, Context, Span, TracerProvider } from '@opentelemetry/api'
import * as SLOTS from '@svc/core/slots'

/** The symbol under which edited code finds {@link Corrections}. */
export const SLOT = SLOTS.MISTRAL

/** Functions that edited code calls. */
export interface Corrections {
  /**
   * Returns the provider for spans that nobody has asked for; undefined for that of the application.
   *
   * @param registered what the application has told the library
   */
  provider(registered: TracerProvider | undefined): TracerProvider | undefined
  /** Returns the attributes to record. */
  attributes(attributes: Attributes, span: Span): Attributes
  /** Returns the context whose headers a request gets, by whatever propagator the application has. */
  carried(context: Context): Context
  /** Returns the context that a request runs in. */
  outgoing(context: Context): Context
  /** Called when a response has an error status. */
  refused(span: Span, response: unknown): void
}

const CORRECTIONS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`

/** Edits: the provider, the function that writes attributes, the headers of a request, its context, and its errors. */
const EDITS: readonly (readonly [find: RegExp, replacement: string])[] = [
  [
    /(?<=getRegisteredTracerProvider\(\)\) \?\?\s+)trace\.getTracerProvider\(\)/,
    `(${CORRECTIONS}?.provider?.(getRegisteredTracerProvider()) ?? $&)`,
  ],
  [
    /function setAvailableAttributes\(span, attributes\) \{/,
    `$& attributes = ${CORRECTIONS}?.attributes?.(attributes, span) ?? {};`,
  ],
  [
    /propagation\.inject\((trace\.setSpan\(contextApi\.active\(\), span\)), headerCarrier\)/,
    `propagation.inject(${CORRECTIONS}?.carried?.($1) ?? $1, headerCarrier)`,
  ],
  [/contextApi\.with\(context, fn\)/, `contextApi.with(${CORRECTIONS}?.outgoing?.(context) ?? context, fn)`],
  [/if \(!response\) \{\s*endSpan\(span\);/, `${CORRECTIONS}?.refused?.(span, response); $&`],
]

/**
 * Edits the module in which `@mistralai/mistralai` creates spans, which record content without a setting or a limit,
 * propagate trace context to the vendor, and have no error status. Line numbers do not change. Returns undefined if a
 * place to edit is not found.
 */
export function withCorrections(source: string): string | undefined {
  if (!EDITS.every(([find]) => find.test(source))) return undefined
  return EDITS.reduce((text, [find, replacement]) => text.replace(find, replacement), source)
}
