import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installProject, NPM_TIMEOUT, program } from './pack.ts'

// What `nest new` of Nest 12 makes: Vitest, ECMAScript modules; and a use of svc that its configuration knows nothing of.
let home: string
let service: Service
beforeAll(async () => {
  service = await startService()
  home = await installProject('nest-12')
}, NPM_TIMEOUT)
afterAll(() => service?.close())

describe('a Nest 12 project created by nest new', () => {
  it('passes its tests in Vitest without configuration or output', async () => {
    const printed = await program(home, 'vitest', ['run', '--no-color'], service.env)
    expect(/^ +Tests +.*$/m.exec(printed)?.[0].trim(), printed).toBe('Tests  2 passed (2)')
    expect(printed).not.toMatch(/stderr \||svc:/)
  })

  it('compiles, and records its first requests', async () => {
    expect(await program(home, 'tsc')).toBe('')
    const app = startNode(['--import', '@svc/register', 'dist/src/main.js'], { cwd: home, env: service.env })
    const [, port] = await app.printed(/listening (\d+)/)
    const url = `http://127.0.0.1:${port}`
    expect(await (await fetch(url)).text()).toBe('Hello World!')
    await (await fetch(`${url}/ask`)).text()
    app.kill('SIGTERM')
    const { stderr } = await app.ended
    expect(stderr).toBe('')
    const { local } = service
    const roots = local.observations(({ isRoot }) => isRoot)
    const below = (id: string) => local.observations(({ parentId }) => parentId === id).map(({ name }) => name)
    expect(roots.map(({ id, name, userId }) => [name, userId, below(id)])).toEqual([
      ['AppController.getHello', '7', ['AppService.getHello']],
      ['AppController.ask', null, ['chat gpt-test']],
    ])
  })
})
