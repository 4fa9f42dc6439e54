import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { planOf } from './plan.ts'
import type { StartOptions } from './start-options.ts'

const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' }

function plan(variables: Record<string, string>, options: StartOptions = {}) {
  const lines: string[] = []
  return { lines, plan: planOf(options, environmentOf(variables), (line) => lines.push(line)) }
}

describe('planOf', () => {
  it('requires keys and names the missing ones', () => {
    expect(plan({ SVC_PUBLIC_KEY: 'pk' })).toEqual({
      plan: undefined,
      lines: [expect.stringMatching(/^no SVC_SECRET_KEY, so nothing is traced\. Set SVC_SECRET_KEY, or/)],
    })
  })

  it('says how a .env file is read in time, unless a framework reads it', () => {
    expect(plan({}).lines).toEqual([
      'no SVC_PUBLIC_KEY and no SVC_SECRET_KEY, so nothing is traced. Set SVC_PUBLIC_KEY and SVC_SECRET_KEY, or ' +
        'SVC_TRACING_ENABLED=false to silence this. A .env file is read by node --env-file=.env; dotenv is too late.',
    ])
    expect(plan({}, { owner: '@svc/next' }).lines.join()).toMatch(/to silence this\.$/)
  })

  it('requires no keys with another authorization', () => {
    const { plan: made, lines } = plan({ SVC_ADDITIONAL_HEADERS: 'authorization=Bearer%20x' })
    expect({ sends: made?.sends, lines }).toEqual({ sends: true, lines: [] })
  })

  it('requires no keys for a second destination, with a warning about the service', () => {
    const { plan: made, lines } = plan({ OTEL_TRACES_EXPORTER: 'console' })
    expect(made).toMatchObject({ sends: false, second: true })
    expect(lines).toHaveLength(1)
  })

  it.each([{ SVC_TRACING_ENABLED: 'false' }, { OTEL_SDK_DISABLED: 'true' }])(
    'ends with %j without any output',
    (off) => {
      expect(plan({ ...off, SVC_TIMEOUT: 'soon' })).toEqual({ plan: undefined, lines: [] })
    },
  )

  it.each([
    [{}, 1],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, 0],
  ])('says that a ratio has no effect with the sampler of %j in %i lines', (sampler, count) => {
    const { lines } = plan({ ...keys, ...sampler, OTEL_TRACES_SAMPLER_ARG: '0.1' })
    const said = 'OTEL_TRACES_SAMPLER_ARG has no effect: set OTEL_TRACES_SAMPLER=parentbased_traceidratio as well.'
    expect(lines).toEqual(Array(count).fill(said))
  })

  it.each([
    [{}, {}, true, ''],
    [{ SVC_BASE_URL: 'http://localhost:3939' }, {}, true, ''],
    [
      { SVC_BASE_URL: 'https://svc.example.com' },
      {},
      false,
      'is only for this machine, and spans go to https://svc.example.com',
    ],
    [{ OTEL_TRACES_EXPORTER: 'console' }, {}, false, 'is only for this machine, and spans go to a second destination'],
    [{}, { exporter: {} as never }, false, 'is only for this machine, and spans go to an exporter'],
    [{}, { mask: () => '' }, false, 'goes with no mask'],
  ])('keeps raw answers on this machine only: %j %j', (variables, options, raw, reason) => {
    const { plan: made, lines } = plan({ ...keys, SVC_RECORD: 'raw', ...variables }, options)
    expect(made?.raw).toBe(raw)
    expect(lines).toEqual(raw ? [] : [`SVC_RECORD=raw ${reason}. Answers are not kept as they came.`])
  })

  it('prefers an option to the config file, unless it is undefined', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'svc-plan-')), 'config.cjs')
    writeFileSync(file, 'module.exports = { release: "file", mask: () => "***" }')
    const { plan: made } = plan({ ...keys, SVC_CONFIG_FILE: file }, { release: 'code', mask: undefined })
    expect(made?.params).toMatchObject({ release: 'code', mask: expect.any(Function) })
  })
})
