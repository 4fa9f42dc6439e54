import { context } from '@svc/core/api'
import type { enter as node } from './enter.ts'

// Replaces enter.ts in bundles for edge runtimes, which have no AsyncResource.

export const enter: typeof node = (inner) => (work) => context.with(inner, work)
