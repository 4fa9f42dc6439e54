import { beforeEach, describe, expect, it } from 'vitest'
import { type MadeSpan, send, traceIdOf } from './traces.ts'
import { local, page, path, query, settles, usePage } from './use-page.ts'

usePage()

async function api(request: string, body: unknown): Promise<void> {
  const [method = '', path = ''] = request.split(' ')
  const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
  const response = await fetch(`${local.url}/api/public${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`)
}

const turn = (attributes: MadeSpan['attributes']): MadeSpan[] => [
  {
    id: 1,
    name: 'answer',
    from: 0,
    to: 1_500,
    attributes: { 'user.id': 'ada', 'session.id': 'talk/1', ...attributes },
  },
]
const cells = (row: number) => page.getByRole('row').nth(row).locator('td, th, [role=cell]').allTextContents()

it('a viewer page without data shows how to add some', async () => {
  for (const [path, title, code] of [
    ['/sessions', 'No session yet', 'sessionId'],
    ['/users', 'No user yet', 'userId'],
    ['/models', 'No model call yet', '--import @svc/register'],
    ['/scores', 'No score yet', 'score.create'],
    ['/prompts', 'No prompt yet', 'prompt.create'],
    ['/datasets', 'No dataset yet', 'datasets.create'],
    ['/experiments', 'No experiment yet', 'experiment.run'],
  ] as const) {
    await page.goto(local.url + path)
    await page.getByRole('heading', { name: title }).waitFor()
    await expect.poll(() => page.locator('pre').textContent()).toContain(code)
  }
})

describe('the sessions page', () => {
  it('shows a session as a conversation that updates itself', async () => {
    const now = Date.now()
    await send(
      local,
      traceIdOf(1),
      turn({ 'svc.observation.input': '{"question":"Is it **far**?"}', 'svc.observation.output': 'No.' }),
      now,
    )
    await page.goto(`${local.url}/sessions`)
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(async () => (await cells(1)).slice(0, 4)).toEqual(['talk/1', 'Is it **far**?', 'No.', 'ada'])
    await page.getByRole('link', { name: 'talk/1' }).click()
    await page.getByText('No.').waitFor()
    await expect.poll(() => page.locator('.turn.input strong').textContent()).toBe('far')
    await send(
      local,
      traceIdOf(2),
      turn({ 'svc.observation.input': 'And by train?', 'svc.observation.output': 'An hour.' }),
      now + 9_000,
    )
    await page.getByText('An hour.').waitFor()
    await expect
      .poll(() => page.locator('.turn').allTextContents())
      .toEqual(['Is it far?', 'No.', 'And by train?', 'An hour.'].map((text) => expect.stringContaining(text)))
  })
})

