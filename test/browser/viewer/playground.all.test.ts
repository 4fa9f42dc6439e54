import { once } from 'node:events'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { agentAt } from './agent.ts'
import { send, spanId, traceIdOf } from './traces.ts'
import { local, page, usePage } from './use-page.ts'

const KEY = 'sk-the-users-own-key'
const TRACE = traceIdOf(1)

let models: ModelServer
/** Waited for before each chunk of an answer but the first. */
let pause: (chunk: number) => unknown
beforeAll(async () => {
  models = await startModelServer({ pause: (chunk) => pause(chunk) })
})
beforeEach(() => {
  pause = () => {}
})
afterAll(() => models.close())

usePage(() => ({
  playground: {
    openai: { apiKey: KEY, baseUrl: `${models.url}/v1` },
    anthropic: { apiKey: KEY, baseUrl: models.url },
  },
}))

it('the playground sends a modified generation to the model, and the key never reaches the page', async () => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    // Chromium keeps no streams: call-model.test.ts reads those of the playground.
    const kept = response.url().includes('/viewer/') && !/\/(?:live|playground)$/.test(response.url())
    if (kept) answers.push(response.text())
  })
  const startedAt = Date.now()
  await send(local, TRACE, agentAt(startedAt), startedAt)
  await page.goto(`${local.url}/traces/${TRACE}?observation=${spanId(8)}`)
  await page.getByRole('link', { name: 'Playground' }).click()
  const roles = page.getByRole('combobox', { name: /^Role of message/ })
  const given = async () => Promise.all((await roles.all()).map((role) => role.inputValue()))
  await expect.poll(given).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
  await expect.poll(() => page.getByRole('textbox', { name: 'Tools' }).inputValue()).toContain('search_policies')
  for (let at = 5; at > 2; at -= 1) await page.getByRole('button', { name: `Remove message ${at}` }).click()
  await page.getByRole('textbox', { name: 'Message 2' }).fill('What is the weather in Oslo?')
  await page.getByRole('textbox', { name: 'Model' }).fill('gpt-4.1-mini')
  const answer = page.getByRole('region', { name: 'Answer' })
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('find_order').waitFor()
  expect(models.requests().at(-1)).toMatchObject({
    path: '/v1/chat/completions',
    body: { model: 'gpt-4.1-mini', stream: true, temperature: 0.2, messages: [{ role: 'system' }, { role: 'user' }] },
  })
  await page.getByRole('combobox', { name: 'Vendor' }).selectOption('anthropic')
  await page.getByRole('textbox', { name: 'Message 2' }).fill('Tell me something')
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('You asked "Tell me something"').waitFor()
  const trace = await (await page.request.get(`${local.url}/viewer/traces`)).json()
  expect(trace).toMatchObject({ total: 1 })
  const seen = [...(await Promise.all(answers)), await page.content()]
  expect(seen.length).toBeGreaterThan(4)
  expect(seen.filter((text) => text.includes(KEY))).toEqual([])
})

async function openPlayground() {
  await send(local, TRACE, agentAt(Date.now()))
  await page.goto(`${local.url}/playground?trace=${TRACE}&observation=${spanId(3)}`)
  const answer = page.getByRole('region', { name: 'Answer' })
  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message 2' }).fill(text)
    await page.getByRole('textbox', { name: 'Tools' }).fill('[]')
    await page.getByRole('button', { name: 'Run' }).click()
  }
  return { answer, ask }
}

it('the playground asks with the tools and the structured output of the call that it was opened from', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const format = { type: 'json_schema', json_schema: { name: 'place', schema } }
  const tools = [{ type: 'function', function: { name: 'find_place', parameters: schema } }]
  const attributes = {
    'svc.observation.type': 'generation',
    'svc.observation.model.name': 'gpt-4.1-mini',
    'svc.observation.model.parameters': JSON.stringify({ response_format: JSON.stringify(format) }),
    'svc.observation.input': JSON.stringify({ messages: [{ role: 'user', content: 'Where?' }], tools }),
  }
  await send(local, TRACE, [{ id: 1, name: 'ask', from: 0, to: 1, attributes }])
  await page.goto(`${local.url}/playground?trace=${TRACE}&observation=${spanId(1)}`)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Answer' }).waitFor()
  expect(models.requests().at(-1)?.body).toMatchObject({ response_format: format, tools })
})

it('the playground shows a response while it is streamed', async () => {
  let goOn = () => {}
  const pausing = new Promise<void>((resolve) => {
    goOn = resolve
  })
  pause = (chunk) => (chunk < 4 ? undefined : pausing)
  const { answer, ask } = await openPlayground()
  await ask('count to ten')
  await answer.getByText('You asked').waitFor()
  await expect.poll(() => answer.getAttribute('aria-busy')).toBe('true')
  await expect.poll(() => answer.textContent()).not.toContain('count to ten')
  goOn()
  await answer.getByText('You asked "count to ten"').waitFor()
  await page.getByRole('button', { name: 'Run' }).waitFor()
  await expect.poll(() => answer.getAttribute('aria-busy')).toBe('false')
})

it('a playground call is stopped by its button, and when the page closes', async () => {
  const stopped = new AbortController()
  pause = (chunk) => (chunk < 4 ? undefined : once(stopped.signal, 'abort'))
  const { answer, ask } = await openPlayground()
  await ask('count to ten')
  await answer.getByText('You asked').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Run' }).waitFor()
  await expect.poll(() => answer.textContent()).toContain('You asked')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await ask('count again')
  await answer.getByText('You asked').waitFor()
  const left = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/viewer/playground'))
  await page.getByRole('link', { name: 'Traces' }).click()
  await left
  stopped.abort()
})

it('a playground response that breaks off stays on the page, with the reason in one line', async () => {
  const { answer, ask } = await openPlayground()
  await page.getByRole('textbox', { name: 'Model' }).fill('cut')
  await ask('count to ten')
  await page.getByRole('alert').getByText('The model did not finish its answer').waitFor()
  await expect.poll(() => answer.count()).toBe(1)
})

it('an invalid playground field is named in the message', async () => {
  await send(local, TRACE, agentAt(Date.now()))
  await page.goto(`${local.url}/playground?trace=${TRACE}&observation=${spanId(3)}`)
  await page.getByRole('textbox', { name: 'Parameters' }).fill('{')
  await page.getByRole('button', { name: 'Run' }).click()
  await page
    .getByRole('alert')
    .getByText(/^Parameters: /)
    .waitFor()
})
