const NAMES = ['tracecontext', 'baggage', 'b3', 'b3multi'] as const

/** A propagator that `OTEL_PROPAGATORS` may name. */
export type PropagatorName = (typeof NAMES)[number]

/** Reads `OTEL_PROPAGATORS`: unknown names are reported and ignored, `none` disables propagation. */
export function knownPropagators(names: readonly string[], report: (line: string) => void): readonly PropagatorName[] {
  for (const name of names) {
    if (name !== 'none' && !isKnown(name)) {
      report(`OTEL_PROPAGATORS="${name}" is ignored: expected ${NAMES.join(', ')} or none.`)
    }
  }
  return names.includes('none') ? [] : names.filter(isKnown)
}

function isKnown(name: string): name is PropagatorName {
  return NAMES.some((known) => known === name)
}
