import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installChat } from './installed.ts'
import { NPM_TIMEOUT, run } from './pack.ts'

let service: Service
let home: string

/** A peer dependency of ours, which is a hundred megabytes. */
const VITEST = fileURLToPath(new URL('../../node_modules/vitest', import.meta.url))

beforeAll(async () => {
  service = await startService()
  home = await installChat({ 'api-1.9': 'npm:@opentelemetry/api@1.9.0' })
  await symlink(VITEST, join(home, 'node_modules/vitest'), 'junction')
}, NPM_TIMEOUT)
afterAll(() => service.close())

const spansOf = (release: string) =>
  service.local
    .spans()
    .filter((span) => span.attributes['svc.release'] === release)
    .map(({ name }) => name)

describe('the packages as npm installs them', () => {
  it('record beside an older @opentelemetry/api that was loaded first', async () => {
    const first = `require('api-1.9').propagation.setGlobalPropagator({ inject() {}, extract: (it) => it, fields: () => [] })`
    await writeFile(join(home, 'older.cjs'), first)
    const args = ['--require', './older.cjs', '--import', '@svc/register', 'chat.mjs']
    const env = { ...service.env, SVC_RELEASE: 'older API' }
    const { code, stdout, stderr } = await runNode(args, { cwd: home, env })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    expect(spansOf('older API')).toEqual(['chat gpt-test'])
  })

  it('run an experiment as tests, whose items become traces', async () => {
    const evals = fileURLToPath(new URL('../client/evals/', import.meta.url))
    for (const name of ['words.eval.mjs', 'vitest.config.mjs']) await cp(join(evals, name), join(home, name))
    const env = { ...service.env, SVC_RELEASE: 'evals' }
    const { code, stdout, stderr } = await runNode(['node_modules/vitest/vitest.mjs', 'run'], { cwd: home, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('3 passed')
    expect(spansOf('evals')).toEqual(Array(3).fill('experiment-item-run'))
  })

  it.each([
    [['local', '--help'], '--port'],
    [['migrate', 'datasets', '--help'], '--dataset'],
  ])('bring the commands of svc: %j', async (args, flag) => {
    const { stdout } = await run(join(home, 'node_modules/.bin/svc'), args)
    expect(stdout).toContain(flag)
  })

  it('say in svc migrate code how it is done now, from the page that they bring', async () => {
    await mkdir(join(home, 'old'))
    await writeFile(join(home, 'old/app.mjs'), "import { SvcClient } from '@svc/client'\nnew SvcClient().fetchTraces()")
    const { code, stdout } = await runNode(['node_modules/@svc/cli/bin/svc.js', 'migrate', 'code', 'old', '--check'], {
      cwd: home,
    })
    expect(code).toBe(1)
    expect(stdout).toContain('Everything is read as observations')
  })
})
