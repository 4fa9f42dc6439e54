import type { TextMapPropagator } from '@opentelemetry/api'
import { B3InjectEncoding, B3Propagator } from '@opentelemetry/propagator-b3'

export const b3 = (): TextMapPropagator => new B3Propagator()

export const b3multi = (): TextMapPropagator => new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER })
