import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace'
import { ExperimentManager } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import type { ScoreBody } from '@svc/core/score'
import { SvcSpanProcessor } from '@svc/otel'
import { afterEach, beforeEach, vi } from 'vitest'

/** A pipeline in front of a memory, and a manager whose scores and project are in hand. */
export interface Laboratory {
  readonly experiment: ExperimentManager
  /** What was scored, in order. */
  readonly scores: ScoreBody[]
  /** How often the scores were flushed. */
  flushes(): number
  /** Makes the service say which project this is, or fail to. */
  project(id: string | Error): void
  spans(name?: string): ReadableSpan[]
  /** What was logged. */
  lines(): string[]
}

export function useLaboratory(options: TracerProviderOptions | 'nothing recorded' = {}): () => Laboratory {
  let laboratory: Laboratory
  beforeEach(() => {
    const exporter = new InMemorySpanExporter()
    if (options !== 'nothing recorded') {
      const stamps = new SvcSpanProcessor({ env: environmentOf({}), exporter: new InMemorySpanExporter() })
      const spanProcessors = [stamps, new SimpleSpanProcessor({ exporter })]
      trace.setGlobalTracerProvider(new TracerProvider({ ...options, spanProcessors }))
    }
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    laboratory = laboratoryOver(exporter)
  })
  afterEach(() => {
    trace.disable()
    context.disable()
    propagation.disable()
    vi.restoreAllMocks()
    resetGlobalLogger()
  })
  return () => laboratory
}

function laboratoryOver(exporter: InMemorySpanExporter): Laboratory {
  const printed: string[] = []
  for (const method of ['debug', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void printed.push(String(parts[0])))
  }
  configureGlobalLogger({ level: LogLevel.INFO, prefix: 'svc:', enableTimestamp: false })
  const scores: ScoreBody[] = []
  let flushes = 0
  let project: string | Error = 'p'
  const score = {
    create: (body: ScoreBody) => void scores.push(body),
    flush: async () => {
      flushes += 1
    },
  }
  const observations = {
    getMany: async function* () {
      yield* [{ totalCost: 1 }, { totalCost: null }, { totalCost: 0.5 }]
    },
  }
  const parts = {
    api: { observations },
    score,
    clock: { now: () => Date.parse('2026-01-02T03:04:05Z') },
    getProjectId: async () => {
      if (project instanceof Error) throw project
      return project
    },
    getTraceUrl: async (id: string) => `https://svc.example.com/project/p/traces/${id}`,
    getExperimentUrl: async (id: string) => `https://svc.example.com/project/p/experiments/results?baseline=${id}`,
  }
  return {
    experiment: new ExperimentManager(parts as unknown as ConstructorParameters<typeof ExperimentManager>[0]),
    scores,
    flushes: () => flushes,
    project: (id) => {
      project = id
    },
    spans: (name) => exporter.getFinishedSpans().filter((each) => name === undefined || each.name === name),
    lines: () => printed,
  }
}
