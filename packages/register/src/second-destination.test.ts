import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasSecondDestination } from '@svc/core/second-destination'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { resourceOf } from './resource.ts'
import { canServeMetrics, canServeSecond, standardSpanProcessors } from './second-destination.ts'
import { standardMeters } from './standard-meters.ts'

const none = { tracesExporter: [], otlpEndpoint: undefined, baseUrl: 'https://svc.example' }

describe('a second destination', () => {
  it.each([
    [{}, false],
    [{ tracesExporter: ['console'] }, true],
    [{ tracesExporter: ['otlp'] }, true],
    [{ otlpEndpoint: 'http://collector:4318' }, true],
    [{ otlpEndpoint: 'http://collector:4318', tracesExporter: ['none'] }, false],
    [{ otlpEndpoint: 'https://svc.example/api/public/otel' }, false],
    [{ otlpEndpoint: 'https://svc.example/api/public/otel', tracesExporter: ['console'] }, true],
    [{ otlpEndpoint: 'https://svc.example/api/public/otel', baseUrl: undefined }, true],
  ])('with %j is %s', (given, expected) => {
    expect(hasSecondDestination({ ...none, ...given }, () => {})).toBe(expected)
  })

  it('that is the service itself is reported with the remedy', () => {
    const lines: string[] = []
    hasSecondDestination({ ...none, otlpEndpoint: 'https://svc.example/api/public/otel' }, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringMatching(/OTEL_EXPORTER_OTLP_ENDPOINT points at svc itself.*Unset it/)])
  })
})

describe('the span processors of sdk-node', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are found at their expected location', () => {
    vi.stubEnv('OTEL_TRACES_EXPORTER', 'console,otlp')
    const names = standardSpanProcessors().map((processor) => processor.constructor.name)
    expect(names).toEqual(['SimpleSpanProcessor', 'BatchSpanProcessor'])
  })

  it('have meters beside them, made by functions at the same place', async () => {
    const meters = standardMeters(['otlp', 'console'], resourceOf({}, 'app'))
    expect(meters.getMeter('m').createCounter('c')).toBeDefined()
    await meters.shutdown()
  })
})

describe('the package for metrics', () => {
  it('that is missing is named with the command that installs it', () => {
    const reported: string[] = []
    expect(
      canServeMetrics(
        (line) => reported.push(line),
        () => undefined,
      ),
    ).toBe(false)
    expect(reported).toEqual([
      expect.stringMatching(/^OTEL_METRICS_EXPORTER needs .*: npm i @opentelemetry\/sdk-node@latest$/),
    ])
  })
})

describe('the packages for a second destination', () => {
  const everywhere = (name: string) => `/app/node_modules/${name}/index.js`
  const nowhere = () => undefined
  const withoutCatalogue = (name: string) => (name.includes('auto') ? undefined : everywhere(name))

  it.each<[what: string, sends: boolean, find: (name: string) => string | undefined, lines: RegExp[], served: boolean]>(
    [
      ['all', true, everywhere, [], true],
      [
        'no catalogue',
        true,
        withoutCatalogue,
        [/no spans of OpenTelemetry's.*: npm i \S+auto-instrumentations-node$/],
        true,
      ],
      ['none', true, nowhere, [/go to svc alone: npm i \S+sdk-node \S+auto-instrumentations-node$/], false],
      ['none, and no keys', false, nowhere, [/nothing is traced: npm i /], false],
    ],
  )('%s', (_, sends, find, lines, served) => {
    const reported: string[] = []
    const isServed = canServeSecond(sends, (line) => reported.push(line), find)
    expect({ isServed, reported }).toEqual({
      isServed: served,
      reported: lines.map((line) => expect.stringMatching(line)),
    })
  })

  it('of OpenTelemetry 1 are not used, because its exporters lose parents and scopes', () => {
    const home = mkdtempSync(join(tmpdir(), 'svc-second-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const find = (name: string) => {
      const folder = join(home, 'node_modules', name)
      mkdirSync(join(folder, 'build'), { recursive: true })
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '0.57.2' }))
      return join(folder, 'build/index.js')
    }
    const reported: string[] = []
    expect(canServeSecond(true, (line) => reported.push(line), find)).toBe(false)
    expect(reported).toEqual([
      expect.stringMatching(
        /needs OpenTelemetry 2 or 3, but \S+sdk-node is 0\.57\.2, so .* svc alone: npm i .*@latest/,
      ),
    ])
  })
})
