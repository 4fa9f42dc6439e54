import { describe, expect, it } from 'vitest'
import { agentAt } from './agent.ts'
import { lines, open, pane, sendAgent, TRACE } from './trace-page.ts'
import { send } from './traces.ts'
import { complains, local, page, settles, usePage } from './use-page.ts'

// The main path: traces arrive, one is opened, a call of it is read. The other pages are in *.all.test.ts.
usePage()

const box = async (name: string) => {
  const line = lines().filter({ hasText: name }).last()
  const found = await line.locator('.time-bar').boundingBox()
  if (!found) throw new Error(`${name} has no bar`)
  return found
}

it('the printed URL opens the page, and the list of traces shows the setup lines until the first trace arrives, which opens by a click', async () => {
  await page.context().clearCookies()
  const closed = await page.goto(local.url)
  await expect
    .poll(async () => [closed?.status(), await page.locator('body').textContent()])
    .toEqual([403, expect.stringContaining('Open the URL that svc local printed')])
  await complains(/403/)
  await page.goto(local.pageUrl)
  expect(page.url()).toBe(`${local.url}/`)
  await page.getByText('Waiting for the first trace').waitFor()
  const variables = Object.entries(local.env).map(([name, value]) => `${name}=${value}`)
  await expect.poll(() => page.locator('pre').first().textContent()).toBe(variables.join('\n'))
  await sendAgent()
  await page.getByRole('link', { name: 'support chat' }).click()
  await expect.poll(() => lines().count()).toBe(9)
})

describe('a trace in the viewer', () => {
  it('is a tree beside a waterfall with overlapping parallel calls', async () => {
    await sendAgent()
    await open()
    const shown = () =>
      lines().evaluateAll((items) =>
        items.map(
          (item) =>
            `${'  '.repeat(Number(item.getAttribute('aria-level')) - 1)}${item.querySelector('a')?.textContent}`,
        ),
      )
    await expect
      .poll(shown)
      .toEqual([
        'POST /chat',
        '  support-agent',
        '    chat gpt-4.1',
        '    find_order',
        '    search_policies',
        '      embed query',
        '      query vectors',
        '    chat gpt-4.1',
        '  moderation',
      ])
    await settles(async () => {
      const [order, policies, last] = [await box('find_order'), await box('search_policies'), await box('chat gpt-4.1')]
      expect(Math.abs(order.x - policies.x)).toBeLessThan(4)
      expect(policies.width).toBeGreaterThan(order.width * 2)
      expect(last.x).toBeGreaterThan(policies.x + policies.width)
      const wait = await lines().last().locator('xpath=preceding-sibling::*[1]').locator('.wait').boundingBox()
      expect((wait?.width ?? 0) / last.width).toBeCloseTo(480 / 1_860, 1)
    })
  })

  it('updates while it is shown', async () => {
    const spans = agentAt(Date.now())
    await send(local, TRACE, spans.slice(3))
    await open()
    await page.locator('.badge', { hasText: 'running' }).waitFor()
    // Shown at the latest when the page begins to listen; what comes after that, because it listens.
    await send(local, TRACE, spans.slice(2, 3))
    // What has not ended stands above what has, and is known by it alone.
    const running = lines().filter({ hasText: 'running' })
    await expect.poll(() => lines().count()).toBe(9)
    await expect.poll(() => running.count()).toBe(2)
    await expect.poll(() => running.first().getAttribute('aria-level')).toBe('1')
    await expect.poll(() => lines().nth(1).getAttribute('aria-level')).toBe('2')
    await running.first().getByRole('link').click()
    await pane().getByText('This step runs').waitFor()
    await send(local, TRACE, spans.slice(0, 2))
    await page.locator('.badge', { hasText: 'running' }).waitFor({ state: 'detached' })
    await expect.poll(async () => [await lines().count(), await running.count()]).toEqual([9, 0])
    await pane().getByRole('heading', { name: 'support-agent' }).waitFor()
  })
})

describe('a generation in the viewer', () => {
  it('is a conversation with tools, tool calls and results', async () => {
    await sendAgent()
    await open(8)
    await pane().getByText('First token').waitFor()
    const messages = page.getByRole('article')
    await expect
      .poll(() => messages.locator('.role').allTextContents())
      .toEqual(expect.arrayContaining(['system', 'user', 'assistant', 'result']))
    await expect.poll(() => messages.count()).toBe(4)
    const call = page.getByRole('region', { name: 'Call of search_policies' })
    await expect.poll(() => call.textContent()).toContain('queryrefund broken')
    await expect.poll(() => call.textContent()).toContain('Broken on arrival: refund within 5 days')
    await expect.poll(() => messages.last().locator('table td').first().textContent()).toBe('Return label')
    await expect.poll(() => messages.last().locator('code').textContent()).toBe('3–5 days')
    await page.getByText('2 tools').click()
    await page.getByText('Finds an order by its number').waitFor()
    const facts = () => pane().locator('.detail-head').textContent()
    for (const fact of [
      '1.86 s',
      '480 ms',
      'gpt-4.1',
      '1,238 → 131',
      'input_cached_tokens 1,024',
      '≈ $0.0020',
      'temperature 0.2',
    ]) {
      await expect.poll(facts).toContain(fact)
    }
  })
})
