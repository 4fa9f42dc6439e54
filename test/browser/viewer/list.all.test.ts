import { startLocal } from '@svc/local'
import { describe, expect, it } from 'vitest'
import { agentAt } from './agent.ts'
import { type MadeSpan, send, sendAll, traceIdOf } from './traces.ts'
import { local, page, path, query, settles, usePage } from './use-page.ts'

usePage()

const one = (name: string, attributes: MadeSpan['attributes'] = {}, to = 10): MadeSpan[] => [
  { id: 1, name, from: 0, to, attributes },
]
const names = () => page.locator('.rows .name > a').allTextContents()
const headers = async () => (await page.getByRole('columnheader').allTextContents()).join(' ')
const widthOf = async (title: string) =>
  Math.round((await page.getByRole('columnheader', { name: title }).boundingBox())?.width ?? 0)
async function drag(title: string, by: number): Promise<void> {
  const grip = page.getByRole('button', { name: `Width of ${title}` })
  const { x = 0, y = 0, width = 0, height = 0 } = (await grip.boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + by, y, { steps: 4 })
  await page.mouse.up()
}
const shows = (...expected: string[]) => expect.poll(names).toEqual(expected)

describe('the list of traces', () => {
  it('does not show a custom secret key', async () => {
    const own = await startLocal({ publicKey: 'pk-own', secretKey: 'sk-own' })
    await page.goto(own.pageUrl)
    await page.getByText('SVC_PUBLIC_KEY=pk-own').waitFor()
    await expect.poll(() => page.content()).not.toContain('sk-own')
    await own.close()
  })

  it('shows new traces first, and updates running ones', async () => {
    await send(local, traceIdOf(1), one('first'), Date.now() - 5_000)
    await page.goto(local.url)
    await shows('first')
    const startedAt = Date.now()
    const [root, ...below] = agentAt(startedAt)
    await send(local, traceIdOf(2), below, startedAt)
    await page.getByText('running').waitFor()
    await shows('no root yet', 'first')
    await send(local, traceIdOf(2), root ? [root] : [], startedAt)
    await shows('support chat', 'first')
    const row = page.getByRole('row').nth(1)
    for (const text of [
      'My order 1042',
      'I am sorry about',
      'ada@example.com',
      'chat-7',
      'gpt-4.1',
      '9',
      '3.84 s',
      'error',
      'support',
      '≈ $0.00',
    ]) {
      await expect.poll(() => row.textContent()).toContain(text)
    }
  })

  it('is filtered and sorted by the URL', async () => {
    const now = Date.now()
    await sendAll(local, [
      {
        traceId: traceIdOf(1),
        spans: one('slow', { 'user.id': 'ada', 'svc.trace.tags': ['x', 'y'] }, 900),
        startedAt: now - 3,
      },
      {
        traceId: traceIdOf(2),
        spans: one('bad', { 'svc.observation.level': 'ERROR', 'svc.environment': 'prod' }),
        startedAt: now - 2,
      },
      {
        traceId: traceIdOf(3),
        spans: one('dear', {
          'session.id': 's1',
          'svc.observation.type': 'generation',
          'svc.observation.model.name': 'm1',
          'svc.observation.cost_details': '{"total":2}',
        }),
        startedAt: now - 1,
      },
    ])
    await fetch(`${local.url}/api/public/scores`, {
      method: 'POST',
      headers: { authorization: `Bearer ${local.publicKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'quality', value: 0.5, traceId: traceIdOf(1) }),
    })
    const cases: readonly [string, ...string[]][] = [
      ['', 'dear', 'bad', 'slow'],
      ['name=slow&name=bad', 'bad', 'slow'],
      ['user=ada', 'slow'],
      ['session=s1', 'dear'],
      ['tag=y', 'slow'],
      ['environment=prod', 'bad'],
      ['environment=default', 'dear', 'slow'],
      ['level=ERROR', 'bad'],
      ['model=m1', 'dear'],
      ['minLatency=500', 'slow'],
      ['maxLatency=500', 'dear', 'bad'],
      ['minCost=1', 'dear'],
      ['score=quality', 'slow'],
      ['score=quality%3E%3D0.5', 'slow'],
      [`from=${new Date(now - 2).toISOString()}`, 'dear', 'bad'],
      ['sort=latency', 'slow', 'dear', 'bad'],
      ['sort=name&order=asc', 'bad', 'dear', 'slow'],
    ]
    for (const [query, ...expected] of cases) {
      await page.goto(`${local.url}/?${query}`)
      await shows(...expected)
    }
    await page.goto(`${local.url}/?score=quality%3E0.5`)
    await page.getByText('No trace fits').waitFor()
  })

  it('is filtered by a click, which changes the URL, and back removes the filter', async () => {
    await send(local, traceIdOf(1), one('a'))
    await send(local, traceIdOf(2), one('b'))
    await page.goto(local.url)
    await shows('b', 'a')
    await page.getByRole('checkbox', { name: 'a', exact: false }).first().check()
    await shows('a')
    await query().toBe('?name=a')
    await page.goBack()
    await shows('b', 'a')
  })

  it('offers the values of traces that arrive', async () => {
    await send(local, traceIdOf(1), one('a'))
    await page.goto(local.url)
    const offered = (name: string) =>
      page.getByRole('complementary', { name: 'Filters' }).getByText(name, { exact: true }).waitFor()
    await offered('a')
    await send(local, traceIdOf(2), one('b'))
    await shows('b', 'a')
    await offered('b')
    // By now the page has looked once more for having begun to listen.
    await send(local, traceIdOf(3), one('c'))
    await offered('c')
  })

  it('keeps its rows until those of the next filter are there, and begins at the first of them', async () => {
    const now = Date.now()
    const traces = Array.from({ length: 500 }, (_, id) => id)
    await sendAll(
      local,
      traces.map((id) => ({
        traceId: traceIdOf(id),
        spans: one(`trace ${id}`, { 'user.id': id % 2 ? 'ada' : 'grace' }),
        startedAt: now + id,
      })),
    )
    await page.goto(`${local.url}/?user=ada&user=grace`)
    await page.getByText('500 traces').waitFor()
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 9_000))
    await page.getByText('trace 230', { exact: true }).waitFor()
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    local.respond('GET /viewer/traces', { until })
    await page.getByRole('checkbox', { name: 'grace' }).uncheck()
    await page.getByText('loading', { exact: true }).waitFor()
    await expect.poll(async () => (await names())[0]).toBe('trace 499')
    release()
    await page.getByText('250 traces').waitFor()
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['trace 499', 'trace 497'])
  })

  it('shows whole labels and values of scores, as many as there is room for', async () => {
    const tags = ['a first long tag', 'a second long tag', 'a third long tag']
    await send(local, traceIdOf(1), one('ask', { 'svc.trace.tags': tags, 'svc.environment': 'staging' }))
    const headers = { authorization: `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}` }
    const data = { name: 'a long name', value: 0.125, traceId: traceIdOf(1) }
    await page.request.post(`${local.url}/api/public/scores`, { headers, data })
    await page.goto(local.url)
    await shows('ask')
    await settles(async () => {
      const room = await page.locator('.row .labels').boundingBox()
      const boxes = await Promise.all((await page.locator('.labels .badge').all()).map((each) => each.boundingBox()))
      const seen = boxes.filter((box) => (box?.y ?? 0) < (room?.y ?? 0) + (room?.height ?? 0))
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.length).toBeLessThan(4)
      for (const box of seen)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((room?.x ?? 0) + (room?.width ?? 0))
      const [cell, value] = await Promise.all(
        ['.row .badge.score', '.row .badge.score b'].map((part) => page.locator(part).boundingBox()),
      )
      expect((value?.x ?? 0) + (value?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0))
    })
  })

  it('is searched by words of inputs and outputs', async () => {
    await send(local, traceIdOf(1), one('a', { 'svc.observation.input': 'the quick Brown fox' }))
    await send(local, traceIdOf(2), one('b', { 'svc.observation.output': 'nothing' }))
    await page.goto(local.url)
    await shows('b', 'a')
    await page.keyboard.press('/')
    await page.keyboard.type('brown qui')
    await expect.poll(names).toEqual(['a'])
    await query().toMatch(/[?&]search=brown(\+|%20)qui(&|$)/)
  })

  it('is searched by parts of words, tags and ids, and the values beside it follow the search', async () => {
    await send(
      local,
      traceIdOf(1),
      one('first', { 'svc.observation.input': 'a snowflake', 'svc.trace.tags': ['Winter'] }),
    )
    await send(local, traceIdOf(2), one('second', { 'user.id': 'ada' }))
    const values = page.getByRole('complementary', { name: 'Filters' }).locator('details', { hasText: 'Name' })
    for (const text of ['owfla', 'winter', traceIdOf(1).slice(0, 32), 'fir']) {
      await page.goto(`${local.url}/?search=${text}`)
      await shows('first')
      await expect.poll(() => values.locator('.choice .cut').allTextContents()).toEqual(['first'])
    }
    // A filter does not narrow its own values.
    await page.goto(`${local.url}/?name=first`)
    await shows('first')
    await expect.poll(() => values.locator('.choice .cut').allTextContents()).toEqual(['first', 'second'])
  })

  it.each([610, 700])('in a window of %d px shows the whole of its usual columns', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await send(local, traceIdOf(1), one('first'))
    await page.goto(local.url)
    await shows('first')
    await settles(async () => {
      const { x = 0, width: wide = width } = (await page.locator('.rows-all [role=cell]').last().boundingBox()) ?? {}
      expect(x + wide).toBeLessThanOrEqual(width)
    })
    await expect.poll(() => page.locator('.rows').evaluate((rows) => rows.scrollWidth)).toBe(width)
  })

  it('in a small window has its filters as a sheet, and all sections', async () => {
    await page.setViewportSize({ width: 700, height: 800 })
    await send(local, traceIdOf(1), one('first'))
    await page.goto(local.url)
    await shows('first')
    for (const section of await page.getByRole('navigation').getByRole('link').all()) {
      await settles(async () => {
        const box = await section.boundingBox()
        expect((box?.x ?? 0) + (box?.width ?? 900)).toBeLessThanOrEqual(700)
      })
    }
    const filters = page.getByRole('complementary', { name: 'Filters' })
    await expect.poll(() => filters.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await filters.getByText('Environment').waitFor()
  })

  it('has the columns that were chosen, as wide as they were drawn, also the next time', async () => {
    await send(local, traceIdOf(1), one('first', { 'svc.trace.tags': ['x'], 'svc.environment': 'prod' }))
    await page.goto(local.url)
    await page.locator('.name .badge', { hasText: 'prod' }).waitFor()
    await page.getByText('Columns').click()
    for (const name of ['Environment', 'Tags']) await page.locator('.menu').getByLabel(name).check()
    for (const name of ['Output', 'Models']) await page.locator('.menu').getByLabel(name).uncheck()
    const chosen = 'Name Input User, session Environment Tags Scores Steps Latency Tokens Cost Started ↓'
    await expect.poll(headers).toBe(chosen)
    await expect.poll(() => page.locator('.name .badge').count()).toBe(0)
    const before = await widthOf('Input')
    await drag('Input', -60)
    await expect.poll(() => widthOf('Input')).toBe(before - 60)
    await page.getByRole('button', { name: 'Width of Input' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => widthOf('Input')).toBe(before - 44)
    await page.reload()
    await expect.poll(headers).toBe(chosen)
    await expect.poll(() => widthOf('Input')).toBe(before - 44)
    await page.getByRole('button', { name: 'Width of Input' }).dblclick()
    await expect.poll(() => widthOf('Input')).toBe(before)
  })

  it.each([
    ['sessions', 'Session Last input Last output User Traces Tokens Cost First Last'],
    ['users', 'User Last input Last output Sessions Traces Tokens Cost First Last'],
  ])('of %s has its own chosen columns and widths, also the next time', async (list, usual) => {
    const chosen = usual.replace(' Last output', '')
    await send(local, traceIdOf(1), one('first', { 'session.id': 'talk', 'user.id': 'ada' }))
    await page.goto(`${local.url}/${list}`)
    await expect.poll(headers).toBe(usual)
    await page.getByRole('link', { name: list === 'users' ? 'ada' : 'talk' }).waitFor()
    await page.getByText('Columns').click()
    await page.locator('.menu').getByLabel('Last output').uncheck()
    await expect.poll(headers).toBe(chosen)
    const before = await widthOf('Last input')
    await drag('Last input', -60)
    await expect.poll(() => widthOf('Last input')).toBe(before - 60)
    await page.reload()
    await expect.poll(headers).toBe(chosen)
    await expect.poll(() => widthOf('Last input')).toBe(before - 60)
    await page.goto(local.url)
    await expect.poll(headers).toContain('Input Output')
  })

  it('has a column for each score that was chosen, and is sorted by it', async () => {
    for (const [at, name] of ['fair', 'good', 'none'].entries()) await send(local, traceIdOf(at), one(name))
    const headers = { authorization: `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}` }
    const score = (name: string, value: number, traceId: string) =>
      page.request.post(`${local.url}/api/public/scores`, { headers, data: { name, value, traceId } })
    for (const [at, value] of [0.5, 0.75].entries()) await score('quality', value, traceIdOf(at))
    for (let at = 0; at < 30; at += 1) await score(`other ${at}`, 1, traceIdOf(0))
    await page.goto(local.url)
    await shows('none', 'good', 'fair')
    await page.getByText('Columns').click()
    // However many there are, the last one is in the window, or scrolled to.
    await settles(async () => {
      const menu = await page.locator('.menu > div').boundingBox()
      expect((menu?.y ?? 0) + (menu?.height ?? 900)).toBeLessThan(900)
    })
    await page.locator('.menu').getByLabel('quality').check()
    await page.getByRole('button', { name: 'quality', exact: true }).click()
    await query().toBe('?sort=score%3Aquality&order=desc')
    await shows('good', 'fair', 'none')
    await page.reload()
    await page.getByRole('columnheader', { name: 'quality ↓' }).waitFor()
    await page.getByRole('cell', { name: '0.75', exact: true }).waitFor()
    await page.getByRole('button', { name: 'quality ↓' }).click()
    await shows('fair', 'good', 'none')
  })

  it('in a window as small as a telephone has its name, latency and time, and nothing overlaps', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await send(local, traceIdOf(1), one('first', { 'user.id': 'ada', 'svc.observation.input': 'hello' }))
    await page.goto(local.url)
    await shows('first')
    await settles(async () => {
      const boxes = await page
        .locator('.rows-all [role=cell]:visible')
        .evaluateAll((cells) =>
          cells.map((cell) => cell.getBoundingClientRect()).map(({ left, right }) => [left, right]),
        )
      expect(boxes.length).toBe(3)
      for (const [at, [left = 0, right = 0]] of boxes.entries()) {
        expect(left).toBeGreaterThanOrEqual(boxes[at - 1]?.[1] ?? 0)
        expect(right).toBeLessThanOrEqual(390)
      }
    })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('can be used with the keyboard', async () => {
    await send(local, traceIdOf(1), one('a'))
    await send(local, traceIdOf(2), one('b'))
    await page.goto(local.url)
    await shows('b', 'a')
    for (const key of ['j', 'j', 'k', 'ArrowDown']) await page.keyboard.press(key)
    await page.locator('.row.selected .name > a', { hasText: /^a$/ }).waitFor()
    await page.keyboard.press('Enter')
    await path().toBe(`/traces/${traceIdOf(1)}`)
  })

  it('has its filters when a trace is left', async () => {
    await send(local, traceIdOf(1), one('a'))
    await page.goto(`${local.url}/?name=a&sort=cost`)
    await page.getByRole('link', { name: 'a', exact: true }).click()
    await page.locator('.detail-head').waitFor()
    await page.keyboard.press('Escape')
    await query().toBe('?name=a&sort=cost')
    await shows('a')
  })

  it('with 50,000 traces scrolls to its end', async () => {
    const startedAt = Date.now()
    for (let batch = 0; batch < 10; batch += 1) {
      const traces = Array.from({ length: 5_000 }, (_, at) => batch * 5_000 + at)
      await sendAll(
        local,
        traces.map((id) => ({ traceId: traceIdOf(id), spans: one(`trace ${id}`), startedAt: startedAt + id })),
      )
    }
    await page.goto(local.url)
    await page.getByText('50,000 traces').waitFor()
    await expect.poll(() => page.locator('.rows-all > .row').count()).toBeLessThan(80)
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, rows.scrollHeight))
    await page.getByText('trace 0', { exact: true }).waitFor()
  }, 600_000)

  it('is available in light and dark mode', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(local.url)
    await page.getByRole('button', { name: 'auto' }).waitFor()
    await expect.poll(() => background()).toBe('rgb(16, 19, 23)')
    await page.getByRole('button', { name: 'auto' }).click()
    await expect.poll(background).toBe('rgb(255, 255, 255)')
    await page.reload()
    await page.getByRole('button', { name: 'light' }).waitFor()
    await expect.poll(() => background()).toBe('rgb(255, 255, 255)')
  })
})
