import { asRecord } from '../gen-ai/read.ts'

/** A telemetry integration of the AI SDK 7, as far as we look at it: hooks by name. */
export type Integration = Readonly<Record<string, unknown>>

/**
 * Whether an integration makes spans of its own: beside listening, it runs tools and model calls inside them. Judged by
 * what it does, because bundlers rename classes.
 */
export function makesSpans(integration: unknown): boolean {
  if (typeof integration !== 'object' || integration === null) return false
  const { executeTool, onStart } = integration as Integration
  return typeof executeTool === 'function' && typeof onStart === 'function'
}

/** Whether an event is one of version 7, which names the call; version 6 has others for the same hooks. */
export function isOfSeven(event: unknown): boolean {
  return typeof asRecord(event).callId === 'string'
}
