import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sendAgent, TRACE } from './trace-page.ts'
import { send, spanId, traceIdOf } from './traces.ts'
import { local, page, usePage } from './use-page.ts'

usePage()

const RUNS = [
  ['baseline', 'Your order has left our house.', [0.25, 0.5, 0.75, 0.5]],
  ['short prompt', 'Your order is on its way.', [0.5, 0.75, 0.75, 0.5]],
  ['new model', 'Your order is on its way, and arrives tomorrow.', [1, 0.75, 0.5, 1]],
] as const

async function sendRuns(): Promise<void> {
  for (const [at, [run, output, scores]] of RUNS.entries()) {
    for (const [n, value] of scores.entries()) {
      const traceId = traceIdOf(10 * (at + 1) + n)
      const attributes = {
        'svc.experiment.id': run,
        'svc.experiment.name': run,
        'svc.experiment.item.id': `question ${n + 1}`,
        'svc.experiment.item.expected_output': 'It is on its way.',
        'svc.observation.input': 'Where is my order?',
        'svc.observation.output': output,
      }
      const span = { id: 1, name: 'experiment-item-run', from: 0, to: 900 + 200 * at, attributes }
      await send(local, traceId, [span], Date.now() - 600_000 + at * 100_000)
      await page.request.post(`${local.url}/api/public/scores`, {
        headers: { authorization: `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}` },
        data: { name: 'accuracy', value, traceId },
      })
    }
  }
}

const CHATS = [
  ['support chat', 'Where is my parcel?', 'It arrives tomorrow before noon.', 'grace@example.com'],
  ['support chat', 'Can I still change the address?', 'Yes, until it leaves our house tonight.', 'linus@example.com'],
  ['title', 'Find a title for this conversation.', 'A broken lamp', 'ada@example.com'],
  ['support chat', 'Do you sell bulbs for it?', 'We do: E14, warm white, in packs of two.', 'grace@example.com'],
  ['summary', 'Sum up the last ten orders.', 'Seven lamps, two shades, one return.', 'ops@example.com'],
] as const

async function sendChats(): Promise<void> {
  for (const [at, [name, input, output, user]] of CHATS.entries()) {
    const attributes = {
      'svc.observation.type': 'generation',
      'svc.observation.model.name': 'gpt-4.1-mini',
      'svc.observation.usage_details': JSON.stringify({ input: 210 + 90 * at, output: 31 + 12 * at }),
      'svc.observation.input': input,
      'svc.observation.output': output,
      'user.id': user,
      'session.id': `chat-${at + 8}`,
    }
    await send(
      local,
      traceIdOf(100 + at),
      [{ id: 1, name, from: 0, to: 640 + 310 * at, attributes }],
      Date.now() - 20_000 * (at + 1),
    )
  }
}

/** With `--update` the pictures are made anew. */
const isUpdate = () => Reflect.get(expect.getState().snapshotState, '_updateSnapshot') === 'all'

it('the pages that docs/local.md shows have what it says of them', async () => {
  await sendRuns()
  await sendChats()
  await sendAgent()
  await page.setViewportSize({ width: 1440, height: 640 })
  for (const [name, path, there] of [
    ['traces', '/', '.row .name'],
    ['trace', `/traces/${TRACE}?observation=${spanId(8)}`, '.message'],
    ['experiments', '/experiments?sort=score:accuracy', '.chart rect'],
    ['comparison', '/experiments/new%20model?with=baseline', '.badge.better'],
  ] as const) {
    await page.goto(local.url + path)
    await page.locator(there).first().waitFor()
    const picture = await page.screenshot()
    if (isUpdate()) writeFileSync(new URL(`../../../docs/images/local-${name}.png`, import.meta.url), picture)
  }
})
