import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../apps/free-port.ts'
import { startNode } from '../support/run.ts'
import { app, cwd, PRELOAD } from './apps.ts'
import { countOf, named, RELEASED, useCounted } from './counted.ts'

const { service, exported } = useCounted()

describe('SVC_GENAI_METRICS', () => {
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

  // Behind process.exit() and an uncaught error no promise goes on, and OpenTelemetry's readers collect by promises.
  it.each([
    ['flush and process.exit', 3, 4],
    ['process.exit', 3, 0],
    ['an error', 1, 0],
    ['SIGTERM', 'SIGTERM', 4],
  ])('at an end by %s, which is %s, the last %i calls are exported', async (END, end, count) => {
    const { all, spans } = await exported({ END }, END, end)
    expect(countOf(all, 'gen_ai.client.operation.duration')).toBe(count)
    expect(spans.length).toBeGreaterThan(4)
  })

  it('counts without keys as well, where nothing is traced', async () => {
    const { all, spans, stderr } = await exported({ SVC_PUBLIC_KEY: '', SVC_SECRET_KEY: '' }, 'counted-only')
    for (const [name, count] of Object.entries(RELEASED)) expect([name, countOf(all, name)]).toEqual([name, count])
    expect(spans).toEqual([])
    expect(stderr).toMatch(/no SVC_PUBLIC_KEY and .*, so nothing is traced, but GenAI metrics are counted\. Set/)
  })
})

describe('a scrape of Prometheus', () => {
  let scraped: string
  beforeAll(async () => {
    const OTEL_EXPORTER_PROMETHEUS_PORT = await freePort()
    const env = { ...service().env, SVC_GENAI_METRICS: 'true', OTEL_METRICS_EXPORTER: 'prometheus', STAY: 'true' }
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
