import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { installPacked, run } from './pack.ts'

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const FLAGS = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', 'node']

const application = `
import { getSvcHealth } from '@svc/register'
import { start, type StartOptions } from '@svc/register/start'
import { toolHere } from '@svc/register/tool'

const options: StartOptions = {
  serviceName: 'shop',
  scopes: { '@opentelemetry/instrumentation-http': 'keep' },
  mask: ({ data }) => data,
  shouldExportSpan: ({ otelSpan }) => otelSpan.name.startsWith('chat'),
}
export const health: number | undefined = getSvcHealth()?.ended
export const flushed: Promise<void> | undefined = start(options)?.forceFlush()
export const tool: string | undefined = toolHere()
// @ts-expect-error a treatment that there is not
start({ scopes: { http: 'maybe' } })
// @ts-expect-error a number of spans
start({ flushAt: 'all' })
`

let home: string
beforeAll(async () => {
  home = await installPacked({ dependencies: { '@types/node': '22.19.1' } }, { only: ['@svc/register'] })
}, 180_000)

it.each(['app.mts', 'app.cts'])('the types of @svc/register need no other packages: %s', async (name) => {
  await writeFile(join(home, name), application)
  const compiled = run(process.execPath, [TSC, ...FLAGS, name], { cwd: home })
  const errors = await compiled.then(
    () => '',
    ({ stdout }) => String(stdout),
  )
  expect(errors).toBe('')
})
