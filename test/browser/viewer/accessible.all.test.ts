import { type LocalService, startLocal } from '@svc/local'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BROWSER_TIMEOUT, openBrowser } from '../../support/browser.ts'
import { agentAt } from './agent.ts'
import { send, spanId, traceIdOf } from './traces.ts'
import { openPrinted } from './use-page.ts'

let browser: Browser
let local: LocalService
let empty: LocalService

beforeAll(async () => {
  browser = await openBrowser()
  empty = await startLocal()
  local = await startLocal({ playground: { openai: { apiKey: 'sk-nobodys' } } })
  const startedAt = Date.now()
  await send(local, traceIdOf(1), agentAt(startedAt), startedAt)
  const api = (path: string, body: object) =>
    fetch(`${local.url}/api/public${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  await api('/scores', { name: 'helpful', value: 1, dataType: 'BOOLEAN', traceId: traceIdOf(1), comment: 'yes' })
  await api('/v2/prompts', { name: 'greeting', type: 'text', prompt: 'Hello', labels: ['production'] })
  await api('/v2/prompts', { name: 'greeting', type: 'text', prompt: 'Good day' })
  await api('/v2/datasets', { name: 'set' })
  await api('/dataset-items', { datasetName: 'set', id: 'one', input: { a: 1 }, expectedOutput: 'b' })
  const runs = ['a', 'b'].map((run, at) => {
    const item = { 'svc.experiment.id': run, 'svc.experiment.name': `run ${run}`, 'svc.experiment.item.id': 'one' }
    const attributes = { ...item, 'svc.observation.input': 'q', 'svc.observation.output': `answer ${run}` }
    return send(local, traceIdOf(2 + at), [{ id: 1, name: 'item', from: 0, to: 1, attributes }])
  })
  await Promise.all(runs)
  for (const [at, [right, words]] of [
    [1, 2],
    [0, 3],
  ].entries()) {
    await api('/scores', { name: 'right', value: right, traceId: traceIdOf(2 + at) })
    await api('/scores', { name: 'words', value: words, traceId: traceIdOf(2 + at) })
  }
}, BROWSER_TIMEOUT)
afterAll(async () => {
  await browser?.close()
  await local?.close()
  await empty?.close()
})

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const PAGES: readonly (readonly [name: string, path: string, there: string])[] = [
  ['the list', '/', '.row .name > a'],
  ['a trace', `/traces/${traceIdOf(1)}?observation=${spanId(8)}`, '.message'],
  ['sessions', '/sessions', '.row .name > a'],
  ['a session', '/sessions/chat-7', '.turn'],
  ['users', '/users', '.row .name > a'],
  ['models', '/models', 'tbody tr'],
  ['scores', '/scores', 'tbody tr'],
  ['prompts', '/prompts', 'tbody tr'],
  ['a prompt', '/prompts/greeting?version=2&diff=1', '.diff'],
  ['datasets', '/datasets', 'tbody tr'],
  ['a dataset', '/datasets/set?item=one', '.card'],
  ['experiments', '/experiments', 'tbody tr'],
  ['an experiment beside another one', '/experiments/a?with=b', '.diff'],
  ['two observations compared', `/compare?a=${traceIdOf(1)}:${spanId(3)}&b=${traceIdOf(1)}:${spanId(8)}`, '.diff'],
  ['the playground', `/playground?trace=${traceIdOf(1)}&observation=${spanId(8)}`, 'textarea'],
  ['a trace as JSON', `/traces/${traceIdOf(1)}?observation=${spanId(3)}&view=json`, 'pre.raw'],
]

/** Controls that lie over each other, and whether the page is wider than its window. Runs in the page. */
const CROWDED = `(() => {
  // What is scrolled away lies over nothing.
  const clipped = (element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect()
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue
      const box = at.getBoundingClientRect()
      left = Math.max(left, box.left), right = Math.min(right, box.right)
      top = Math.max(top, box.top), bottom = Math.min(bottom, box.bottom)
    }
    return { left, right, top, bottom }
  }
  const shown = [...document.querySelectorAll('main :is(a, button, input, select, summary), .bar :is(a, button, label)')]
    .filter((element) => element.checkVisibility() && !element.closest('.hidden'))
    .map((element) => [element, clipped(element)])
    .filter(([, { left, right, top, bottom }]) => right > left && bottom > top)
  const lap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  const name = (element) => element.outerHTML.slice(0, 90)
  const pairs = shown.flatMap(([one, box], at) => shown.slice(at + 1)
    .filter(([other, otherBox]) => !one.contains(other) && !other.contains(one) && lap(box, otherBox))
    .map(([other]) => name(one) + ' AND ' + name(other)))
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page is ' + document.documentElement.scrollWidth + ' px wide'] : []
  return [...pairs, ...wide].slice(0, 5)
})()`

describe('axe finds no serious problem, light or dark, and in a window of 390 px nothing overlaps, on', () => {
  let page: Page
  beforeAll(async () => {
    // The policy of the page would keep axe out; what it looks at is the same without.
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, bypassCSP: true })
    await openPrinted(page, empty)
    await openPrinted(page, local)
    await page.addInitScript(axe.source)
  })

  const violations = async (url: string, there: string) => {
    const found: Violation[] = []
    const run = async (colorScheme: 'light' | 'dark', options: object) => {
      await page.emulateMedia({ colorScheme })
      const program = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`
      found.push(...(await page.evaluate<readonly Violation[]>(program)))
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(url)
    await page.locator(there).first().waitFor()
    await run('light', {})
    // Colours are all that differs.
    await run('dark', { runOnly: 'color-contrast' })
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => page.evaluate(CROWDED)).toEqual([])
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)])
  }

  it('an empty page', async () => {
    expect(await violations(empty.url, 'pre')).toEqual([])
  })

  it.each(PAGES)('the page %s', async (_, path, there) => {
    expect(await violations(local.url + path, there)).toEqual([])
  })
})
