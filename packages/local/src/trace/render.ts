import { foreignText } from '@svc/core/foreign-text'
import { tokensOf } from '../store/trace.ts'
import type { Trace, TraceObservation } from './trace.ts'
import { type Branch, treeOf } from './tree.ts'

/**
 * Draws a trace for a terminal: one line an observation with type, name, model, tokens (in → out) and latency.
 *
 * @example
 * POST /chat  4bf92f3577b34da6a3ce929d0e0e4736  user ada
 * └─ SPAN POST /chat  130 ms
 *    └─ GENERATION chat gpt-5  gpt-5  12 → 34 tokens  120 ms
 */
export function renderTrace(trace: Trace): string {
  return [heading(trace), ...branches(treeOf(trace.observations), '')].join('\n')
}

function heading({ traceId, name, userId, sessionId, tags, environment }: Trace): string {
  const facts = [
    name ?? '(root not arrived)',
    traceId,
    userId !== null && `user ${userId}`,
    sessionId !== null && `session ${sessionId}`,
    tags.length > 0 && `tags ${tags.join(', ')}`,
    environment !== 'default' && environment,
  ]
  return facts
    .filter((fact) => fact !== false)
    .map((fact) => foreignText(fact))
    .join('  ')
}

function branches(nodes: readonly Branch<TraceObservation>[], indent: string): string[] {
  return nodes.flatMap(({ node, children }, at) => {
    const last = at === nodes.length - 1
    return [`${indent}${last ? '└─' : '├─'} ${line(node)}`, ...branches(children, `${indent}${last ? '   ' : '│  '}`)]
  })
}

function line(observation: TraceObservation): string {
  const { type, name, model, level } = observation
  const facts = [model, describeTokens(observation.usage), describeLatency(observation), level !== 'DEFAULT' && level]
  return [`${type} ${name}`, ...facts.filter((fact) => fact !== null && fact !== false)]
    .map((fact) => foreignText(fact))
    .join('  ')
}

/** Time between start and end for people: `12 ms`, `1.24 s`. */
function describeLatency({ startTime, endTime }: { startTime: string; endTime: string }): string {
  const ms = Math.max(0, Date.parse(endTime) - Date.parse(startTime))
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(2)} s`
}

/** Tokens for people: `12 → 34 tokens`, cached and reasoning ones included; null where none were counted. */
function describeTokens(usage: Readonly<Record<string, number>>): string | null {
  const { input, output, total } = tokensOf(usage)
  if (input + output > 0) return `${input} → ${output} tokens`
  return total > 0 ? `${total} tokens` : null
}
