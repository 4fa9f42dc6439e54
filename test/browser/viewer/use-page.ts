import { type LocalOptions, type LocalService, startLocal } from '@svc/local'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { BROWSER_TIMEOUT, complaintsOf, openBrowser } from '../../support/browser.ts'

/** Of the test that runs: a service of nothing yet, and a page. See {@link usePage}. */
export let local: LocalService
export let page: Page
let browser: Browser
/** What the page has complained of so far. */
export let complaints: string[]

/** Opens {@link local} and {@link page} for each test of a file, which fails when the page has complained. */
export function usePage(options: () => LocalOptions = () => ({})): void {
  beforeAll(async () => {
    browser = await openBrowser()
  }, BROWSER_TIMEOUT)
  afterAll(() => browser?.close())
  beforeEach(async () => {
    local = await startLocal(options())
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    complaints = complaintsOf(page)
  })
  afterEach(async () => {
    await page.close()
    await local.close()
    expect(complaints).toEqual([])
  })
}
