import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from './support/ask.ts'
import { linesOfSvc, type RunningApp, startApp } from './support/column.ts'
import { type Caller, drawings } from './support/drawn.ts'
import { type Subscribed, subscribe } from './support/subscribe.ts'
import { tree } from './support/tree.ts'

const COLUMNS = ([11, 12] as const).flatMap((nest) =>
  (['express', 'fastify'] as const).map((adapter) => ({ nest, adapter })),
)
const NOTES = 'subscription { note { text mood } }'
const NOBODY: Caller = { user: 'nobody', session: 'nowhere' }

describe.each(COLUMNS)('GraphQL subscriptions, Nest $nest, $adapter', (column) => {
  let app: RunningApp
  beforeAll(async () => {
    app = await startApp({ ...column, node: '24.21.0', preload: true }, { entry: 'subscriptions.js' })
  })
  afterAll(() => app?.close())

  const callers = (place: string) => ['ada', 'ben'].map((user) => ({ user, session: `${user}-at-${place}` }))
  const ask = (document: string) => query(document)(app, NOBODY)
  const start = (document: string, caller: Caller) => subscribe(app.ports.http, document, caller)
  const post = (text: string) => ask(`mutation { post(text: "${text}") }`)
  const subscribed = async () => ((await ask('{ subscribed }')) as { readonly subscribed: unknown }).subscribed

  /** Subscribes to what is posted. */
  async function listen(document: string, caller: Caller): Promise<Subscribed> {
    const before = await subscribed()
    const listening = await start(document, caller)
    while ((await subscribed()) === before);
    return listening
  }

  const nextOf = (all: readonly Subscribed[]) => Promise.all(all.map((each) => each.next()))

  async function expectTraces(caller: Caller, ...traces: readonly string[]) {
    const { local } = app.service
    const expected = [...traces].sort()
    // The spans of one trace may arrive in two batches.
    await local.waitFor(() => isDeepStrictEqual(drawings(local)(caller), expected)).catch(() => undefined)
    expect(drawings(local)(caller)).toEqual(expected)
  }

  it('have one trace for each event, with its user', async () => {
    const [ada, ben] = callers('notes') as [Caller, Caller]
    const all = [await listen(NOTES, ada), await listen(NOTES, ben)]
    for (const text of ['first', 'second']) {
      await post(text)
      const note = { text, mood: `${text} in blue` }
      expect(await nextOf(all)).toEqual([{ data: { note } }, { data: { note } }])
    }
    for (const each of all) await each.close()
    const event = tree('NotesResolver.note', 'field')
    for (const caller of [ada, ben]) await expectTraces(caller, event, event)
    const { local } = app.service
    const [root] = local.observations(({ name, userId }) => name === 'NotesResolver.note' && userId === 'ada')
    expect(root).toMatchObject({ isRoot: true, output: { text: 'first' } })
  })

  it('keep their user if the last event comes after the client has disconnected', async () => {
    const [ada] = callers('leaving') as [Caller]
    const note = await listen(NOTES, ada)
    await post('heard')
    await note.next()
    await note.close()
    await post('missed')
    const event = tree('NotesResolver.note', 'field')
    await expectTraces(ada, event, event)
  })

  it("have no trace of filtered events, and one of the handler's earlier work", async () => {
    const [ada] = callers('filter') as [Caller]
    const loud = await listen('subscription Loud { loud { text } }', ada)
    for (const text of ['whispered', 'loud enough']) await post(text)
    expect(await loud.next()).toEqual({ data: { loud: { text: 'loud enough' } } })
    await loud.close()
    await expectTraces(ada, tree('NotesResolver.loud', 'subscribe'), tree('NotesResolver.loud', 'resolve'))
    const all = app.service.local.observations(({ sessionId }) => sessionId === ada.session)
    expect(new Set(all.map(({ traceName }) => traceName))).toEqual(new Set(['Loud']))
  })

  it("have a generator's work for an event in the trace of that event, and its error in a separate one", async () => {
    const all = callers('countdown')
    await Promise.all(
      all.map(async (caller) => {
        const countdown = await start('subscription { countdown(from: "2") { text mood } }', caller)
        for (const text of ['2', '1']) {
          expect(await countdown.next()).toEqual({ data: { countdown: { text, mood: `${text} in blue` } } })
        }
        await countdown.close()
      }),
    )
    for (const caller of all) {
      await expectTraces(
        caller,
        tree('NotesResolver.countdown', 'count 2', 'field'),
        tree('NotesResolver.countdown', 'count 1', 'field'),
        'NotesResolver.countdown ERROR',
      )
    }
    const { local } = app.service
    const failed = local.observations(({ level }) => level === 'ERROR')
    expect(failed.map(({ statusMessage }) => statusMessage)).toEqual(['lift-off failed', 'lift-off failed'])
  })

  it('are not recorded with @SkipSvc', async () => {
    const [ada] = callers('skipped') as [Caller]
    const skipped = await listen('subscription { skipped { text mood } }', ada)
    await post('unseen')
    expect(await skipped.next()).toEqual({ data: { skipped: { text: 'unseen', mood: 'unseen in blue' } } })
    await skipped.close()
  })

  it('cause no aborted requests and no warnings', async () => {
    const { local } = app.service
    app.program.kill('SIGTERM')
    const { stdout, stderr } = await app.program.ended
    expect([linesOfSvc(stdout), stderr]).toEqual([[], ''])
    const others = local.observations(({ name }) => !/^NotesResolver.(note|loud|countdown)$/.test(name))
    const queries = /^NotesResolver.(subscribed|post)$/
    const names = others.filter(({ isRoot, name }) => isRoot && !queries.test(name)).map(({ name }) => name)
    // Of the handler that is not observed: its work has no user.
    expect(names).toEqual(['field'])
    expect(local.observations(({ level }) => level === 'WARNING')).toEqual([])
  })
})
