import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { tracesByCase } from '../harness/tree.ts'

it('each run is recorded once with two copies of LangChain', async () => {
  const { local, models, env, close } = await startService()
  const app = fileURLToPath(new URL('copies.mjs', import.meta.url))
  await runNode([...PRELOAD, app, models.url], { cwd, env: { ...env, SVC_LOG_LEVEL: 'ERROR' } })
  const traces = tracesByCase(local.observations())
  await close()
  const names = Object.entries(traces).map(([name, [root]]) => {
    const [chain, ...others] = root?.below ?? []
    return [name, chain?.below.map((step) => step.observation.name), others]
  })
  const steps = ['ChatPromptTemplate', 'chat gpt-4o-mini', 'StrOutputParser']
  expect(names).toEqual([
    ['core-0.3.80', steps, []],
    ['core-1', steps, []],
  ])
})
