import { expect } from 'vitest'
import { agentAt } from './agent.ts'
import { send, spanId, traceIdOf } from './traces.ts'
import { local, page } from './use-page.ts'

export const TRACE = traceIdOf(1)

export async function sendAgent(): Promise<void> {
  const startedAt = Date.now()
  await send(local, TRACE, agentAt(startedAt), startedAt)
}

/** Opens the trace, at that observation. The page takes keys once an observation is there, not with the first line. */
export async function open(id?: number): Promise<void> {
  await page.goto(`${local.url}/traces/${TRACE}${id === undefined ? '' : `?observation=${spanId(id)}`}`)
  await page.locator('.detail-head').waitFor()
}

export const lines = () => page.getByRole('treeitem')
export const pane = () => page.getByRole('region', { name: 'Observation' })
export const selected = () =>
  expect.poll(() => page.getByRole('treeitem', { selected: true }).locator('a').textContent())
