import type { Attributes, Baggage } from '@opentelemetry/api'
import * as BAGGAGE from './attributes/baggage.ts'
import { BAGGAGE_ATTRIBUTES } from './attributes/constants.ts'
import * as ATTRIBUTE from './attributes/service.ts'
import { isEnvironmentName } from './environment-name.ts'
import { PROPAGATED_LIMIT, PROPAGATED_METADATA_KEYS } from './json.ts'
import { own } from './own.ts'

/**
 * Returns the span attributes in baggage (contract 2.5). Baggage comes from other processes, so each value is checked
 * again, and metadata has the same limit of keys as when it is propagated.
 */
export function attributesFromBaggage(baggage: Baggage): Attributes {
  const attributes: Attributes = {}
  let metadataKeys = 0
  for (const [key, { value }] of baggage.getAllEntries()) {
    // Applications may set an undefined value.
    if (!key.startsWith(BAGGAGE.PREFIX) || key === BAGGAGE.TRACE_ID || typeof value !== 'string') continue
    if (key.startsWith(BAGGAGE.METADATA_PREFIX)) {
      const name = key.slice(BAGGAGE.METADATA_PREFIX.length)
      if (!name || value.length > PROPAGATED_LIMIT || metadataKeys >= PROPAGATED_METADATA_KEYS) continue
      attributes[`${ATTRIBUTE.TRACE_METADATA}.${name}`] = value
      metadataKeys += 1
      continue
    }
    const attribute = own(BAGGAGE_ATTRIBUTES, key)
    const read = attribute && readEntry(key, value)
    if (read !== undefined && read !== '') attributes[attribute as string] = read
  }
  return attributes
}

function readEntry(key: string, value: string): string | number | string[] | undefined {
  if (key === BAGGAGE.TAGS) return value.split(',').filter((tag) => tag !== '' && tag.length <= PROPAGATED_LIMIT)
  if (value.length > PROPAGATED_LIMIT) return undefined
  if (key === BAGGAGE.ENVIRONMENT) return isEnvironmentName(value) ? value : undefined
  if (key === BAGGAGE.PROMPT_VERSION) return /^\d+$/.test(value) ? Number(value) : undefined
  return value
}
