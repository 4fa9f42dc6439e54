import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import { folderOf, type StartWish, start } from '../app.ts'
import { drawing } from '../drawn.ts'
import { CHAT } from './chat.ts'
import { Visitor } from './visitor.ts'

/** Where and how an application runs. */
export function places(service: () => Service, built: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-next-'))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  const traces = async (wish: StartWish) => {
    const app = await start(service(), wish)
    const ada = new Visitor(app)
    await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
    // Of nobody: in `next dev` it is rendered for each request.
    const page = await fetch(`${app.url}/topic/first`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('All about first.')])
    const { local } = service()
    // Its command line kills the server that it runs 100 ms after a signal, whatever that still has to do.
    if (wish.how === 'dev') await drawing(local, ada.user, CHAT)
    const ended = await app.stop()
    expect(await drawing(local, ada.user, CHAT)).toBe(CHAT)
    expect(ended.stderr).not.toMatch(/\[Svc SDK\]/)
    return ended
  }

  describe('a standalone build, moved to a folder without node_modules,', () => {
    beforeAll(() => {
      cpSync(folderOf('app', built, 'standalone'), scratch, { recursive: true, verbatimSymlinks: true })
    })

    it.each([
      ['the preload, on Node 22.15', '22.15.0', { preload: true, env: { TEST_INSTRUMENTATION: 'none' } }],
      ['instrumentation.js, on Node 26', '26.10.0', {}],
    ])('works with %s', async (_, version, wish: StartWish) => {
      const { code } = await traces({ ...wish, standalone: scratch, node: version })
      expect(code).toBe(143)
    })
  })

  describe('next start', () => {
    it.each([
      ['22.15.0', false],
      ['26.10.0', true],
    ])('works on Node %s, with the preload: %s', async (version, preload) => {
      const { code } = await traces({ node: version, preload })
      expect(code).toBe(143)
    })
  })

  describe('next dev', () => {
    it('records traces with the preload and instrumentation.js', async () => {
      await traces({ how: 'dev', preload: true, env: { SVC_FLUSH_INTERVAL: '0.05' } })
      // It compiles everything that is asked for, and on a busy machine.
    }, 600_000)
  })
}
