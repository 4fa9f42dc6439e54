import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentAt } from './agent.ts'
import { send, spanId, traceIdOf } from './traces.ts'
import { local, page, usePage } from './use-page.ts'

const KEY = 'sk-the-users-own-key'
const TRACE = traceIdOf(1)

let models: ModelServer
beforeAll(async () => {
  models = await startModelServer()
})
afterAll(() => models.close())

usePage(() => ({
  playground: {
    openai: { apiKey: KEY, baseUrl: `${models.url}/v1` },
    anthropic: { apiKey: KEY, baseUrl: models.url },
  },
}))

it('a generation is changed and sent to the model again, and the key never reaches the page', async () => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    const ends = response.url().includes('/viewer/') && !response.url().endsWith('/live')
    if (ends) answers.push(response.text())
  })
  const begun = Date.now()
  await send(local, TRACE, agentAt(begun), begun)
  await page.goto(`${local.url}/traces/${TRACE}?observation=${spanId(8)}`)
  await page.getByRole('link', { name: 'Playground' }).click()
  const roles = page.getByRole('combobox', { name: /^Role of message/ })
  await roles.first().waitFor()
  const given = await Promise.all((await roles.all()).map((role) => role.inputValue()))
  expect(given).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
  expect(await page.getByRole('textbox', { name: 'Tools' }).inputValue()).toContain('search_policies')
  for (let at = 5; at > 2; at -= 1) await page.getByRole('button', { name: `Remove message ${at}` }).click()
  await page.getByRole('textbox', { name: 'Message 2' }).fill('What is the weather in Oslo?')
  await page.getByRole('textbox', { name: 'Model' }).fill('gpt-4.1-mini')
  const answer = page.getByRole('region', { name: 'Answer' })
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('find_order').waitFor()
  expect(models.requests().at(-1)).toMatchObject({
    path: '/v1/chat/completions',
    body: { model: 'gpt-4.1-mini', temperature: 0.2, messages: [{ role: 'system' }, { role: 'user' }] },
  })
  await page.getByRole('combobox', { name: 'Vendor' }).selectOption('anthropic')
  await page.getByRole('textbox', { name: 'Message 2' }).fill('Tell me something')
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByText('You asked "Tell me something"').waitFor()
  const trace = await (await fetch(`${local.url}/viewer/traces`)).json()
  expect(trace).toMatchObject({ total: 1 })
  const seen = await Promise.all(answers)
  expect(seen.length).toBeGreaterThan(4)
  expect(seen.filter((text) => text.includes(KEY))).toEqual([])
})

it('what cannot be sent is said where it was typed', async () => {
  await send(local, TRACE, agentAt(Date.now()))
  await page.goto(`${local.url}/playground?trace=${TRACE}&observation=${spanId(3)}`)
  await page.getByRole('textbox', { name: 'Parameters' }).fill('{')
  await page.getByRole('button', { name: 'Run' }).click()
  await page
    .getByRole('alert')
    .getByText(/^Parameters: /)
    .waitFor()
})
