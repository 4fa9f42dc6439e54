import 'reflect-metadata'
import type { Attributes } from '@opentelemetry/api'
import { mergedAttributes } from '@svc/core/context'
import { log } from '@svc/core/log'
import { propagatedValues } from '@svc/tracing/adapters'
import type { SvcTraceValues } from './svc-trace.ts'

/** Keys of what the decorators leave on classes and methods. */
export const MARK = {
  TRACE: 'svc:trace',
  PUBLIC: 'svc:public',
  SKIP: 'svc:skip',
} as const

/** What the decorators of a handler and its class say together. */
export interface Marks {
  readonly values: Attributes
  readonly isPublic: boolean
  readonly skip: boolean
}

const known = new WeakMap<object, WeakMap<object, Marks>>()

/** Read once: decorators are there when the class is. */
export function marksOf(owner: object, handler: object): Marks {
  const ofOwner = known.get(owner) ?? new WeakMap<object, Marks>()
  known.set(owner, ofOwner)
  const marks = ofOwner.get(handler) ?? readMarks(owner, handler)
  ofOwner.set(handler, marks)
  return marks
}

function readMarks(owner: object, handler: object): Marks {
  const both = (key: string): unknown[] => [owner, handler].map((target) => Reflect.getMetadata(key, target))
  return {
    values: both(MARK.TRACE).map(attributesOf).reduce(mergedAttributes),
    isPublic: both(MARK.PUBLIC).includes(true),
    skip: both(MARK.SKIP).includes(true),
  }
}

function attributesOf(said: unknown): Attributes {
  if (said === undefined) return {}
  const { name, ...values } = said as SvcTraceValues
  return propagatedValues({ ...values, traceName: name }, (what, reason) =>
    log.warn(`SvcTrace: ${what} is dropped: ${reason}`),
  )
}
