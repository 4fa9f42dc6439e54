import { ATTRIBUTE } from '@svc/core/attributes'
import { isEnvironmentName } from '@svc/core/environment-name'
import { DEFAULT_ENVIRONMENT } from '../../store/observation.ts'
import type { ReceivedSpan } from '../../store/received.ts'
import { readText } from './read.ts'

const KEYS = [ATTRIBUTE.ENVIRONMENT, 'deployment.environment.name', 'deployment.environment']
const MAX_LENGTH = 40

/** The environment of a span: each key is looked up on the span, then on its resource (contract 5.4). */
export function environmentOf({ attributes, resource }: ReceivedSpan): string {
  for (const key of KEYS) {
    const given = readText(attributes[key]) ?? readText(resource.attributes[key])
    if (given !== undefined) return environmentNamed(given)
  }
  return DEFAULT_ENVIRONMENT
}

/** Returns the name of an environment as the service keeps it: lower case, at most 40 characters, else `default`. */
export function environmentNamed(given: string): string {
  const name = given
    .toLowerCase()
    .replace(/^(svc[-_]?)+/, '')
    .slice(0, MAX_LENGTH)
  return isEnvironmentName(name) ? name : DEFAULT_ENVIRONMENT
}
