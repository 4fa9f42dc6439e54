import { type Attributes, type BaggageEntry, type Context, propagation } from '@opentelemetry/api'
import * as BAGGAGE from '@svc/core/attributes/baggage'
import { BAGGAGE_ATTRIBUTES } from '@svc/core/attributes/constants'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import type { Reject } from './accept.ts'

const METADATA = `${ATTRIBUTE.TRACE_METADATA}.`

/** Adds propagated attributes to the baggage of a context, so that outgoing requests carry them. */
export function withBaggage(context: Context, attributes: Attributes, reject: Reject): Context {
  let baggage = propagation.getBaggage(context) ?? propagation.createBaggage()
  for (const [key, attribute] of Object.entries(BAGGAGE_ATTRIBUTES)) {
    const value = attributes[attribute]
    if (Array.isArray(value)) {
      const tags = travellingTags(value, baggage.getEntry(key), reject)
      if (tags !== '') baggage = baggage.setEntry(key, { value: tags })
    } else if (value !== undefined) add(key, String(value), attribute)
  }
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!attribute.startsWith(METADATA)) continue
    const name = attribute.slice(METADATA.length)
    add(BAGGAGE.METADATA_PREFIX + name, String(value), `metadata.${name}`)
  }
  return propagation.setBaggage(context, baggage)

  function add(key: string, value: string, what: string) {
    if (canTravel(key) && canTravel(value)) baggage = baggage.setEntry(key, { value })
    else reject(what, `${AS_BAGGAGE}: half of a surrogate pair cannot be encoded`)
  }
}

const AS_BAGGAGE = 'as baggage'

// Tags are separated by commas, and other SDKs have no way to escape one.
function travellingTags(tags: readonly unknown[], before: BaggageEntry | undefined, reject: Reject): string {
  const fit = tags.filter((tag): tag is string => typeof tag === 'string' && !tag.includes(',') && canTravel(tag))
  if (fit.length < tags.length) {
    reject('tags', `${AS_BAGGAGE}, ${tags.length - fit.length} of ${tags.length}: a tag with a comma cannot travel`)
  }
  const known = typeof before?.value === 'string' ? before.value.split(',') : []
  return [...new Set([...known, ...fit])].filter((tag) => tag !== '').join(',')
}

/** Whether a propagator can encode the text: OpenTelemetry's throws inside the outgoing request if it cannot. */
function canTravel(text: string): boolean {
  // Not a try of `encodeURIComponent`, whose unused result is a reason for bundlers to leave the call out.
  return !/\p{Surrogate}/u.test(text)
}