it('a session has the times of its turns in a window of 390 px, whatever their names', async () => {
  const [span] = turn({})
  const name = 'POST /a/long/route/that/has/no/place/to/break/and/goes/on'
  await send(local, traceIdOf(1), span ? [{ ...span, name }] : [])
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${local.url}/sessions/talk%2F1`)
  await settles(async () => {
    const { x = 0, width = 390 } = (await page.locator('.turns time').boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(390)
  })
})

describe('the keyboard', () => {
  it('searches, goes from row to row and opens one on every page, as the list of keys says', async () => {
    await send(local, traceIdOf(1), turn({ 'session.id': 'first' }), Date.now() - 9_000)
    await send(local, traceIdOf(2), turn({ 'session.id': 'second' }))
    await send(local, traceIdOf(3), turn({ 'session.id': 'other' }))
    await page.goto(`${local.url}/sessions`)
    await page.getByRole('link', { name: 'other' }).waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    await keys.getByText('next row').waitFor()
    // The dialog has the keys for itself.
    for (const key of ['j', '/', 'Escape']) await page.keyboard.press(key)
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('s')
    await query().toBe('?search=s')
    // The rows of before go first, and the keys with them; then those of the search come.
    await page.getByRole('link', { name: 'other' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'first' }).waitFor()
    for (const key of ['Escape', 'j', 'j', 'k', 'j', 'Enter']) await page.keyboard.press(key)
    await path().toBe('/sessions/first')
  })
})

describe('the users page', () => {
  it('links to the traces of a user', async () => {
    const then = Date.UTC(2026, 2, 2)
    await page.clock.setFixedTime(then + 7_200_000)
    await send(local, traceIdOf(1), turn({}), then)
    await page.goto(`${local.url}/users`)
    await page.getByRole('row').nth(1).waitFor()
    await expect
      .poll(() => cells(1))
      .toEqual(['ada', '', '', '1', '1', '', '', '2 h ago', expect.stringContaining('1 h ago')])
    await page.getByRole('link', { name: 'ada' }).click()
    await page.getByRole('link', { name: 'answer' }).waitFor()
    await query().toBe('?user=ada')
  })
})

describe('a page whose data change while it waits for an answer', () => {
  it('requests them once more afterwards, however often they have changed', async () => {
    await send(local, traceIdOf(1), turn({}))
    // Counts what the page is told, before the page itself does something about it.
    await page.addInitScript(`{
      globalThis.changes = -1
      const count = () => { globalThis.changes += 1 }
      globalThis.EventSource = class extends EventSource {
        constructor(url) {
          super(url)
          this.addEventListener('open', count)
          this.addEventListener('message', count)
        }
      }
    }`)
    const changes = () => expect.poll(() => page.evaluate('globalThis.changes'))
    await page.goto(`${local.url}/users`)
    await page.getByRole('link', { name: 'ada' }).waitFor()
    await changes().toBe(0)
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    const held = local.respond('GET /viewer/users', { until, times: Number.POSITIVE_INFINITY })
    await send(local, traceIdOf(2), turn({}))
    await expect.poll(() => held.count()).toBe(1)
    for (const at of [3, 4]) {
      await send(local, traceIdOf(at), turn({}))
      await changes().toBeGreaterThanOrEqual(at - 1)
    }
    expect(held.count()).toBe(1)
    release()
    await page.getByRole('cell', { name: '4', exact: true }).waitFor()
    // What was held may show all of it before the other request is sent.
    await expect.poll(() => held.count()).toBe(2)
  })
})

describe('the scores page', () => {
  it('adds and lists scores', async () => {
    await send(local, traceIdOf(1), turn({}))
    await page.goto(`${local.url}/traces/${traceIdOf(1)}`)
    await page.getByRole('treeitem').waitFor()
    await page.getByRole('button', { name: 'Add score' }).first().click()
    await page.getByRole('button', { name: 'Thumbs up' }).click()
    await page.locator('.trace-head .badge.score').waitFor()
    const pane = page.getByRole('region', { name: 'Observation' })
    await pane.getByRole('button', { name: 'Add score' }).click()
    await pane.getByLabel('Name of the score').fill('quality')
    await pane.getByLabel('Value').fill('0.75')
    await pane.getByLabel('Comment').fill('short')
    await pane.getByLabel('Comment').press('Enter')
    await pane.locator('.badge.score').waitFor()
    const given = local
      .scores()
      .map(({ name, value, dataType, observationId, comment }) => [name, value, dataType, observationId, comment])
    expect(given).toEqual([
      ['thumbs', 1, 'BOOLEAN', null, null],
      ['quality', 0.75, 'NUMERIC', '1'.padStart(16, '0'), 'short'],
    ])
    await page.goto(`${local.url}/scores`)
    await page.getByRole('row').nth(2).waitFor()
    await expect
      .poll(async () => (await cells(1)).slice(0, 4))
      .toEqual(['quality', '0.75', 'numeric', 'observation 00000000'])
    await expect.poll(async () => (await cells(2)).slice(0, 3)).toEqual(['thumbs', 'true', 'boolean'])
  })
})

describe('the prompts page', () => {
  it('shows versions, moves labels, and shows a diff', async () => {
    await api('POST /v2/prompts', { name: 'a/b', type: 'text', prompt: 'Hello\nyou', labels: ['production'] })
    await api('POST /v2/prompts', { name: 'a/b', type: 'text', prompt: 'Hello\nthere' })
    await page.goto(`${local.url}/prompts`)
    await page.getByRole('link', { name: 'a/b' }).click()
    await page.getByText('there').waitFor()
    await page.getByRole('link', { name: 'diff' }).click()
    await page.locator('.diff').waitFor()
    await expect.poll(() => page.locator('.diff').textContent()).toBe('  Hello\n- you\n+ there\n')
    await page.getByLabel('Label').fill('production')
    await page.getByRole('button', { name: 'Move label here' }).click()
    await page.locator('.badge', { hasText: 'production' }).waitFor()
  })

  it('shows a chat prompt as a conversation', async () => {
    await api('POST /v2/prompts', {
      name: 'chat',
      type: 'chat',
      prompt: [{ role: 'system', content: 'Be brief, {{name}}.' }],
    })
    await page.goto(`${local.url}/prompts/chat`)
    await page.getByRole('article').getByText('Be brief, {{name}}.').waitFor()
  })
})

describe('the datasets page', () => {
  it('lists items, and shows one completely', async () => {
    await api('POST /v2/datasets', { name: 'set 1' })
    await api('POST /dataset-items', { datasetName: 'set 1', id: 'one', input: { ask: 'far?' }, expectedOutput: 'no' })
    await page.goto(`${local.url}/datasets`)
    await page.getByRole('link', { name: 'set 1' }).click()
    await page.getByRole('link', { name: 'one' }).click()
    await page.getByRole('region', { name: 'Item' }).getByText('far?').waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Item' }).textContent()).toContain('askfar?')
  })
})

describe('the experiments page', () => {
  interface MadeItem {
    readonly output: string
    readonly right: number
    readonly words: number
    readonly failed?: string
  }
  async function sendRun(run: string, at: number, items: readonly MadeItem[]) {
    for (const [index, { output, right, words, failed }] of items.entries()) {
      const attributes = {
        'svc.experiment.id': run,
        'svc.experiment.name': `run ${run}`,
        'svc.experiment.item.id': `i${index}`,
        'svc.experiment.item.expected_output': 'four',
        'svc.observation.output': output,
      }
      const traceId = traceIdOf(at * 100 + index)
      const span = { id: 1, name: 'item', from: at, to: at + 10 * at, attributes, ...(failed && { failed }) }
      await send(local, traceId, [span])
      await api('POST /scores', { name: 'right', value: right, traceId })
      await api('POST /scores', { name: 'words', value: words, traceId })
    }
  }
  const item = (output: string, right: number, words: number) => ({ output, right, words })
  const firsts = () => page.locator('tbody td:first-child').allTextContents()

  beforeEach(async () => {
    await sendRun('a', 1, [item('it is five', 0, 3), item('four', 1, 1), item('four', 1, 1)])
    await sendRun('b', 2, [item('it is four', 1, 3), item('four', 1, 1), { ...item('', 0, 2), failed: 'no answer' }])
  })

  it('lists runs with the averages of their scores, which sort them and are drawn', async () => {
    await page.goto(`${local.url}/experiments?sort=score:words&order=asc`)
    await page.getByRole('cell', { name: 'run b' }).waitFor()
    await expect
      .poll(() => page.getByRole('columnheader').allTextContents())
      .toEqual(['Name', 'Dataset', 'Items', 'Failed', 'right', 'words ↑', 'Cost', 'Latency', 'Started'])
    await expect
      .poll(async () => (await cells(1)).slice(0, 8))
      .toEqual(['run a', '', '3', '0', '0.667', '1.667', '', '10 ms'])
    await expect
      .poll(async () => (await cells(2)).slice(0, 8))
      .toEqual(['run b', '', '3', '1', '0.667', '2', '', '20 ms'])
    await page.getByRole('img', { name: 'words of each run, from run a to run b' }).waitFor()
    await page.getByRole('button', { name: 'words ↑' }).click()
    await query().toBe('?sort=score%3Awords&order=desc')
    await expect.poll(firsts).toEqual(['run b', 'run a'])
    await page.getByRole('searchbox').fill('n A')
    await expect.poll(firsts).toEqual(['run a'])
  })

  it('tells what got better and worse between two runs, by words and by the direction of each score', async () => {
    await page.goto(`${local.url}/experiments/b`)
    await page.getByLabel('beside').selectOption({ label: 'run a' })
    await page.locator('.diff').first().waitFor()
    await query().toBe('?with=a')
    await expect.poll(() => page.locator('.diff').first().textContent()).toBe('it is fivefour')
    await expect
      .poll(() => page.locator('.diff').first().locator('del, ins').allTextContents())
      .toEqual(['five', 'four'])
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(async () => (await page.locator('.diff').first().boundingBox())?.width).toBeGreaterThan(150)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(async () => (await cells(1))[4]).toBe('right 0 → 1 ▲ betterwords 3')
    await expect.poll(async () => (await cells(3))[4]).toBe('right 1 → 0 ▼ worsewords 1 → 2 ▲ better')
    await page.getByLabel('Show').selectOption('different')
    await expect.poll(firsts).toEqual(['i0 ', 'i2 error'])
    await page.getByLabel('Show').selectOption('worse')
    await expect.poll(firsts).toEqual(['i2 error'])
    await page.locator('dl > div', { hasText: 'words' }).getByRole('button').click()
    await expect.poll(async () => (await cells(1))[4]).toContain('words 1 → 2 ▼ worse')
    await page.reload()
    await expect.poll(async () => (await cells(1))[4]).toContain('words 1 → 2 ▼ worse')
  })
})

describe('two traces', () => {
  it('are selected with a key and compared side by side', async () => {
    for (const at of [1, 2]) {
      const messages = (text: string) => JSON.stringify([{ role: 'assistant', content: text }])
      await send(
        local,
        traceIdOf(at),
        turn({ 'svc.observation.output': messages(`Same\nonly ${at}`), 'svc.version': `${at}` }),
      )
    }
    await page.goto(`${local.url}/traces/${traceIdOf(1)}`)
    await page.locator('.detail-head').waitFor()
    await page.keyboard.press('c')
    await page.getByText('Marked').waitFor()
    await page.goto(local.url)
    await page.getByRole('link', { name: 'answer' }).first().waitFor()
    await page.keyboard.press('j')
    await page.locator('.row.selected').waitFor()
    await page.keyboard.press('c')
    await page.locator('.diff').waitFor()
    await expect.poll(() => page.locator('.diff').textContent()).toBe('  assistant:\n  Same\n- only 1\n+ only 2\n')
    await expect.poll(() => page.locator('tr.differs th').allTextContents()).toEqual(['Version, release'])
    await expect
      .poll(() => page.locator('tbody th').allTextContents())
      .toEqual(['Latency', 'Level', 'Version, release'])
  })
})

describe('a trace from a file', () => {
  const price = { key: 'price', value: { doubleValue: 0 } }
  const file = (name: string) =>
    JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            { spans: [{ traceId: traceIdOf(7), spanId: '1'.padStart(16, '0'), name, attributes: [price] }] },
          ],
        },
      ],
    }).replace('"doubleValue":0', '"doubleValue":2.50')

  it('is opened in the viewer, with its numbers', async () => {
    await page.goto(local.url)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(file('from a file')) })
    await page.getByRole('treeitem').getByText('from a file').waitFor()
    await path().toBe(`/traces/${traceIdOf(7)}`)
    const metadata = page.getByRole('region', { name: 'Metadata' })
    await metadata.getByRole('button', { name: 'attributes', exact: false }).first().click()
    await expect.poll(() => metadata.locator('.json-number').allTextContents()).toEqual(['2.50'])
    await page.getByRole('button', { name: 'Span' }).click()
    await page.getByRole('region', { name: 'OTLP' }).getByText('"doubleValue": 2.50').waitFor()
  })

  it('can be dropped or pasted', async () => {
    await page.goto(local.url)
    await page.getByText('Waiting for the first trace').waitFor()
    await page.evaluate(`{
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(file('dropped'))}], 'a.json'))
      dispatchEvent(new DragEvent('drop', { dataTransfer: data }))
    }`)
    await page.getByRole('treeitem').getByText('dropped').waitFor()
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/plain', ${JSON.stringify(file('pasted'))})
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    }`)
    await page.getByRole('treeitem').getByText('pasted').waitFor()
  })

  it('is refused with a message if it is not a trace', async () => {
    await page.goto(local.url)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await page.getByRole('alert').getByText('This is no trace').waitFor()
  })
})
