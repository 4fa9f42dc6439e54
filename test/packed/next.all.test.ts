import { expect, it } from 'vitest'
import { startNext } from './next-app.ts'
import { checkNextProject } from './next-project.ts'
import { NPM_TIMEOUT, program } from './pack.ts'

checkNextProject('16.4.6', (project) => {
  it(
    'a Next project with a bundled AI SDK logs what of it is recorded, with the remedy',
    async () => {
      const { home, service } = project()
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
            /ai is part of a bundle, so of its calls only requests that svc recognizes are recorded.*Add "ai" to serverExternalPackages/,
          ),
        ])
      }
    },
    NPM_TIMEOUT,
  )
})
