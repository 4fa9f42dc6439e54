import type { LocalOptions, LocalService } from '@svc/local'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { BROWSER_TIMEOUT, complaintsOf, openBrowser } from '../../support/browser.ts'
import { startPatient } from '../../support/service.ts'

/** Of the test that runs: a service of nothing yet, and a page. See {@link usePage}. */
export let local: LocalService
export let page: Page
let browser: Browser
let complaints: string[]
let expected: RegExp | undefined

/** Opens {@link local} and {@link page} for each test of a file, which fails when the page has complained. */
export function usePage(options: () => LocalOptions = () => ({})): void {
  beforeAll(async () => {
    browser = await openBrowser()
  }, BROWSER_TIMEOUT)
  afterAll(() => browser?.close())
  beforeEach(async () => {
    expected = undefined
    local = await startPatient(options())
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    complaints = complaintsOf(page)
    await openPrinted(page, local)
  })
  afterEach(async () => {
    await page.close()
    await local.close()
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([])
  })
}

/** As if the URL that a service has printed was opened in the browser of a page, which keeps its cookie. */
export async function openPrinted(page: Page, { pageUrl }: Pick<LocalService, 'pageUrl'>): Promise<void> {
  expect((await page.request.get(pageUrl)).status()).toBe(200)
}

/** Waits for a complaint, which the page may have more than once: it asks again whenever something arrives. */
export async function complains(about: RegExp): Promise<void> {
  expected = about
  await expect.poll(() => complaints).toContainEqual(expect.stringMatching(about))
}

/** Looks, and looks again while it is not as expected: what is there first is moved by what arrives after it. */
export const settles = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 100_000, interval: 100 })

/** Of the page, once the browser has said that it is another one. */
export const query = () => expect.poll(() => new URL(page.url()).search)
export const path = () => expect.poll(() => new URL(page.url()).pathname)
