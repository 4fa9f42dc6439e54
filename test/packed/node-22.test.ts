import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeOf } from '../support/nodes.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked } from './pack.ts'

const apps = fileURLToPath(new URL('../preload/apps', import.meta.url))

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  home = await installPacked(
    { dependencies: { openai: '7.55.0' } },
    { only: ['@svc/register', '@svc/otel', '@svc/client'] },
  )
  for (const name of ['chat.mjs', 'chat.cjs']) await cp(join(apps, name), join(home, name))
}, 180_000)
afterAll(() => service.close())

/** Before 22.12 Node may not require ES modules, before 22.15 it cannot hook them. */
describe.each(['22.0.0', '22.11.0', '22.14.0'])('Node %s', (version) => {
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  }, 60_000)

  it.each([
    ['--import', 'chat.cjs', ['chat gpt-test']],
    ['--require', 'chat.cjs', ['chat gpt-test']],
    ['--import', 'chat.mjs', []],
  ])('under %s @svc/register sees %s as far as it is CommonJS, and says so in one line', async (flag, name, names) => {
    const release = `${version} ${flag} ${name}`
    const env = { ...service.env, SVC_RELEASE: release }
    const { code, stdout, stderr } = await runNode([flag, '@svc/register', name], { node, cwd: home, env })
    expect({ code, stdout, lines: stderr.trim().split('\n') }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^answer: /),
      lines: [
        expect.stringMatching(/shows svc the libraries that are loaded as CommonJS .* Update to Node 22\.15 or later/),
      ],
    })
    const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
    expect(spans.map((span) => span.name)).toEqual(names)
  })

  it.each(['@svc/otel', '@svc/client'])('requires and imports %s', async (name) => {
    const required = await runNode(['-p', `Object.keys(require('${name}')).length > 0`], { node, cwd: home })
    const imported = await runNode(['-e', `import('${name}').then((it) => console.log(Object.keys(it).length > 0))`], {
      node,
      cwd: home,
    })
    expect([required.stdout, imported.stdout]).toEqual(['true\n', 'true\n'])
  })
})
