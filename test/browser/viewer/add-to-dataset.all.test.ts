import { expect, it } from 'vitest'
import { call } from '../../../packages/local/test/support/api.ts'
import { send, traceIdOf } from './traces.ts'
import { complains, local, page, usePage } from './use-page.ts'

usePage()

const items = async () => (await call(local, 'GET /dataset-items?datasetName=failed')).body.data
const add = async (within: string, button: string, expected = '') => {
  const place = page.locator(within)
  await place.getByRole('button', { name: button }).click()
  await place.getByLabel('Dataset', { exact: true }).fill('failed')
  await place.getByLabel('Expected output').fill(expected)
  await place.getByRole('button', { name: button }).click()
}

it('the selected traces, and an observation, are added to a dataset once', async () => {
  for (const at of [1, 2, 3]) {
    const attributes = { 'svc.observation.input': `{"at":${at}.0}` }
    const root = { id: 1, name: `ask ${at}`, from: 0, to: 10, attributes }
    const call = { id: 2, parent: 1, name: 'call', from: 1, to: 9, attributes: { 'svc.observation.input': 'prompt' } }
    await send(local, traceIdOf(at), [root, call], Date.now() - at * 1_000)
  }
  await page.goto(local.url)
  await page.getByText('3 traces').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByLabel('Select row 2').click()
  await add('.list', 'Add 2 to dataset', 'Oslo')
  await page.getByText('2 added to failed').waitFor()
  // It is not there before.
  await complains(/404/)
  expect(await items()).toMatchObject([
    { input: { at: 1 }, expectedOutput: 'Oslo', sourceTraceId: traceIdOf(1), sourceObservationId: null },
    { input: { at: 2 }, expectedOutput: 'Oslo', sourceTraceId: traceIdOf(2), sourceObservationId: null },
  ])

  await page.goto(`${local.url}/traces/${traceIdOf(1)}`)
  await page.getByRole('link', { name: 'call' }).click()
  await page.locator('.detail').getByRole('heading', { name: 'call' }).waitFor()
  await add('.detail', 'Add to dataset')
  await page.getByText('1 added to failed').waitFor()
  expect((await items())[2]).toMatchObject({
    input: 'prompt',
    expectedOutput: null,
    sourceObservationId: expect.any(String),
  })

  await add('.trace-head', 'Add to dataset')
  await page.getByText('0 added to failed, the rest is in it').waitFor()
  expect(await items()).toHaveLength(3)

  await page.goto(`${local.url}/datasets/failed`)
  await page.getByRole('cell', { name: '{"at":1.0}' }).waitFor()
})
