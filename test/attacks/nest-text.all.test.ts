import { describe, expect, it, onTestFinished } from 'vitest'
import { type RunningApp, startApp } from '../nest/support/column.ts'
import { THIS_NODE } from '../support/nodes.ts'

/** Bytes of a body that Nest takes with Express. */
const SIZE = 90_000

/** A harmless text takes less, and what loads with the first one more. In milliseconds of the processor. */
const ALLOWED_MS = 300
const TIMES = 5

const HOSTILE = ['api_key=', '?key=a', 'Bearer a api_key://:', '"', '\u0085\u202e', '://a:b@', 'sk-']

describe('a text that an application quotes does not stop it, whatever a client sends:', () => {
  it.each(HOSTILE)('%j', async (piece) => {
    const app = await startApp(
      { nest: 12, adapter: 'express', node: THIS_NODE, preload: true },
      { entry: 'refusing.js' },
    )
    onTestFinished(() => app.close())
    const harmless = await spentOn(app, 'word ', 3)
    const hostile = await spentOn(app, piece, 6)
    expect(hostile).toBeLessThan(TIMES * Math.max(harmless, ALLOWED_MS))
    for (const { statusMessage } of refused(app)) expect(String(statusMessage).length).toBeLessThanOrEqual(65_536)
  })
})

const refused = ({ service }: RunningApp) =>
  service.local.observations(({ isRoot, statusMessage }) => isRoot && /^Unrecognized key/.test(statusMessage ?? ''))

/** The time of the processor that the application takes for three requests, until their traces have arrived. */
async function spentOn(app: RunningApp, piece: string, refusals: number): Promise<number> {
  const spent = async () => Number(await (await fetch(`${app.url}/refusing/spent`)).text())
  const before = await spent()
  const bytes = Buffer.byteLength(JSON.stringify(piece)) - 2
  const body = JSON.stringify({ key: piece.repeat(SIZE / bytes) })
  for (let at = 0; at < 3; at++) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${app.url}/refusing`, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    await response.text()
  }
  await app.service.local.waitFor(() => refused(app).length >= refusals, { timeoutMs: 60_000 })
  return (await spent()) - before
}
