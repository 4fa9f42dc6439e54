import type { MeterProvider } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { SpanProcessor } from '@opentelemetry/sdk-trace'
import { apiGlobal } from '@svc/core/api-global'
import { log, messageOf } from '@svc/core/log'
import { after } from '@svc/core/timers'
import { GenAiMetrics } from '@svc/otel/metrics'
import { outside } from './outside.ts'
import type { Plan } from './plan.ts'
import type { MetricsExporter } from './second-destination.ts'
import { type StandardMeters, standardMeters } from './standard-meters.ts'

/** An application has registered its meter provider by then. Earlier than this, only a call makes one. */
const START_MS = 1_000

/** Counts calls of models, agents, tools and MCP: for the application's meter provider, or for one of ours. */
export function countCalls(plan: Plan, resource: Resource): SpanProcessor {
  const meters = new Meters(plan, resource)
  const { latest, service } = plan
  const { allowedScopes, blockedScopes } = service
  const counting = new GenAiMetrics({ meterProvider: () => meters.find(), latest, allowedScopes, blockedScopes })
  // Who scrapes is answered before the first call.
  after(START_MS, () => meters.find())
  return {
    onStart: (span) => counting.onStart(span),
    onEnd: (span) => counting.onEnd(span),
    async forceFlush() {
      await counting.forceFlush()
      await meters.flush()
    },
    async shutdown() {
      await counting.shutdown()
      await meters.shutdown()
    },
  }
}

/** Where metrics go. The application comes first: ours is made only where it has none when one is needed. */
class Meters {
  readonly #exporters: readonly MetricsExporter[]
  readonly #resource: Resource
  /** Of a provider in the place of the application's, whether it is that of sdk-node, which `run` starts. */
  readonly #isStandard: boolean
  #own: StandardMeters | undefined
  #isOver = false

  constructor(plan: Plan, resource: Resource) {
    this.#exporters = plan.metrics ?? []
    this.#resource = resource
    this.#isStandard = plan.second && this.#exporters.length > 0 && apiGlobal()?.metrics === undefined
  }

  find(): MeterProvider | undefined {
    const theirs = apiGlobal()?.metrics
    if (theirs || this.#exporters.length === 0 || this.#isOver) return theirs ?? this.#own
    try {
      this.#own ??= outside(standardMeters, this.#exporters, this.#resource)
    } catch (error) {
      this.#isOver = true
      log.error(`OTEL_METRICS_EXPORTER cannot be used, so GenAI metrics are not exported: ${messageOf(error)}`)
    }
    return this.#own
  }

  async flush(): Promise<void> {
    if (this.#isStandard) await (apiGlobal()?.metrics as StandardMeters | undefined)?.forceFlush?.()
    await this.#own?.forceFlush()
  }

  async shutdown(): Promise<void> {
    this.#isOver = true
    await this.#own?.shutdown()
  }
}
