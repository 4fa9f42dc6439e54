import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startLocal } from '@svc/local'
import { describe, expect, it } from 'vitest'
import { lines, open, pane, selected, sendAgent, TRACE } from './trace-page.ts'
import { type MadeSpan, send, spanId, traceIdOf } from './traces.ts'
import { complains, local, page, query, settles, usePage } from './use-page.ts'

usePage()

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>`

describe('a trace in the viewer', () => {
  it('shows its errors, tags, time, user, session and tokens', async () => {
    await sendAgent()
    await open()
    const facts = () => page.locator('.trace-head').textContent()
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
      await expect.poll(facts).toContain(fact)
    }
  })

  it('jumps to its errors and warnings with one key, and updates the URL', async () => {
    await sendAgent()
    await open()
    await page.keyboard.press('e')
    await selected().toBe('query vectors')
    await query().toContain(`observation=${spanId(7)}`)
    await pane().getByText('ECONNRESET').waitFor()
    await page.keyboard.press('e')
    await selected().toBe('moderation')
    await page.keyboard.press('e')
    await selected().toBe('query vectors')
  })

  it('is navigated, collapsed and expanded with the keyboard', async () => {
    await sendAgent()
    await open()
    for (const key of ['j', 'ArrowDown', 'k']) await page.keyboard.press(key)
    await selected().toBe('support-agent')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => lines().count()).toBe(3)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => lines().count()).toBe(9)
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Traces' }).waitFor()
  })

  it('appears when it arrives', async () => {
    await page.goto(`${local.url}/traces/${TRACE}`)
    await page.getByText('No such trace').waitFor()
    await sendAgent()
    await lines().first().waitFor()
    await complains(/404/)
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
    await expect.poll(() => page.locator('.facts-line').first().textContent()).toContain('5,000')
    await expect.poll(() => lines().count()).toBeLessThan(80)
  })

  it('with one call has its duration beside its tokens', async () => {
    const attributes = {
      'svc.observation.type': 'generation',
      'svc.observation.usage_details': '{"input":5,"output":7}',
    }
    await send(local, TRACE, [{ id: 1, name: 'chat', from: 0, to: 500, attributes }])
    await open()
    await settles(async () => {
      const [facts, label] = await Promise.all(
        ['.facts', '.time-label'].map((part) => lines().locator(part).boundingBox()),
      )
      expect((facts?.x ?? 0) + (facts?.width ?? 0)).toBeLessThanOrEqual(label?.x ?? 0)
    })
  })

  it('names deep levels, and what has lost its parent', async () => {
    const spans = Array.from(
      { length: 20 },
      (_, at): MadeSpan => ({ id: at + 1, parent: at, name: `at ${at}`, from: at, to: 40 }),
    )
    await send(local, TRACE, [...spans, { id: 50, parent: 99, name: 'lost', from: 50, to: 60 }])
    await open()
    await expect.poll(() => lines().filter({ hasText: 'at 19' }).getByTitle('Level 20').textContent()).toBe('20')
    await lines().filter({ hasText: 'lost' }).getByText('no parent').waitFor()
  })

  it('has its selected step in sight, and its name beside many labels in a window of 700 px', async () => {
    const steps = Array.from(
      { length: 60 },
      (_, at): MadeSpan => ({ id: at + 1, parent: 1, name: `step ${at}`, from: at, to: 90 }),
    )
    const tags = ['support', 'beta', 'returns', 'premium']
    const root: MadeSpan = { id: 1, name: 'support chat', from: 0, to: 99, attributes: { 'svc.trace.tags': tags } }
    await send(local, TRACE, [root, ...steps.slice(1)])
    await page.setViewportSize({ width: 700, height: 800 })
    await open(40)
    const boxOf = (selector: string) => page.locator(selector).first().boundingBox()
    const endOf = (box: Awaited<ReturnType<typeof boxOf>>) => (box?.y ?? 0) + (box?.height ?? 0)
    // Rows scroll a frame after they are drawn.
    const isInSight = async () => endOf(await boxOf('.line.selected')) <= endOf(await boxOf('.trace-tree .rows'))
    await expect.poll(isInSight).toBe(true)
    await expect.poll(async () => (await boxOf('.trace-head h1'))?.width).toBeGreaterThan(80)
  })

  it('is searched and narrowed, and the search stands in the URL', async () => {
    await sendAgent()
    await open()
    const shown = () => lines().locator('a').allTextContents()
    await expect.poll(() => lines().count()).toBe(9)
    const all = await shown()
    await page.keyboard.press('/')
    await page.keyboard.type('econnreset')
    await page.locator('.line.hit').waitFor()
    await expect.poll(() => page.locator('.line.hit a').allTextContents()).toEqual(['query vectors'])
    await page.keyboard.press('Enter')
    await selected().toBe('query vectors')
    await query().toContain('find=econnreset')
    await page.getByLabel('Show').selectOption('Errors and warnings')
    await expect.poll(shown).toEqual(['POST /chat', 'support-agent', 'search_policies', 'query vectors', 'moderation'])
    await open(1)
    await page.getByText('Collapse').click()
    await expect.poll(shown).toEqual(['POST /chat'])
    await page.getByText('To errors').click()
    await expect.poll(shown).toEqual(all)
  })

  it('shows what a search has found, whatever it is narrowed to', async () => {
    await sendAgent()
    await page.goto(`${local.url}/traces/${TRACE}?only=models&find=econnreset`)
    await page.getByText('1 found').waitFor()
    await page.getByLabel('Find in this trace').press('Enter')
    await selected().toBe('query vectors')
    await pane().getByText('ECONNRESET').waitFor()
  })

  it('links to the trace that it goes on from', async () => {
    const caller = { traceId: traceIdOf(2), spanId: spanId(7) }
    await send(local, TRACE, [{ id: 1, name: 'job', from: 0, to: 10, links: [caller] }])
    await open()
    const href = await page.locator('.trace-head').getByRole('link', { name: 'trace c0000000' }).getAttribute('href')
    expect(href).toBe(`/traces/${caller.traceId}?observation=${caller.spanId}`)
  })

  it('stays open when Escape leaves a field', async () => {
    await sendAgent()
    await open()
    await page.getByRole('button', { name: 'Add score' }).first().click()
    await page.getByLabel('Name of the score').fill('quality')
    for (const key of ['Escape', 'j']) await page.keyboard.press(key)
    await selected().toBe('support-agent')
    await expect.poll(() => page.getByLabel('Name of the score').inputValue()).toBe('quality')
  })

  it('has the names of its steps before their figures in a window of 390 px', async () => {
    const attributes = {
      'svc.observation.type': 'generation',
      'svc.observation.usage_details': '{"input":1234,"output":5678}',
      'svc.observation.cost_details': '{"total":0.000012345}',
    }
    await send(local, TRACE, [
      { id: 1, name: 'answer-the-user', from: 0, to: 531, failed: 'x', attributes },
      { id: 2, name: 'chat', parent: 1, from: 0, to: 450, attributes },
    ])
    await page.setViewportSize({ width: 390, height: 800 })
    await open(1)
    const isCut =
      'document.querySelectorAll(".line a")[1].scrollWidth > document.querySelectorAll(".line a")[1].offsetWidth'
    await expect.poll(() => page.evaluate(isCut)).toBe(false)
    await settles(async () => {
      const marks = await Promise.all(
        (await page.locator('.axis .time-side > :visible').all()).map((mark) => mark.boundingBox()),
      )
      for (const [at, mark] of marks.entries()) {
        const before = marks[at - 1]
        expect(mark?.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0))
      }
      const boxOf = (selector: string) => lines().first().locator(selector).boundingBox()
      const [side, name, facts] = await Promise.all(['.tree-side', 'a', '.facts'].map(boxOf))
      expect(name?.width).toBeGreaterThan(40)
      expect((facts?.x ?? 0) + (facts?.width ?? 0)).toBeLessThanOrEqual((side?.x ?? 0) + (side?.width ?? 0))
    })
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

describe('an observation in the viewer', () => {
  const input = (text: string, more: Partial<MadeSpan> = {}) =>
    send(local, TRACE, [
      { id: 1, name: 'step', from: 0, to: 1, attributes: { 'svc.observation.input': text }, ...more },
    ])

  it('shows and copies numbers as they were sent', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const sent = {
      'svc.observation.input': '{"id":9007199254740993,"price":1.10,"e":1e400}',
      'svc.observation.model.parameters': '{"temperature":1.10,"bias":{"50256":-1.0}}',
    }
    await input('', { attributes: sent })
    await open(1)
    await expect
      .poll(() => pane().locator('.facts-line').textContent())
      .toContain('temperature 1.10bias {"50256":-1.0}')
    const half = pane().getByRole('region', { name: 'Input' })
    await expect
      .poll(() => half.locator('.json-number').allTextContents())
      .toEqual(['9007199254740993', '1.10', '1e400'])
    await half.getByText('Copy').click()
    await half.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('"price": 1.10,')
    await page.keyboard.press('r')
    for (const text of ['"id": 9007199254740993,', '"temperature": 1.10,']) {
      await expect.poll(() => pane().locator('pre.raw').textContent()).toContain(text)
    }
    await page.goto(`${local.url}/compare?a=${TRACE}&b=${TRACE}`)
    await page.getByRole('cell', { name: 'temperature 1.10, bias {"50256":-1.0}' }).first().waitFor()
  })

  it('has its metadata without a brace around them', async () => {
    await input('x', { attributes: { 'svc.observation.metadata': '{"plan":"gold","nested":{"a":1}}' } })
    await open(1)
    const metadata = pane().getByRole('region', { name: 'Metadata' })
    await expect.poll(() => metadata.locator('.json-name').allTextContents()).toEqual(['plan', 'nested'])
    await expect.poll(() => metadata.locator('.json-toggle').allTextContents()).toEqual(['▸nested{a}'])
  })

  it('shows pictures and boxes of markdown, and a link that leads nowhere as text', async () => {
    const picture =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await input(
      `![dot](${picture}) ![far](https://example.com/x.png) [bad](javascript:alert(1))\n\n- [x] done\n- [ ] open`,
    )
    await open(1)
    const width = () =>
      pane()
        .locator('img.media')
        .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth)
    await expect.poll(width).toBe(1)
    await expect.poll(() => pane().locator('.markdown a').allTextContents()).toEqual(['far'])
    await expect.poll(() => pane().locator('.markdown').textContent()).toMatch(/bad\s+☑ done\s+☐ open/)
  })

  it('draws the formulas of markdown, and leaves money, code and what is no TeX as they are', async () => {
    const block = '\\[\n\\frac{a}{b}\n- c\n\\]\n\n$$x^2$$'
    const line = 'So \\(e^{i\\pi}\\) and $y_1 = 2$, for $5 or US$6, in `$z$`; but $\\href{https://example.com}{w}$.'
    await input(`${line}\n\n${block}`)
    await open(1)
    await expect.poll(() => pane().locator('.markdown math').count()).toBe(4)
    const formulas = async () => (await pane().locator('.markdown math').allTextContents()).slice(0, 3)
    await expect.poll(formulas).toEqual(['eiπ', 'y1=2', 'ab−c'])
    await expect.poll(() => pane().locator('[data-block] math[display=block]').count()).toBe(2)
    const text = () => pane().locator('.markdown').textContent()
    await expect.poll(text).toContain('for $5 or US$6, in $z$; but $\\href{https://example.com}{w}$.')
  })

  it('shows a PDF in its place, also one in markdown', async () => {
    const pdf = `data:application/pdf;base64,${btoa(PDF)}`
    const content = [
      { type: 'text', text: `![bill](${pdf})` },
      { type: 'file', file: { file_data: pdf } },
    ]
    await input(JSON.stringify([{ role: 'user', content }]))
    await open(1)
    await expect.poll(() => pane().locator('iframe.media').count()).toBe(2)
    // The browser's own viewer has opened both.
    const viewers = () => page.frames().filter((frame) => frame.url().startsWith('chrome-extension://'))
    await expect.poll(() => viewers().length).toBe(2)
  })

  it('shows very long markdown in parts, which cut no block of code', async () => {
    const line = 'Some words of a long answer, which nobody reads at once.\n\n'
    const words = line.repeat(Math.floor(190_000 / line.length))
    const code = `\`\`\`\n${'code\n\n'.repeat(5_000)}\`\`\`\n\n`
    const output = `# First\n\n${words}${code}# Second\n\n${words}# Last`
    await send(local, TRACE, [
      { id: 1, name: 'long', from: 0, to: 1, attributes: { 'svc.observation.output': output } },
    ])
    await open()
    await pane().getByRole('heading', { name: 'First' }).waitFor()
    const more = pane().getByRole('button', { name: 'Show more' })
    const headings = () => pane().locator('.markdown').getByRole('heading').allTextContents()
    await expect
      .poll(async () => [await headings(), await pane().locator('.markdown pre').count()])
      .toEqual([['First'], 0])
    await more.click()
    await expect.poll(() => pane().locator('.markdown pre').count()).toBe(1)
    await expect.poll(() => headings()).toEqual(['First', 'Second'])
    while (await more.isVisible()) await more.click()
    await expect.poll(headings).toEqual(['First', 'Second', 'Last'])
  })

  it('shows the message of an exception as its error, and the span as it arrived', async () => {
    await input('x', { failed: '', exception: 'socket hang up' })
    await open(1)
    await pane().locator('.status').getByText('socket hang up').waitFor()
    await pane().getByRole('button', { name: 'Span' }).click()
    await pane().getByRole('region', { name: 'Events' }).getByText('exception.message').waitFor()
    await query().toContain('view=span')
    const otlp = await pane().getByRole('region', { name: 'OTLP' }).locator('pre').textContent()
    const [{ scopeSpans }] = JSON.parse(otlp ?? '').resourceSpans
    expect(scopeSpans[0].spans).toMatchObject([{ traceId: TRACE, name: 'step', status: { code: 2 } }])
  })

  it('is said to load until it is there', async () => {
    await sendAgent()
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    local.respond(`GET /viewer/traces/{traceId}/observations/{id}`, { until })
    await page.goto(`${local.url}/traces/${TRACE}`)
    await pane().getByText('loading').waitFor()
    release()
    await pane().locator('.detail-head').waitFor()
    await expect.poll(() => pane().getByText('loading').count()).toBe(0)
  })
})

describe('a generation in the viewer', () => {
  it('shows reasoning, and links to its prompt', async () => {
    await sendAgent()
    await open(3)
    await page.getByText('Both lookups are independent').waitFor()
    await expect
      .poll(() => pane().getByRole('link', { name: 'support/system v2' }).getAttribute('href'))
      .toBe('/prompts/support%2Fsystem?version=2')
  })

  it('is shown as raw JSON with one key', async () => {
    await sendAgent()
    await open(3)
    await pane().getByText('Reasoning').waitFor()
    await page.keyboard.press('r')
    const raw = JSON.parse((await pane().locator('pre.raw').textContent()) ?? '')
    expect(raw).toMatchObject({ name: 'chat gpt-4.1', usage: { input: 612 }, modelParameters: { temperature: 0.2 } })
    await query().toContain('view=json')
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
      headers: { authorization, 'content-type': 'application/json' },
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
