import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { LocalService } from '@svc/local'
import type { Browser, Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BROWSER_TIMEOUT, openBrowser } from '../support/browser.ts'
import { startPatient } from '../support/service.ts'

const TRACE = '0bafe22156d2698c143b86040446d366'

let local: LocalService
let site: Server
let browser: Browser
let page: Page

beforeAll(async () => {
  local = await startPatient()
  site = createServer(await pageWith(await script())).listen(0, '127.0.0.1')
  await new Promise((resolve) => site.once('listening', resolve))
  browser = await openBrowser()
  page = await browser.newPage()
  // Another origin than the service, so every score crosses origins.
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
}, BROWSER_TIMEOUT)

afterAll(async () => {
  await browser?.close()
  site?.close()
  await local?.close()
})

async function script(): Promise<string> {
  const entry = fileURLToPath(new URL('./page.mjs', import.meta.url))
  const lib = { entry, formats: ['iife' as const], name: 'svc' }
  const result = await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}

async function pageWith(code: string): Promise<Parameters<typeof createServer>[1]> {
  return (request, response) => {
    if (request.url === '/') response.setHeader('content-type', 'text/html').end(`<script>${code}</script>`)
    else if (request.url?.startsWith('/moved/')) response.writeHead(308, { location: '/elsewhere' }).end()
    else response.writeHead(404).end()
  }
}

/** What `score` gives in the page, or the parts of the error that it throws there. */
const scoreInPage = (options: object, body: object): Promise<unknown> =>
  page.evaluate(
    async ([options, body]) => {
      const { SvcBrowserClient } = (globalThis as unknown as { svc: typeof import('./page.mjs') }).svc
      try {
        return await new SvcBrowserClient(options as never).score(body as never)
      } catch (error) {
        const { name, message, status } = error as Error & { status?: number }
        return { name, message, status }
      }
    },
    [options, body],
  )

const options = () => ({ publicKey: local.publicKey, baseUrl: local.url, environment: 'production' })

describe('@svc/browser in a page of another origin', () => {
  it('sends a score with the public key', async () => {
    const body = { id: 'visit-1', traceId: TRACE, name: 'user-feedback', value: 1, comment: 'Right.' }
    expect(await scoreInPage(options(), body)).toEqual({ id: 'visit-1' })
    const [score] = await local.waitForScores(1)
    expect(score).toMatchObject({ ...body, environment: 'production' })
  })

  it('replaces a score if the visitor votes again', async () => {
    const body = { id: 'visit-1', traceId: TRACE, name: 'user-feedback', value: 0 }
    await scoreInPage(options(), body)
    expect(local.scores().map(({ id, value }) => ({ id, value }))).toEqual([{ id: 'visit-1', value: 0 }])
  })

  it('receives the reason of a refused score', async () => {
    const refused = await scoreInPage(options(), { traceId: TRACE, name: 'n', value: 'text', dataType: 'NUMERIC' })
    expect(refused).toMatchObject({ name: 'SvcBrowserError', status: 400 })
  })

  it('receives the error of a wrong key', async () => {
    const refused = await scoreInPage({ ...options(), publicKey: 'pk-other' }, { traceId: TRACE, name: 'a', value: 1 })
    expect(refused).toMatchObject({ name: 'SvcBrowserError', status: 401 })
  })

  it('hears of a redirect, which is not followed', async () => {
    const refused = await scoreInPage({ ...options(), baseUrl: '/moved' }, { traceId: TRACE, name: 'a', value: 1 })
    expect(refused).toMatchObject({ name: 'SvcBrowserError', message: expect.stringContaining('redirects') })
  })

  it('sends a score while the page is unloading', async () => {
    // A context of its own knows of no preflight that would make the way short.
    const visit = await (await browser.newContext()).newPage()
    await visit.goto(page.url())
    await visit.evaluate(
      ([options, traceId]) => {
        const window = globalThis as unknown as EventTarget & { svc: typeof import('./page.mjs') }
        const svc = new window.svc.SvcBrowserClient(options as never)
        window.addEventListener('pagehide', () => void svc.score({ id: 'leaving', traceId, name: 'left', value: 1 }))
      },
      [options(), TRACE] as const,
    )
    await visit.goto('about:blank')
    await local.waitFor(({ scores }) => scores().some(({ id }) => id === 'leaving'))
  })
})
