import type { Attributes } from '@opentelemetry/api'
import { placeholderOf, plainOf, toMetadataText, valueAt } from '@svc/core/json'
import { warnFew } from '@svc/core/warn-few'

/**
 * Returns metadata as span attributes (contract 2.3): `prefix.key` for each top-level key of an object, the bare
 * `prefix` for anything else; every value is JSON. Never throws.
 */
export function metadataAttributes(prefix: string, metadata: unknown): Attributes {
  const attributes: Attributes = {}
  const add = (key: string, name: string, value: unknown) => {
    const text = toMetadataText(value)
    if (text !== undefined) attributes[key] = text
    else if (value !== undefined && value !== null) {
      warnFew(`metadata ${name} is dropped: ${typeof value} has no JSON form.`)
    }
  }
  const entries = entriesOf(metadata)
  if (!entries) add(prefix, 'as a whole', metadata)
  else for (const [name, value] of entries) add(`${prefix}.${name}`, JSON.stringify(name), value)
  return attributes
}

/** Returns the top-level entries of an object; undefined for anything else: bytes, and what cannot be read. */
export function entriesOf(metadata: unknown): (readonly [name: string, value: unknown])[] | undefined {
  if (typeof metadata !== 'object' || metadata === null || placeholderOf(metadata) !== undefined) return undefined
  try {
    const plain = plainOf(metadata)
    if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return undefined
    return Object.keys(plain).map((name) => [name, valueAt(plain, name)])
  } catch {
    return undefined
  }
}
