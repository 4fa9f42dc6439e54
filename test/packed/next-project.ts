import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { startNext } from './next-app.ts'
import { installProject, NPM_TIMEOUT, program } from './pack.ts'

export interface NextProject {
  readonly home: string
  readonly service: Service
}

/** What has to be so with each version of Next, and what more is to be seen with this one. */
export function checkNextProject(version: string, more: (project: () => NextProject) => void = () => {}): void {
  describe(`a project of create-next-app, Next ${version}`, () => {
    let service: Service
    let home: string
    beforeAll(async () => {
      service = await startService()
      // What `create-next-app` makes, in TypeScript; and a use of svc.
      home = await installProject('next', { next: version })
    }, NPM_TIMEOUT)
    afterAll(() => service?.close())

    it(
      'builds and checks its types without output of svc',
      async () => {
        const printed = await program(home, 'next', ['build'], service.env)
        expect(printed).toMatch(/Compiled successfully/)
        expect(printed).not.toMatch(/unrecognized|invalid next\.config|\[Svc SDK\]|Failed|Type error/i)
      },
      NPM_TIMEOUT,
    )

    it('records a route as one trace with its user', async () => {
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
    })

    more(() => ({ home, service }))
  })
}
