import { type Context, createContextKey } from '@opentelemetry/api'
import type { ResponseContent } from '../gen-ai/content.ts'

/** The run of tools that a context belongs to; undefined inside of the tools. */
export const runKey = createContextKey('svc.llm.tool-run')

export interface RunInContext {
  answered(response: ResponseContent): void
}

export function runOf(context: Context): RunInContext | undefined {
  return context.getValue(runKey) as RunInContext | undefined
}
