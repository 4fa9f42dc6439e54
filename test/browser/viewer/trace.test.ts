import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startLocal } from '@svc/local'
import { describe, expect, it } from 'vitest'
import { agentAt } from './agent.ts'
import { type MadeSpan, send, spanId, traceIdOf } from './traces.ts'
import { complaints, local, page, usePage } from './use-page.ts'

const TRACE = traceIdOf(1)

usePage()

const open = (id?: number, query = '') =>
  page.goto(`${local.url}/traces/${TRACE}?${id === undefined ? '' : `observation=${spanId(id)}`}${query}`)
const sendAgent = async () => {
  const startedAt = Date.now()
  await send(local, TRACE, agentAt(startedAt), startedAt)
}
const lines = () => page.getByRole('treeitem')
const selected = () => page.getByRole('treeitem', { selected: true }).locator('a').textContent()
const pane = () => page.getByRole('region', { name: 'Observation' })
const box = async (name: string) => {
  const line = lines().filter({ hasText: name }).last()
  const found = await line.locator('.time-bar').boundingBox()
  if (!found) throw new Error(`${name} has no bar`)
  return found
}

describe('a trace in the viewer', () => {
  it('is a tree beside a waterfall with overlapping parallel calls', async () => {
    await sendAgent()
    await open()
    await lines().first().waitFor()
    const shown = await lines().evaluateAll((items) =>
      items.map(
        (item) => `${'  '.repeat(Number(item.getAttribute('aria-level')) - 1)}${item.querySelector('a')?.textContent}`,
      ),
    )
    expect(shown).toEqual([
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
    const [order, policies, last] = [await box('find_order'), await box('search_policies'), await box('chat gpt-4.1')]
    expect(Math.abs(order.x - policies.x)).toBeLessThan(4)
    expect(policies.width).toBeGreaterThan(order.width * 2)
    expect(last.x).toBeGreaterThan(policies.x + policies.width)
    const wait = await lines().last().locator('xpath=preceding-sibling::*[1]').locator('.wait').boundingBox()
    expect((wait?.width ?? 0) / last.width).toBeCloseTo(480 / 1_860, 1)
  })

  it('shows its errors, tags, time, user, session and tokens', async () => {
    await sendAgent()
    await open()
    const facts = await page.locator('.trace-head').textContent()
    for (const fact of [
      'support chat',
      '1 error',
      '1 warning',
      'beta',
      '3.84 s',
      'ada@example.com',
      'chat-7',
      '2,368 → 179',
    ]) {
      expect(facts).toContain(fact)
    }
  })

  it('jumps to its errors and warnings with one key, and updates the URL', async () => {
    await sendAgent()
    await open()
    await lines().first().waitFor()
    await page.keyboard.press('e')
    expect(await selected()).toBe('query vectors')
    expect(page.url()).toContain(`observation=${spanId(7)}`)
    await pane().getByText('ECONNRESET').waitFor()
    await page.keyboard.press('e')
    expect(await selected()).toBe('moderation')
    await page.keyboard.press('e')
    expect(await selected()).toBe('query vectors')
  })

  it('is navigated, collapsed and expanded with the keyboard', async () => {
    await sendAgent()
    await open()
    await lines().first().waitFor()
    for (const key of ['j', 'ArrowDown', 'k']) await page.keyboard.press(key)
    expect(await selected()).toBe('support-agent')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => lines().count(), { timeout: 10_000 }).toBe(3)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => lines().count(), { timeout: 10_000 }).toBe(9)
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Traces' }).waitFor()
  })

  it('updates while it is shown', async () => {
    const spans = agentAt(Date.now())
    await send(local, TRACE, spans.slice(2))
    await open()
    await page.getByText('running').waitFor()
    await send(local, TRACE, spans.slice(0, 2))
    await expect.poll(() => lines().count(), { timeout: 10_000 }).toBe(9)
    await page.getByText('running').waitFor({ state: 'detached' })
  })

  it('appears when it arrives', async () => {
    await page.goto(`${local.url}/traces/${TRACE}`)
    await page.getByText('No such trace').waitFor()
    await sendAgent()
    await lines().first().waitFor()
    const missing = complaints.filter((text) => text.includes('404'))
    expect(missing.length).toBeGreaterThan(0)
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('404')))
  })

  it('with 5,000 observations renders only the visible lines', async () => {
    const spans = Array.from({ length: 5_000 }, (_, at): MadeSpan => {
      const parent = at === 0 ? {} : { parent: Math.floor((at - 1) / 3) + 1 }
      return {
        id: at + 1,
        ...parent,
        name: `step ${at}`,
        from: at,
        to: at + 20,
        attributes: { 'svc.observation.input': 'x'.repeat(500) },
      }
    })
    await send(local, TRACE, spans)
    await page.goto(local.url)
    await page.getByRole('link', { name: 'step 0' }).waitFor()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: 'step 0' }).click()
    await lines().first().waitFor()
    const path = `/viewer/traces/${TRACE}`
    await pane().locator('.detail-head').waitFor()
    expect(requested.filter((each) => each.startsWith(path))).toEqual([path, `${path}/observations/${spanId(1)}`])
    expect(await page.locator('.facts-line').first().textContent()).toContain('5,000')
    expect(await lines().count()).toBeLessThan(80)
  })

  it('is downloaded as OTLP, which this page and any OTLP endpoint accept', async () => {
    await sendAgent()
    await open()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download').click()])
    const file = readFileSync(await download.path(), 'utf8')
    const before = local.spans()
    const other = await startLocal()
    const headers = {
      authorization: `Basic ${btoa(`${other.publicKey}:${other.secretKey}`)}`,
      'content-type': 'application/json',
    }
    const response = await fetch(`${other.url}/api/public/otel/v1/traces`, { method: 'POST', headers, body: file })
    expect(response.status).toBe(200)
    expect(other.spans()).toEqual(before)
    await other.close()
  })
})

