import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../apps/free-port.ts'
import { type Series, startMetricsEndpoint } from '../support/metrics-endpoint.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** What an application has exported when it has ended by itself. */
async function exported(env: Readonly<Record<string, string>>, release: string) {
  const endpoint = await startMetricsEndpoint()
  const variables = { ...service.env, ...endpoint.env, ...env, SVC_RELEASE: release }
  const { code, stderr } = await runNode([...PRELOAD, app('counted.mjs')], { cwd, env: variables })
  const all = endpoint.series()
  await endpoint.close()
  expect(code, stderr).toBe(0)
  return { all, stderr, spans: service.local.spans().filter(({ attributes }) => attributes['svc.release'] === release) }
}

const named = (all: readonly Series[], name: string) => all.filter((each) => each.name === name)
const countOf = (all: readonly Series[], name: string) => named(all, name).reduce((sum, { count }) => sum + count, 0)

const RELEASED = {
  'gen_ai.client.operation.duration': 4,
  'gen_ai.client.token.usage': 6,
  'gen_ai.client.operation.time_to_first_chunk': 1,
  'gen_ai.invoke_agent.duration': 1,
  'gen_ai.execute_tool.duration': 1,
  'mcp.client.operation.duration': 1,
}

describe('SVC_GENAI_METRICS', () => {
  it('SVC_GENAI_METRICS=true exports over OTLP at the end of the process, with error.type and the buckets of the conventions', async () => {
    const { all } = await exported({}, 'counted')
    for (const [name, count] of Object.entries(RELEASED)) expect([name, countOf(all, name)]).toEqual([name, count])
    const failed = all.filter(({ attributes }) => attributes['error.type'])
    expect(
      failed.map(({ name, attributes }) => [name, attributes['gen_ai.request.model'], attributes['error.type']]),
    ).toEqual([['gen_ai.client.operation.duration', 'error-429', 'RateLimitError']])
    expect(named(all, 'svc.client.cost').map(({ sum }) => sum)).toEqual([0.25])
    const [duration] = named(all, 'gen_ai.client.operation.duration')
    expect(duration).toMatchObject({ unit: 's', scope: '@svc/otel' })
    expect(duration?.boundaries).toEqual([
      ...[0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
    ])
    const names = new Set(all.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => /user|session|conversation/.test(name))).toEqual([])
  })

  it('counts what the sampler drops, and sends none of it', async () => {
    const { all, spans } = await exported({ OTEL_TRACES_SAMPLER: 'always_off' }, 'unsampled')
    for (const [name, count] of Object.entries(RELEASED)) expect([name, countOf(all, name)]).toEqual([name, count])
    expect(spans).toEqual([])
  })

  it('has the names of today with OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental', async () => {
    const { all } = await exported({ OTEL_SEMCONV_STABILITY_OPT_IN: 'http,gen_ai_latest_experimental' }, 'latest')
    expect(new Set(all.map(({ name }) => name))).toEqual(
      new Set([
        ...['gen_ai.client.inference.duration', 'gen_ai.client.inference.time_to_first_chunk'],
        ...[
          'gen_ai.client.inference.time_per_output_chunk',
          'gen_ai.invoke_agent.duration',
          'gen_ai.execute_tool.duration',
        ],
        ...['svc.client.cost', 'mcp.client.operation.duration'],
        ...['input', 'output', 'cache_read.input'].map((kind) => `gen_ai.client.inference.usage.${kind}_tokens`),
        ...['input', 'output'].map((kind) => `gen_ai.client.inference.operation.${kind}_tokens`),
      ]),
    )
    expect(countOf(all, 'gen_ai.client.inference.duration')).toBe(4)
  })

  it('bounds what callers may name: calls of 300 models are 200 time series and one', async () => {
    const { all } = await exported({ MODELS: '300' }, 'many')
    const durations = named(all, 'gen_ai.client.operation.duration')
    expect(countOf(all, 'gen_ai.client.operation.duration')).toBe(304)
    const models = new Set(durations.flatMap(({ attributes }) => attributes['gen_ai.request.model'] ?? []))
    expect([models.size, models.has('_OTHER')]).toEqual([201, true])
  })

  it('counts without keys as well, where nothing is traced', async () => {
    const { all, spans, stderr } = await exported({ SVC_PUBLIC_KEY: '', SVC_SECRET_KEY: '' }, 'counted-only')
    for (const [name, count] of Object.entries(RELEASED)) expect([name, countOf(all, name)]).toEqual([name, count])
    expect(spans).toEqual([])
    expect(stderr).toMatch(/no SVC_PUBLIC_KEY and .*, so nothing is traced, but GenAI metrics are counted\. Set/)
  })

  it('says what to install, or to set, where nothing can be counted', async () => {
    const { stderr } = await exported({ OTEL_METRICS_EXPORTER: 'none' }, 'nowhere')
    expect(stderr).toMatch(/GenAI metrics are not counted: there is no meter provider\. Set OTEL_METRICS_EXPORTER=/)
  })

  it('is off by default: nothing of it is loaded or exported', async () => {
    const { all } = await exported({ SVC_GENAI_METRICS: '' }, 'off')
    expect(all).toEqual([])
  })
})

describe('a scrape of Prometheus', () => {
  let scraped: string
  beforeAll(async () => {
    const OTEL_EXPORTER_PROMETHEUS_PORT = await freePort()
    const env = { ...service.env, SVC_GENAI_METRICS: 'true', OTEL_METRICS_EXPORTER: 'prometheus', STAY: 'true' }
    const process = startNode([...PRELOAD, app('counted.mjs')], {
      cwd,
      env: { ...env, OTEL_EXPORTER_PROMETHEUS_PORT, OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1' },
    })
    await process.printed(/done/)
    const response = await fetch(`http://127.0.0.1:${OTEL_EXPORTER_PROMETHEUS_PORT}/metrics`)
    scraped = await response.text()
    process.kill('SIGTERM')
    expect(await process.ended).toMatchObject({ code: 0 })
  })

  it('has the calls, and the process ends although it could be scraped', () => {
    const counts = [...scraped.matchAll(/^gen_ai_client_operation_duration_count\{.*\} (\d+)$/gm)]
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(4)
  })

  it('has each metric and each label that the dashboard in examples/ asks for', () => {
    const path = fileURLToPath(new URL('../../examples/two-destinations/grafana.json', import.meta.url))
    const { panels } = JSON.parse(readFileSync(path, 'utf8')) as Dashboard
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const wanted = queries.flatMap((query) => query.match(/\b(?:gen_ai|mcp|svc|error|openai)_\w+/g) ?? [])
    expect(wanted.length).toBeGreaterThan(10)
    const there = new Set(scraped.match(/\b[a-z]\w+(?=[{="])/g))
    expect(wanted.filter((name) => !there.has(name))).toEqual([])
  })
})

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}
