import type { Attributes } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { NONE } from '@svc/core/context'
import type { Settings } from '@svc/core/setting'
import type { exportSettings } from '@svc/core/settings'
import type { ReadableSpan } from './sdk.ts'

/** The default attributes of every span. */
export function defaultsOf({
  environment,
  release,
}: Pick<Settings<typeof exportSettings>, 'environment' | 'release'>): Attributes {
  return {
    ...(environment === undefined ? {} : { [ATTRIBUTE.ENVIRONMENT]: environment }),
    ...(release === undefined ? {} : { [ATTRIBUTE.RELEASE]: release }),
  }
}

/**
 * Returns the attributes to write on a span at its start. Propagated values win over the defaults, and the span's own
 * prompt, environment and release win over both.
 */
export function stampOf(span: ReadableSpan, propagated: Attributes, defaults: Attributes): Attributes {
  const { attributes } = span
  if (propagated !== NONE) return stampBeside(attributes, propagated, defaults)
  for (const name in defaults) if (attributes[name] !== undefined) return stampBeside(attributes, propagated, defaults)
  // The common case: nothing is copied.
  return defaults
}

function stampBeside(attributes: Attributes, propagated: Attributes, defaults: Attributes): Attributes {
  const stamp = { ...defaults, ...propagated }
  if (attributes[ATTRIBUTE.OBSERVATION_PROMPT_NAME] !== undefined) {
    delete stamp[ATTRIBUTE.OBSERVATION_PROMPT_NAME]
    delete stamp[ATTRIBUTE.OBSERVATION_PROMPT_VERSION]
  }
  for (const name of Object.keys(defaults)) {
    if (attributes[name] !== undefined && stamp[name] === defaults[name]) delete stamp[name]
  }
  return stamp
}
