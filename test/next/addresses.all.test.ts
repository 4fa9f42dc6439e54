import { readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { build, folderOf, start } from './app.ts'
import { Visitor } from './cases/visitor.ts'
import { drawn } from './drawn.ts'

// A fourth application, whose addresses differ from the names of their files in every way: a base path, a slash at the
// end, languages of the Pages Router and of a parameter, rewrites.
interface Asked {
  readonly path: string
  /** The name of the file; undefined where nothing is recorded. */
  readonly route?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default GET. */
  readonly method?: string
  /** What the root says after its name. Default: nothing */
  readonly notes?: string
  /** How many model calls there are in it. Default 1. */
  readonly times?: number
}

/** Bytes that are no ASCII, which `node:http` sends as they are. */
const RAW = Buffer.from('café').toString('latin1')

const ROUTES = ['bare', 'svc'].flatMap((how): Asked[] => [
  { path: `/shop/api/${how}/opt/`, route: '/api/[how]/opt/[[...path]]' },
  { path: `/shop/api/${how}/opt/a/b/`, route: '/api/[how]/opt/[[...path]]' },
  { path: `/shop/api/${how}/opt/a%2Fb/%E2%82%AC/?a=%zz`, route: '/api/[how]/opt/[[...path]]' },
  { path: `/shop/api/${how}/u/items/items/`, route: '/api/[how]/u/[id]/items' },
  { path: `/shop/api/${how}/u/a%20b%2Fc/items/`, route: '/api/[how]/u/[id]/items' },
  { path: `/shop/api/${how}/u/%E2%82%AC/items/`, route: '/api/[how]/u/[id]/items' },
  { path: `/shop/api/${how}/u/x/items`, route: '/api/[how]/u/[id]/items' },
  { path: `/shop/api/${how}/u/${RAW}/items/` },
  { path: `/shop/api/${how}/u/%zz/items/` },
  { path: `/shop/api/${how}/u/%E9/items/` },
])

const PAGES: readonly Asked[] = [
  { path: '/shop/asked/7/', route: '/api/[how]/u/[id]/items' },
  { path: '/shop/read/7/', route: '/old/[id]' },
  { path: '/shop/de/read/7/', route: '/old/[id]' },
  { path: '/elsewhere/health/' },
  { path: '/shop/old/7/', route: '/old/[id]' },
  { path: '/shop/de/old/7/', route: '/old/[id]' },
  { path: '/shop/en/old/a%2Fb/', route: '/old/[id]' },
  { path: '/shop/old/%E2%82%AC/', route: '/old/[id]' },
  { path: `/shop/old/${RAW}/` },
  { path: '/shop/old/%zz/' },
  { path: '/shop/_next/data/BUILD/de/old/7.json', headers: { 'x-nextjs-data': '1' }, route: '/old/[id]' },
  { path: '/shop/api/old/', route: '/api/old' },
  { path: '/shop/fr/about/', route: '/[lang]/about' },
  { path: '/shop/%E2%82%AC/about/', route: '/[lang]/about' },
  { path: '/shop/fr%2Fx/about/', route: '/[lang]/about' },
  { path: '/shop/de/about/' },
  { path: '/shop/feed/', route: '/feed', times: 2 },
]

const MORE = '/api/[how]/more/[what]'
/** Ways to answer, by the name of each, with what its root says then. */
const WAYS: Readonly<Record<string, Pick<Asked, 'notes' | 'times'>>> = {
  moves: {},
  'moves-for-good': {},
  'is-missing': {},
  throws: { notes: ' (ERROR it broke)' },
  'sets-a-cookie': {},
  connects: {},
  'works-later': { times: 2 },
  'fails-later': {},
  breaks: { notes: ' (ERROR the stream broke)' },
  'has-no-body': {},
}
const ANSWERS = ['bare', 'svc'].flatMap((how): Asked[] => [
  ...Object.entries(WAYS).map(([what, more]) => ({ path: `/shop/api/${how}/more/${what}/`, route: MORE, ...more })),
  { path: `/shop/api/${how}/more/connects/`, method: 'HEAD', route: MORE },
  { path: `/shop/api/${how}/more/connects/`, method: 'OPTIONS' },
  { path: `/shop/api/${how}/more/connects/`, method: 'DELETE' },
  // What it keeps belongs to nobody.
  { path: `/shop/api/${how}/more/keeps/`, ...(how === 'svc' && { route: MORE, times: 0 }) },
])
const ASKED = [...ROUTES, ...PAGES, ...ANSWERS]

/** Without us, with us, and with us beside the spans of Next. */
const STARTS = {
  bare: { TEST_INSTRUMENTATION: 'none' },
  ours: {},
  beside: { TEST_OPTIONS: '{"nextSpans":"keep"}' },
}
type Started = keyof typeof STARTS
type Answered = Awaited<ReturnType<typeof answer>> & { readonly user: string; readonly session: string }

let service: Service
const answered = {} as Record<Started, Answered[]>
beforeAll(async () => {
  service = await startService()
  rmSync(folderOf('address-app', '.next'), { recursive: true, force: true })
  const env = { ...service.env, TEST_ELSEWHERE: `${service.local.url}/api/public` }
  const { code, stdout, stderr } = await build('address-app', env)
  expect(code, stdout + stderr).toBe(0)
  for (const [how, more] of Object.entries(STARTS)) answered[how as Started] = await answersOf(more)
}, 900_000)
afterAll(() => service?.close())

async function answersOf(more: Readonly<Record<string, string>>): Promise<Answered[]> {
  const app = await start(service, { app: 'address-app', env: more })
  const id = readFileSync(folderOf('address-app', '.next/BUILD_ID'), 'utf8')
  const answers: Answered[] = []
  for (const { path, headers, method = 'GET' } of ASKED) {
    const visitor = new Visitor(app)
    const sent = { ...headers, cookie: visitor.cookie }
    const { user, session } = visitor
    answers.push({ ...(await answer(app.url, path.replace('BUILD', id), method, sent)), user, session })
  }
  expect(await app.stop()).toMatchObject({ code: 143, signal: null })
  return answers
}

/** What a client sees that follows redirects, as `fetch` does, which would encode the address. */
async function answer(
  url: string,
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ text: string; hops: readonly unknown[] }> {
  const { hostname: host, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({ host, port, path, method, headers }, resolve).on('error', reject).end()
  const response = await promise
  const { statusCode, headers: told } = response
  let text = ''
  try {
    for await (const piece of response) text += piece
  } catch (error) {
    text += error
  }
  const hop = [statusCode, told.location, told['content-type'], told['cache-control'], told['set-cookie'], told.allow]
  const next = statusCode === 307 || statusCode === 308 ? told.location : undefined
  if (next === undefined) return { text, hops: [hop] }
  const last = await answer(url, next, method, headers)
  return { ...last, hops: [hop, ...last.hops] }
}

const cases = ASKED.map((asked, at) => ({
  ...asked,
  at,
  title: `${asked.method ?? 'GET'} ${Buffer.from(asked.path, 'latin1')}`,
}))

describe.each(cases)('$title', ({ at, method = 'GET', notes = '', route, times = 1 }) => {
  it('is answered as without us', () => {
    const [bare, ...others] = Object.keys(STARTS).map((how) => {
      const { text, hops } = answered[how as Started][at] as Answered
      return { text, hops }
    })
    expect(others).toEqual([bare, bare])
  })

  it(`is ${route ?? 'nothing'}, of its visitor`, () => {
    const { user, session } = answered.ours[at] as Answered
    const tree =
      route === undefined ? '' : [`${method} ${route}${notes}`, ...Array(times).fill('  chat gpt-test')].join('\n')
    expect(drawn(service.local, user)).toBe(tree)
    const spans = spansOf(user)
    for (const { attributes } of spans) expect(attributes['session.id']).toBe(session)
    expect(spans.find(({ parentSpanId }) => parentSpanId === null)?.attributes['http.route']).toBe(route)
  })

  it("is what Next's own span says", () => {
    const spans = spansOf((answered.beside[at] as Answered).user)
    const routesOf = (some: typeof spans) => some.flatMap(({ attributes }) => attributes['http.route'] ?? [])
    const theirs = routesOf(spans.filter(({ scope }) => scope.name === 'next.js'))
    const roots = routesOf(spans.filter(({ parentSpanId }) => parentSpanId === null))
    expect(roots).toEqual(expect.arrayContaining(theirs))
    if (route !== undefined) expect(theirs).toContain(route)
  })
})

const spansOf = (user: string) => service.local.spans().filter(({ attributes }) => attributes['user.id'] === user)
