import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import type { Fields } from '../gen-ai/read.ts'

/**
 * Returns metadata as attributes, one for each key.
 *
 * @param toText returns the text of a value; undefined leaves it out. Default: its JSON
 */
export function metadataAttributes(
  metadata: Fields,
  toText: (value: unknown) => string | undefined = toMetadataText,
): Attributes {
  const attributes: Attributes = {}
  for (const key of Object.keys(metadata)) {
    const text = toText(metadata[key])
    if (text !== undefined) attributes[`${ATTRIBUTE.OBSERVATION_METADATA}.${key}`] = text
  }
  return attributes
}
