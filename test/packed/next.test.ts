import { cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { startNext } from './next-app.ts'
import { installPacked, manifestIn, program } from './pack.ts'

/** What `create-next-app` makes, in TypeScript; and a use of svc. */
const project = fileURLToPath(new URL('next', import.meta.url))
const OLDEST = '16.0.11'
const NEWEST = '16.4.6'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

describe.each([OLDEST, NEWEST])('a project of create-next-app, Next %s', (version) => {
  let home: string
  beforeAll(async () => {
    const manifest = await manifestIn(project)
    home = await installPacked({ ...manifest, dependencies: { ...manifest.dependencies, next: version } })
    await cp(project, home, { recursive: true, filter: (source) => !source.endsWith('package.json') })
  }, 300_000)

  it('builds and checks its types without a word of ours', async () => {
    const said = await program(home, 'next', ['build'], service.env)
    expect(said).toMatch(/Compiled successfully/)
    expect(said).not.toMatch(/unrecognized|invalid next\.config|\[Svc SDK\]|Failed|Type error/i)
  }, 300_000)

  it('has a route as one tree, with its user', async () => {
    await using app = await startNext(home, service.env)
    const headers = { cookie: `user=ada-${version}` }
    const init = { method: 'POST', headers, body: JSON.stringify({ question: 'Who was Ada?' }) }
    expect((await fetch(`${app.url}/api/ask`, init)).status).toBe(200)
    await (await fetch(app.url, { headers })).text()
    const { stderr } = await app.stop()
    expect(stderr).not.toContain('[Svc SDK]')
    const all = service.local.observations(({ userId }) => userId === `ada-${version}`)
    const names = new Map(all.map(({ id, name }) => [id, name]))
    expect(all.map(({ name, parentId }) => [names.get(parentId ?? ''), name])).toEqual([
      [undefined, 'ask'],
      ['ask', 'ai.generateText'],
      ['ai.generateText', 'ai.generateText.doGenerate'],
      [undefined, 'greet'],
    ])
  }, 60_000)

  if (version === NEWEST) {
    it('is told that the AI SDK in a bundle is not seen, and what helps', async () => {
      const env = { ...service.env, BUNDLED: 'true' }
      expect(await program(home, 'next', ['build'], env)).toMatch(/Compiled successfully/)
      for (const path of ['/api/five', '/api/six']) {
        await using app = await startNext(home, env)
        for (const body of ['Hello', 'Again']) {
          expect((await fetch(app.url + path, { method: 'POST', body })).status).toBe(200)
        }
        const { stdout, stderr } = await app.stop()
        expect((stdout + stderr).match(/\[Svc SDK\].*/g), path).toEqual([
          expect.stringMatching(
            /ai is part of a bundle, so its calls are not recorded.*Add "ai" to serverExternalPackages/,
          ),
        ])
      }
    }, 300_000)
  }
})
