import { type LocalService, renderTrace } from '@svc/local'
import { startModelServer } from '@svc-examples/model-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BROWSER_TIMEOUT, complaintsOf, openBrowser } from '../support/browser.ts'
import { type Program, startNode } from '../support/run.ts'
import { startPatient } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('next-chat')
const STORY = 'Tell me a story about the sea.'

/** What is typed before React has taken the page over is lost. */
const HYDRATED = "Object.keys(document.querySelector('form')).some((key) => key.startsWith('__reactProps'))"

/** Next has built the app and serves it. */
const listening = async (app: Program) => (await app.printed(/Local: +(http:\S+)/))[1] ?? ''

describe('examples/next-chat', () => {
  let local: LocalService
  let models: Awaited<ReturnType<typeof startModelServer>>
  let app: Program
  let url: string
  let browser: Browser
  /** What the model waits for in the middle of a story. */
  let middle: Promise<void> | undefined

  beforeAll(async () => {
    local = await startPatient()
    models = await startModelServer({ pause: (chunk) => (chunk === 20 ? middle : undefined) })
    const env = { OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'none', SVC_FLUSH_INTERVAL: '0.2', PORT: '0' }
    app = startNode(args, { cwd: folder, env: { ...local.env, ...env } })
    browser = await openBrowser()
    url = await listening(app)
  }, BROWSER_TIMEOUT)
  afterAll(async () => {
    await browser?.close()
    app?.kill('SIGTERM')
    await Promise.all([app?.ended, local?.close(), models?.close()])
  })

  /** Opens the page for a visitor with that session, or for a new one. */
  async function visit(known?: string) {
    const context = await browser.newContext()
    if (known) await context.addCookies([{ name: 'session', value: known, url }])
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await page.goto(url)
    await page.waitForFunction(HYDRATED)
    const [cookie] = await context.cookies()
    return { context, page, complaints, session: cookie?.value ?? '' }
  }

  const traceOf = (name: string, session: string) =>
    local.waitForTrace((trace) => trace.name === name && trace.sessionId === session)

  /** Asks, and sees the model stop in the middle of its answer until `goOn` is called. */
  async function askForHalfAStory(page: Page) {
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    middle = promise
    await page.getByLabel('Question').fill(STORY)
    await page.getByRole('button', { name: 'Ask' }).click()
    const answer = page.locator('.assistant')
    await answer.getByText(/^Once there was .* Every evening it$/).waitFor()
    expect(await answer.getAttribute('aria-busy')).toBe('true')
    return { answer, goOn }
  }

  it('streams a response, and feedback becomes a score of the trace shown in its README', async () => {
    const [, known] = /session (\w+)/.exec(promised) ?? []
    const { context, page, complaints, session } = await visit(known)
    const { answer, goOn } = await askForHalfAStory(page)
    goOn()
    await answer.getByText('went to bed').waitFor()
    await page.getByRole('button', { name: 'Good answer' }).click()
    await page.getByText('Thank you').waitFor()
    const trace = await traceOf('chat', session)
    expect(timeless(renderTrace(trace))).toBe(timeless(promised))
    expect(trace.observations[0]?.output).toBe(await answer.locator('p').textContent())
    expect(local.scores()).toMatchObject([{ name: 'user-feedback', value: 1, traceId: trace.traceId }])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('records a stopped response as far as it was read, as a warning, for an anonymous visitor', async () => {
    const { context, page, complaints, session } = await visit()
    const { answer, goOn } = await askForHalfAStory(page)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Ask' }).waitFor()
    const trace = await traceOf('chat', session)
    goOn()
    expect(trace.userId).toBe(`guest-${session.slice(0, 4)}`)
    expect(trace.observations[0]).toMatchObject({ level: 'WARNING', output: await answer.locator('p').textContent() })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('records the page and its action as traces of the same visitor', async () => {
    const { context, page, session } = await visit()
    middle = undefined
    await page.getByRole('button', { name: 'Who was Ada Lovelace?' }).click()
    await page.getByRole('heading', { name: 'You asked' }).waitFor()
    for (const name of ['suggestions', 'name-chat']) {
      expect(await traceOf(name, session)).toMatchObject({ userId: `guest-${session.slice(0, 4)}` })
    }
    await context.close()
  })
})

it('examples/next-chat starts a local service and model if none are configured', async () => {
  const app = startNode(args, { cwd: folder })
  const [, service] = await app.printed(/The traces: (http:\S+)/)
  const [, model] = await app.printed(/The model: (http:\S+)/)
  const answers = await Promise.all([fetch(new URL('/api/public/health', service)), fetch(`${model}/v1/models`)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  app.kill('SIGTERM')
  await app.ended
})
