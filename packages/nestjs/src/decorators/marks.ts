import 'reflect-metadata'
import type { Attributes } from '@opentelemetry/api'
import { mergeAttributes, NONE } from '@svc/core/context'
import { log } from '@svc/core/log'
import { propagatedValues } from '@svc/tracing/adapters'
import type { SvcTraceValues } from './svc-trace.ts'

/** The keys under which decorators store values on classes and methods. */
export const MARK = {
  TRACE: 'svc:trace',
  PUBLIC: 'svc:public',
  SKIP: 'svc:skip',
} as const

/** The combined values of the decorators of a handler and its class. */
export interface Marks {
  /** Name of its root: class and method. */
  readonly name: string
  readonly values: Attributes
  readonly isPublic: boolean
  readonly skip: boolean
  /** Whether it is recorded; undefined where the module decides. */
  readonly captureInput: boolean | undefined
  readonly captureOutput: boolean | undefined
}

/** A class, or one of its methods. */
type Named = { readonly name: string }

const known = new WeakMap<object, WeakMap<object, Marks>>()

/** Read once: decorators are there when the class is. */
export function marksOf(owner: Named, handler: Named): Marks {
  return known.get(owner)?.get(handler) ?? remembered(owner, handler)
}

function remembered(owner: Named, handler: Named): Marks {
  const ofOwner = known.get(owner) ?? new WeakMap<object, Marks>()
  const marks = readMarks(owner, handler)
  known.set(owner, ofOwner.set(handler, marks))
  return marks
}

function readMarks(owner: Named, handler: Named): Marks {
  const both = (key: string): unknown[] => [owner, handler].map((target) => Reflect.getMetadata(key, target))
  const traces = both(MARK.TRACE).map((values) => (values ?? {}) as SvcTraceValues)
  const [ofClass, ofMethod] = both(MARK.SKIP)
  const values = traces.map(attributesOf).reduce(mergeAttributes)
  return {
    name: `${owner.name}.${handler.name}`,
    values: Object.keys(values).length > 0 ? values : NONE,
    isPublic: both(MARK.PUBLIC).includes(true),
    skip: (ofMethod ?? ofClass) === true,
    captureInput: traces.map((trace) => trace.captureInput).reduce((outer, inner) => inner ?? outer),
    captureOutput: traces.map((trace) => trace.captureOutput).reduce((outer, inner) => inner ?? outer),
  }
}

function attributesOf({ name, captureInput: _, captureOutput: __, ...values }: SvcTraceValues): Attributes {
  return propagatedValues({ ...values, traceName: name }, (what, reason) =>
    log.warn(`SvcTrace: ${what} is dropped: ${reason}`),
  )
}
