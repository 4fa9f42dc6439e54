import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'

const app = fileURLToPath(new URL('app.mjs', import.meta.url))

/** The scopes of what one call of a model becomes. */
async function scopesWith(SVC_INSTRUMENTATIONS: string): Promise<string[]> {
  const { local, models, close } = await startService()
  try {
    const { code, stderr } = await runNode([...PRELOAD, app, models.url], {
      cwd,
      env: { ...local.env, SVC_INSTRUMENTATIONS },
    })
    expect([code, stderr]).toEqual([0, ''])
    return local.observations().map(({ metadata }) => (metadata as { scope: { name: string } }).scope.name)
  } finally {
    await close()
  }
}

it('a call that ours record is not recorded by the instrumentation of the AWS SDK as well', async () => {
  expect(await scopesWith('bedrock,aws-sdk')).toEqual(['@svc/instrumentation-bedrock'])
})

it('without ours it is', async () => {
  expect(await scopesWith('aws-sdk')).toEqual(['@opentelemetry/instrumentation-aws-sdk'])
})
