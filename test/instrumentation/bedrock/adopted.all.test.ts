import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { rendered, tracesByCase } from '../harness/tree.ts'

const app = fileURLToPath(new URL('app.mjs', import.meta.url))

/** The calls of the application, as the service has them. */
async function tracesWith(env: Readonly<Record<string, string>>) {
  const { local, models, close } = await startService()
  try {
    const { code, stderr } = await runNode([...PRELOAD, app, models.url], { cwd, env: { ...local.env, ...env } })
    expect([code, stderr]).toEqual([0, ''])
    const traces = Object.values(tracesByCase(local.observations())).flat()
    return traces.map((trace) => rendered(trace)).join('\n')
  } finally {
    await close()
  }
}

const scopesIn = (text: string) => [...new Set(text.match(/(?<=scope: ).*/g))]

it('Bedrock calls are not recorded by the AWS SDK instrumentation as well', async () => {
  const text = await tracesWith({ SVC_INSTRUMENTATIONS: 'bedrock,aws-sdk' })
  expect(scopesIn(text)).toEqual(['@svc/instrumentation-bedrock'])
  expect(text.match(/GENERATION/g)).toHaveLength(6)
})

it('Bedrock calls recorded by the AWS SDK instrumentation alone have content, streamed or not', async () => {
  const text = await tracesWith({ SVC_INSTRUMENTATIONS: 'aws-sdk' })
  expect(scopesIn(text)).toEqual(['@opentelemetry/instrumentation-aws-sdk'])
  await expect(text).toMatchFileSnapshot('adopted.txt')
})

it('Bedrock calls recorded by the AWS SDK instrumentation have no content if content is switched off', async () => {
  const text = await tracesWith({
    SVC_INSTRUMENTATIONS: 'aws-sdk',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false',
  })
  expect(text.match(/GENERATION/g)).toHaveLength(6)
  expect(text).not.toContain('span?')
})

it('Bedrock calls recorded by the AWS SDK instrumentation have bounded content', async () => {
  const text = await tracesWith({ SVC_INSTRUMENTATIONS: 'aws-sdk', SVC_CONTENT_MAX_BYTES: '20' })
  expect(text).toContain('[truncated by svc')
})