describe('a generation in the viewer', () => {
  it('is a conversation with tools, tool calls and results', async () => {
    await sendAgent()
    await open(8)
    await pane().getByText('First token').waitFor()
    const messages = page.getByRole('article')
    expect(await messages.locator('.role').allTextContents()).toEqual(
      expect.arrayContaining(['system', 'user', 'assistant', 'result']),
    )
    expect(await messages.count()).toBe(4)
    const call = page.getByRole('region', { name: 'Call of search_policies' })
    expect(await call.textContent()).toContain('queryrefund broken')
    expect(await call.textContent()).toContain('Broken on arrival: refund within 5 days')
    expect(await messages.last().locator('table td').first().textContent()).toBe('Return label')
    expect(await messages.last().locator('code').textContent()).toBe('3–5 days')
    await page.getByText('2 tools').click()
    await page.getByText('Finds an order by its number').waitFor()
    const facts = await pane().locator('.detail-head').textContent()
    for (const fact of [
      '1.86 s',
      '480 ms',
      'gpt-4.1',
      '1,238 → 131',
      'input_cached_tokens 1,024',
      '≈ $0.0020',
      'temperature 0.2',
    ]) {
      expect(facts).toContain(fact)
    }
  })

  it('shows reasoning, and links to its prompt', async () => {
    await sendAgent()
    await open(3)
    await page.getByText('Both lookups are independent').waitFor()
    expect(await pane().getByRole('link', { name: 'support/system v2' }).getAttribute('href')).toBe(
      '/prompts/support%2Fsystem?version=2',
    )
  })

  it('is shown as raw JSON with one key', async () => {
    await sendAgent()
    await open(3)
    await pane().getByText('Reasoning').waitFor()
    await page.keyboard.press('r')
    const raw = JSON.parse((await pane().locator('pre.raw').textContent()) ?? '')
    expect(raw).toMatchObject({ name: 'chat gpt-4.1', usage: { input: 612 }, modelParameters: { temperature: 0.2 } })
    expect(page.url()).toContain('view=json')
    await page.keyboard.press('r')
    await pane().getByText('Reasoning').waitFor()
  })

  it('shows uploaded images and audio', async () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const sha256Hash = createHash('sha256').update(picture).digest('base64')
    const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
    const registered = await fetch(`${local.url}/api/public/media`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({
        contentType: 'image/png',
        contentLength: picture.length,
        sha256Hash,
        field: 'input',
        traceId: TRACE,
      }),
    })
    const { mediaId, uploadUrl } = (await registered.json()) as { mediaId: string; uploadUrl: string }
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: picture })
    const tag = `@@@svcMedia:type=image/png|id=${mediaId}|source=base64@@@`
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: tag } },
    ]
    const input = JSON.stringify([{ role: 'user', content }])
    await send(local, TRACE, [
      {
        id: 1,
        name: 'see',
        from: 0,
        to: 1,
        attributes: { 'svc.observation.type': 'generation', 'svc.observation.input': input },
      },
    ])
    await open(1)
    const image = page.locator('img.media')
    await image.waitFor()
    await expect.poll(() => image.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth)).toBe(1)
  })
})
