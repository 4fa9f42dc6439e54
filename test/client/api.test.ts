import { SvcAPIError } from '@svc/client'
import { describe, expect, it } from 'vitest'
import { CONTRACT, type ContractRow, idsOf, methodOf, queryOf } from './api-contract.ts'
import { useBench } from './api-support.ts'

const bench = useBench()

const ID = 'an id/with ünusual#signs?'
const idFor = (name: string): string | number => (/version$/i.test(name) ? 3 : ID)
const filled = (row: ContractRow) =>
  row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idFor(name)))

/** Ids and request of a row, as a caller says them. */
function argumentsOf(row: ContractRow): unknown[] {
  const ids = idsOf(row).map(idFor)
  if (row.query) return [...ids, queryOf(row).given]
  if (row.body) return [...ids, bodyOf(row)]
  return ids
}

const bodyOf = ({ call }: ContractRow) => (call === 'scores.create' ? [{ name: 'n', value: 1 }] : { sample: [call] })

const intake = (row: ContractRow) => row.path.startsWith('/api/public/otel/')

it('the API has 106 methods, 41 of them with an empty request parameter', () => {
  const { api } = bench.client()
  const methods = namesIn(api)
  expect(CONTRACT).toHaveLength(106)
  expect(methods.toSorted()).toEqual(CONTRACT.map(({ call }) => call).toSorted())
  expect(CONTRACT.filter(({ placeholder }) => placeholder)).toHaveLength(41)
})

describe('an API call has the method, path, query, body and response of the contract:', () => {
  it.each(CONTRACT)('$call', async (row) => {
    const { local } = bench
    const answer = { answered: row.call, data: [] }
    const planned = local.respond(`${row.http} ${row.path}`, { status: 200, body: answer })
    expect(await methodOf(bench.client().api, row.call)(...argumentsOf(row))).toEqual(answer)
    expect(planned.count()).toBe(1)
    const call = intake(row) ? local.requests().at(-1) : local.calls().at(-1)
    expect(call).toMatchObject({ method: row.http, path: filled(row) })
    const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
    const ours = { 'x-svc-sdk-name': 'javascript', 'x-svc-sdk-version': '6.0.0', 'x-svc-public-key': local.publicKey }
    const type = row.body ? { 'content-type': 'application/json' } : {}
    expect(call?.headers).toMatchObject({ authorization, ...ours, ...type })
    if (!intake(row)) {
      expect(call).toMatchObject({ query: queryOf(row).onTheWire })
      expect(call).toHaveProperty('body', row.body ? bodyOf(row) : undefined)
    }
  })
})

describe('request options follow the request parameter, also an empty one:', () => {
  it.each(CONTRACT)('$call', async (row) => {
    const { local } = bench
    local.respond(`${row.http} ${row.path}`, { status: 200, body: {}, times: 2 })
    const method = methodOf(bench.client().api, row.call)
    const options = { headers: { 'X-Asked-By': 'a test' }, maxRetries: 0, timeoutInSeconds: 30 }
    const args = argumentsOf(row)
    const slot = row.query || row.body ? [] : [{}]
    await method(...args, ...slot, options)
    const last = () => (intake(row) ? local.requests() : local.calls()).at(-1)?.headers['x-asked-by']
    expect(last()).toBe('a test')
    // In plain JavaScript, options in the place of the request are ignored where a request is.
    if (slot.length > 0) {
      await method(...args, options)
      expect(last()).toBeUndefined()
    }
  })
})

describe('the local service supports each API call, or responds with 501:', () => {
  it.each(CONTRACT)('$call', async (row) => {
    const call = methodOf(bench.client().api, row.call)(...argumentsOf(row), ...(row.query || row.body ? [] : [{}]), {
      maxRetries: 0,
    })
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) return
    // Nonsense ids are not found, nonsense bodies are refused: but by the endpoint that was meant.
    expect(error).toBeInstanceOf(SvcAPIError)
    const { statusCode, message } = error as SvcAPIError
    expect(message).toMatch(`${row.http} /api/public`)
    if (statusCode === 501) expect(message).toContain(`${row.call} is not part of svc-local`)
    else expect([400, 404]).toContain(statusCode)
  })
})

/** Names of all methods below. */
function namesIn(api: object, before = ''): string[] {
  return Object.entries(api).flatMap(([name, value]) =>
    typeof value === 'function' ? [`${before}${name}`] : namesIn(value, `${before}${name}.`),
  )
}
