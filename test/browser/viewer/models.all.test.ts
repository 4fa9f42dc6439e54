import { describe, expect, it } from 'vitest'
import { type MadeSpan, send, sendAll, traceIdOf } from './traces.ts'
import { complains, local, page, query, usePage } from './use-page.ts'

usePage()

const DAY = 86_400_000
/** 2026-03-02T00:00:00Z */
const MONDAY = Date.UTC(2026, 2, 2)

interface Call {
  readonly model: string
  readonly ms: number
  readonly usage?: Readonly<Record<string, number>>
  readonly dollars?: number
  readonly failed?: string
  readonly environment?: string
}

function call({ model, ms, usage, dollars, failed, environment = 'default' }: Call): MadeSpan {
  return {
    id: 1,
    name: 'answer',
    from: 0,
    to: ms,
    ...(failed === undefined ? {} : { failed }),
    attributes: {
      'svc.observation.type': 'generation',
      'svc.observation.model.name': model,
      'svc.environment': environment,
      ...(usage && { 'svc.observation.usage_details': JSON.stringify(usage) }),
      ...(dollars !== undefined && { 'svc.observation.cost_details': JSON.stringify({ total: dollars }) }),
    },
  }
}

/** One trace for each call, a day apart. */
const sendCalls = (calls: readonly Call[]) =>
  sendAll(
    local,
    calls.map((each, at) => ({ traceId: traceIdOf(at), spans: [call(each)], startedAt: MONDAY + at * DAY })),
  )

const CALLS: readonly Call[] = [
  { model: 'gpt-4.1', ms: 1_000, usage: { input: 900_000, input_cached_tokens: 100_000, output: 500 } },
  { model: 'gpt-4.1', ms: 3_000, usage: { input: 1_000_000, output: 9_460 }, failed: 'rate limited' },
  { model: 'own', ms: 200, dollars: 0.25, environment: 'staging' },
  { model: 'bare', ms: 50 },
]

const table = async () => {
  const rows = await page.getByRole('table', { name: 'Models' }).getByRole('row').all()
  return Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()))
}
const models = async () => (await table()).map(([model]) => model)
const shows = (...expected: string[]) => expect.poll(models).toEqual(expected)
const chart = () => page.getByRole('img').getAttribute('aria-label')

describe('the models page', () => {
  it('has a row for each model with calls, errors, tokens, cost and latency', async () => {
    await sendCalls(CALLS)
    await send(local, traceIdOf(9), [{ id: 1, name: 'no call of a model', from: 0, to: 1 }])
    await page.goto(`${local.url}/models`)
    await shows('gpt-4.1', 'bare', 'own')
    await expect
      .poll(() => table())
      .toEqual([
        ['gpt-4.1', '2', '1', '2.0 M', '10 k', '≈ $3.93', '2.00 s', '2.90 s'],
        ['bare', '1', '0', '', '', '', '50 ms', '50 ms'],
        ['own', '1', '0', '', '', '$0.25', '200 ms', '200 ms'],
      ])
  })

  it('is sorted by the URL, with models that have no such figure last', async () => {
    await sendCalls(CALLS)
    await page.goto(`${local.url}/models`)
    await shows('gpt-4.1', 'bare', 'own')
    await page.getByRole('button', { name: 'Cost' }).click()
    await shows('gpt-4.1', 'own', 'bare')
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Cost' }).getAttribute('aria-sort'))
      .toBe('descending')
    await page.getByRole('button', { name: 'Cost' }).press('Enter')
    await shows('own', 'gpt-4.1', 'bare')
    await query().toBe('?sort=cost&order=asc')
    await page.getByRole('button', { name: 'Model' }).click()
    await page.getByRole('button', { name: 'Model' }).click()
    await shows('bare', 'gpt-4.1', 'own')
    await page.goBack()
    await shows('own', 'gpt-4.1', 'bare')
  })

  it('is filtered by environment, model and time as the list of traces, to which its rows link', async () => {
    await sendCalls(CALLS)
    const to = new Date(MONDAY + 3 * DAY).toISOString()
    await page.goto(`${local.url}/models?to=${to}`)
    await shows('gpt-4.1', 'own')
    await page.getByRole('checkbox', { name: 'staging' }).check()
    await shows('own')
    await page.getByRole('link', { name: 'own' }).click()
    await page.locator('.rows .name > a').waitFor()
    await query().toBe(`?${new URLSearchParams({ to, environment: 'staging', model: 'own' })}`)
    await expect.poll(() => page.locator('.chip').count()).toBe(3)
    await page.goto(`${local.url}/models?model=other`)
    await page.getByRole('heading', { name: 'No call fits' }).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await shows('gpt-4.1', 'bare', 'own')
  })

  it('shows the figure by which it is sorted over time', async () => {
    await sendCalls(CALLS)
    await page.goto(`${local.url}/models`)
    await page.getByRole('img').waitFor()
    await expect.poll(chart).toBe('Calls per day, from 2026-03-02 to 2026-03-05: up to 1')
    await page.getByRole('button', { name: 'Output tokens' }).click()
    await expect.poll(chart).toBe('Output tokens per day, from 2026-03-02 to 2026-03-05: up to 9.5 k')
    await expect
      .poll(() => page.locator('rect title').allTextContents())
      .toEqual(['2026-03-02: 500', '2026-03-03: 9.5 k', '2026-03-04: 0', '2026-03-05: 0'])
    await page.getByRole('button', { name: 'Errors' }).click()
    await expect.poll(chart).toMatch(/^Errors per .*: up to 1$/)
    await expect.poll(() => page.locator('rect').count()).toBe(1)
  })

  it('counts new calls as they arrive', async () => {
    await page.goto(`${local.url}/models`)
    await page.getByRole('heading', { name: 'No model call yet' }).waitFor()
    await sendCalls(CALLS.slice(0, 1))
    await shows('gpt-4.1')
    await sendCalls(CALLS.slice(0, 2))
    await expect.poll(async () => (await table())[0]?.slice(0, 3)).toEqual(['gpt-4.1', '2', '1'])
  })

  it('says what is wrong with its address', async () => {
    await sendCalls(CALLS)
    await page.goto(`${local.url}/models?from=yesterday`)
    await page.getByRole('alert').getByText('fromTimestamp expected a date').first().waitFor()
    await complains(/400/)
  })
})
