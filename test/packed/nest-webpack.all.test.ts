import { cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, manifestIn, NPM_TIMEOUT, program } from './pack.ts'

const project = fileURLToPath(new URL('nest-11', import.meta.url))

// The project of Nest 11 as its program bundles it, without the packages of ours that @svc/nestjs can do without.
let home: string
let service: Service
beforeAll(async () => {
  service = await startService()
  const { dependencies } = await manifestIn(project)
  const more = { '@nestjs/cli': '11.0.13', 'ts-loader': '9.6.2', typescript: '5.9.3', '@types/node': '22.19.1' }
  const manifest = { dependencies: { ...dependencies, ...more, '@opentelemetry/api': '1.10.0' } }
  const only = ['@svc/register', '@svc/nestjs']
  home = await installPacked(manifest, { only, args: ['--legacy-peer-deps', '--ignore-scripts'] })
  await cp(project, home, { recursive: true, filter: (source) => !/package\.json$|classic|\.spec\./.test(source) })
}, NPM_TIMEOUT)
afterAll(() => service?.close())

it.each([
  ['without its packages', []],
  ['with all of them', ['--webpackPath', 'bundled.config.js']],
])('nest build --webpack makes a bundle %s, and its requests are recorded', async (_, args) => {
  const printed = await program(home, 'nest', ['build', '--webpack', ...args])
  expect(printed).toContain('successfully')
  const before = service.local.spans().length
  const app = startNode(['--import', '@svc/register', 'dist/main.js'], { cwd: home, env: service.env, asBuilt: true })
  const [, port] = await app.printed(/listening (\d+)/)
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('Hello World!')
  app.kill('SIGTERM')
  expect((await app.ended).stderr).toBe('')
  const spans = service.local.spans().slice(before)
  expect(spans.map(({ name, attributes }) => [name, attributes['user.id']])).toEqual([
    ['AppService.getHello', '7'],
    ['AppController.getHello', '7'],
  ])
})
