import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startLocal } from '@svc/local'
import { describe, expect, it } from 'vitest'
import { lines, open, pane, selected, sendAgent, TRACE } from './trace-page.ts'
import { type MadeSpan, send, spanId } from './traces.ts'
import { complains, local, page, query, usePage } from './use-page.ts'

usePage()

describe('a trace in the viewer', () => {
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
