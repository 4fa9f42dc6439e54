import type { Context, Span } from '@opentelemetry/api'
import { ROOT_CONTEXT, trace } from '@svc/core/api'
import type { flatContext as flat, withSpan as setSpan } from './flat-context.ts'

// Replaces flat-context.ts in bundles for edge runtimes, where fewer bytes cost less than cheaper contexts save.

export const withSpan: typeof setSpan = (context: Context, span: Span) => trace.setSpan(context, span)
export const flatContext: typeof flat = (context) => context
export const FLAT_ROOT_CONTEXT: Context = ROOT_CONTEXT
