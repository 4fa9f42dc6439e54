import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LocalService, startLocal } from '@svc/local'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../../packages/local/test/support/api.ts'
import { BROWSER_TIMEOUT, openBrowser } from '../support/browser.ts'

// A page of a stranger in the developer's browser, in which the page of the service is open. Its origin is another port:
// of the same site as the service under the name localhost, and of another site under 127.0.0.1.
let browser: Browser
let stranger: Server
let local: LocalService
let page: Page
let context: BrowserContext
beforeAll(async () => {
  browser = await openBrowser()
  stranger = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  }).listen(0, '127.0.0.1')
}, BROWSER_TIMEOUT)
afterAll(async () => {
  await browser?.close()
  stranger?.close()
})
beforeEach(async () => {
  local = await startLocal({ playground: { openai: { apiKey: 'sk-nobodys', baseUrl: 'http://127.0.0.1:1' } } })
  await call(local, 'POST /v2/prompts', { name: 'greeting', type: 'text', prompt: 'mine', labels: ['production'] })
})
afterEach(async () => {
  await context.close()
  await local.close()
})

const strangers = () => `http://localhost:${(stranger.address() as AddressInfo).port}/`
const PORT = () => new URL(local.url).port
const SERVICES = ['127.0.0.1', 'localhost'] as const

/** Opens the page of the service under a name, and then the stranger's, whose name is localhost. */
async function visit(host: string): Promise<void> {
  context = await browser.newContext()
  page = await context.newPage()
  await page.goto(local.pageUrl.replace('127.0.0.1', host))
  expect(await page.title()).toBe('svc-local')
  await page.goto(strangers())
}

/** What the service has afterwards. */
async function untouched(): Promise<void> {
  const { body } = await call(local, 'GET /v2/prompts/greeting')
  expect(body).toMatchObject({ prompt: 'mine', version: 1 })
  expect(local.scores()).toEqual([])
  expect(local.count()).toBe(0)
  expect((await call(local, 'GET /v2/prompts')).body.data).toHaveLength(1)
  expect((await call(local, 'GET /models?limit=1')).body.data[0].isSvcManaged).toBe(true)
}

const PROMPT = JSON.stringify({ name: 'greeting', type: 'text', prompt: 'theirs', labels: ['production'] })
const WRITES = [
  ['/v2/prompts', PROMPT],
  ['/scores', '{"name":"n","value":1,"traceId":"t"}'],
  ['/models', '{"modelName":"m","matchPattern":"m","inputPrice":1}'],
  [
    '/otel/v1/traces',
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${'a'.repeat(32)}","spanId":"${'1'.repeat(16)}"}]}]}]}`,
  ],
] as const

describe.each(SERVICES)('a page of another origin, with the service at %s', (host) => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'writes nothing by a form of %s, whose address has the keys',
    async (enctype) => {
      await visit(host)
      for (const [path, body] of WRITES.slice(0, 2)) {
        for (const keys of ['', 'pk-svc-local:sk-svc-local@']) {
          const tab = await context.newPage()
          await tab.goto(strangers())
          // Chromium hangs if a tab is closed before it has loaded the answer.
          const answered = Promise.race([
            tab.waitForEvent('framenavigated', (frame) => frame.url().endsWith(path)),
            tab.waitForEvent('requestfailed', (request) => request.url().endsWith(path)),
          ])
          await tab.evaluate(`{
            const form = Object.assign(document.createElement('form'), { method: 'POST' })
            form.enctype = ${JSON.stringify(enctype)}
            form.action = ${JSON.stringify(`http://${keys}${host}:${PORT()}/api/public${path}`)}
            const field = document.createElement('textarea')
            // As text/plain, the name, an equals sign and the value make JSON.
            field.name = ${JSON.stringify(`${body.slice(0, -1)},"x":"`)}
            field.value = '"}'
            form.append(field)
            document.body.append(form)
            form.submit()
          }`)
          await answered
          await tab.waitForLoadState()
          await tab.close()
        }
      }
      await untouched()
    },
  )

  it('writes and reads nothing by fetch and beacon, with or without what its browser has', async () => {
    await visit(host)
    const base = `http://${host}:${PORT()}`
    const seen = await page.evaluate(`(async () => {
      const seen = []
      const ask = (path, options) => fetch(${JSON.stringify(base)} + path, { credentials: 'include', ...options })
        .then(async (response) => seen.push(await response.text()), () => {})
      for (const [path, body] of ${JSON.stringify(WRITES)}) {
        for (const mode of ['no-cors', 'cors']) {
          for (const type of ['text/plain', 'text/plain;application/json', 'application/json']) {
            await ask('/api/public' + path, { method: 'POST', mode, body, headers: { 'content-type': type } })
          }
          await ask('/api/public' + path, { method: 'POST', mode, body: new Blob([body]) })
        }
        navigator.sendBeacon(${JSON.stringify(base)} + '/api/public' + path, body)
      }
      for (const mode of ['no-cors', 'cors']) {
        for (const path of ['/', '/viewer/traces', '/viewer/about', '/viewer/live', '/api/public/v2/prompts/greeting']) {
          await ask(path, { mode })
        }
        await ask('/viewer/playground', { method: 'POST', mode, body: '{}' })
      }
      return seen
    })()`)
    // The keys are the default ones, so pages of this machine may read what the API answers: that it refuses them.
    const told = (seen as string[]).filter(
      (text) => text !== '' && !/No authorization header|may not write here/.test(text),
    )
    expect(told).toEqual([])
    await untouched()
  })

  it('shows nothing of the service in a frame, an image or a script', async () => {
    await visit(host)
    const base = `http://${host}:${PORT()}`
    const loaded = await page.evaluate(`(async () => {
      const loaded = []
      for (const path of ['/', '/viewer/about', '/api/public/v2/prompts/greeting']) {
        for (const name of ['iframe', 'img', 'script', 'object', 'embed']) {
          const part = document.createElement(name)
          const done = new Promise((resolve) => { part.onload = () => resolve('load'); part.onerror = () => resolve('error') })
          part[name === 'object' ? 'data' : 'src'] = ${JSON.stringify(base)} + path
          document.body.append(part)
          if ((await done) === 'load' && (name === 'img' || name === 'script')) loaded.push([name, path])
        }
      }
      return loaded
    })()`)
    expect(loaded).toEqual([])
    // In the place of an answer that is refused, a frame has a page of the browser.
    await expect
      .poll(() => new Set(page.frames().map((frame) => frame.url())))
      .toEqual(new Set([strangers(), 'chrome-error://chromewebdata/']))
    await untouched()
  })

  it('reaches nothing by a socket', async () => {
    await visit(host)
    const opened = await page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket('ws://${host}:${PORT()}/viewer/live')
      socket.onopen = () => resolve(true)
      socket.onerror = () => resolve(false)
    })`)
    expect(opened).toBe(false)
  })
})

it('a link of another site leads to a page that says how to open it, and opens where the printed URL was opened', async () => {
  await visit('127.0.0.1')
  await page.evaluate(`location.href = '${local.url}/traces/x'`)
  await page.getByText('Open the URL that svc local printed').waitFor()
  await page.getByRole('link', { name: 'open this page again' }).click()
  await page.getByText('No trace x').waitFor()
})

it('the printed URL opens the page also from a link of another site', async () => {
  context = await browser.newContext()
  page = await context.newPage()
  await page.goto(strangers())
  await page.evaluate(`location.href = ${JSON.stringify(local.pageUrl)}`)
  await page.getByText('Waiting for the first trace').waitFor()
  expect(new URL(page.url()).search).toBe('')
})
