import { expect, it } from 'vitest'
import { HOST, useProxy } from '../support/network.ts'
import { startSpans, useIntake } from '../support/spans.ts'

const PLAN = { make: { spans: 1 }, end: 'naturally' } as const
/** This machine, by an address that is none of loopback. */
const HERE = '0.0.0.0'

/** The number of requests to the proxy, and of spans that arrived. */
async function way(host: string, env: (port: number) => Readonly<Record<string, string>>) {
  const intake = await useIntake()
  const proxy = await useProxy({ to: intake.port })
  const url = `http://${host}:${intake.port}`
  await startSpans({ url }, PLAN, { HTTP_PROXY: proxy.url(), ...env(intake.port) }).ended
  return { byProxy: proxy.requests.length > 0, arrived: intake.taken.size }
}

it('NO_PROXY unset sends everything except loopback through the proxy', async () => {
  expect(await way(HERE, () => ({}))).toEqual({ byProxy: true, arrived: 1 })
})

it.each(['NO_PROXY', 'no_proxy'])('NO_PROXY as %s lists hosts that are reached without a proxy', async (name) => {
  expect(await way(HERE, () => ({ [name]: `other.test, ${HERE}` }))).toEqual({ byProxy: false, arrived: 1 })
})

it('NO_PROXY may have a port', async () => {
  expect(await way(HERE, (port) => ({ NO_PROXY: `${HERE}:${port}` }))).toEqual({ byProxy: false, arrived: 1 })
  expect(await way(HERE, (port) => ({ NO_PROXY: `${HERE}:${port + 1}` }))).toEqual({ byProxy: true, arrived: 1 })
})

it('NO_PROXY may be * for all hosts', async () => {
  expect(await way(HERE, () => ({ NO_PROXY: '*' }))).toEqual({ byProxy: false, arrived: 1 })
})

// Without the proxy the host cannot be found: only the absence of a request to the proxy can be checked.
it.each(['svc.test', '.svc.test', '.test', '*.test', 'SVC.TEST'])('NO_PROXY=%s matches the host', async (pattern) => {
  expect(await way(HOST, () => ({ NO_PROXY: pattern }))).toEqual({ byProxy: false, arrived: 0 })
})

it.each(['vc.test', 'other.test', 'svc.test.example', 'svc'])(
  'NO_PROXY=%s does not match the host',
  async (pattern) => {
    expect(await way(HOST, () => ({ NO_PROXY: pattern }))).toEqual({ byProxy: true, arrived: 1 })
  },
)

it('no_proxy in lower case wins over NO_PROXY', async () => {
  expect(await way(HERE, () => ({ no_proxy: 'other.test', NO_PROXY: '*' }))).toEqual({ byProxy: true, arrived: 1 })
})
