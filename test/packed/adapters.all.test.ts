import { cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT } from './pack.ts'

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  const dependencies = {
    openai: '7.55.0',
    '@opentelemetry/api': '1.10.0',
    express: '5.3.0',
    fastify: '5.12.8',
    'serverless-http': '4.0.0',
    '@codegenie/serverless-express': '5.0.0',
    '@fastify/aws-lambda': '6.4.1',
    '@nestjs/common': '12.5.1',
    '@nestjs/core': '12.5.1',
    '@nestjs/platform-express': '12.5.1',
    '@nestjs/platform-fastify': '12.5.0',
    'reflect-metadata': '0.2.2',
    rxjs: '7.8.2',
  }
  const only = ['@svc/register', '@svc/tracing', '@svc/nestjs']
  home = await installPacked({ type: 'module', dependencies } as object, { only, args: ['--legacy-peer-deps'] })
  await cp(fileURLToPath(new URL('adapters', import.meta.url)), home, { recursive: true })
}, NPM_TIMEOUT)
afterAll(() => service.close())

/** Invokes a function for two users, whose process is killed with the last answer. */
async function invoke(handler: string, flags: readonly string[]) {
  const before = service.local.spans().length
  const env = {
    ...service.env,
    _HANDLER: `adapters.${handler}`,
    LAMBDA_TASK_ROOT: home,
    AWS_LAMBDA_FUNCTION_NAME: 'shop',
    SVC_INVOCATION_TIMEOUT: '60',
  }
  const program = startNode([...flags, 'invoke.mjs'], { cwd: home, env, asBuilt: true })
  const { signal, stdout, stderr } = await program.ended
  expect({ signal, answers: stdout.match(/^200 .*answer/gm)?.length }).toEqual({ signal: 'SIGKILL', answers: 2 })
  return { stderr, told: stdout + stderr, spans: service.local.spans().slice(before) }
}

/*
 * shop                  the function
 * └─ Users.answer       of Nest
 *    └─ a model call
 */
describe('an invocation of an application behind an adapter is one trace, delivered with its answer', () => {
  it.each<[string, string, readonly string[]]>([
    ['serverless-http', 'serverless', []],
    ['@codegenie/serverless-express', 'codegenie', []],
    ['@fastify/aws-lambda', 'injected', []],
    ['@codegenie/serverless-express, for Nest', 'nested', ['Users.answer']],
    ['@fastify/aws-lambda, for Nest', 'nestedFastify', ['Users.answer']],
  ])('%s', async (_, handler, between) => {
    const { stderr, spans } = await invoke(handler, ['--import', '@svc/register'])
    expect(stderr).toBe('')
    const seen = spans.map(({ name, attributes, parentSpanId }) => [
      attributes['user.id'],
      spans.find(({ spanId }) => spanId === parentSpanId)?.name,
      name,
      attributes['svc.observation.level'] ?? 'DEFAULT',
    ])
    const names = ['shop', ...between, 'chat gpt-test']
    const wanted = ['ann', 'bob'].flatMap((user) => names.map((name, at) => [user, names[at - 1], name, 'DEFAULT']))
    expect(seen.sort()).toEqual(wanted.sort())
  })
})

it('without the preload SvcModule says that no invocation waits for its spans, and a flush delivers them', async () => {
  const { told, spans } = await invoke('flushed', [])
  expect(told.match(/svc was not preloaded.*/g)).toEqual([
    expect.stringContaining(
      'and no invocation of AWS Lambda waits until what it recorded is delivered. Start Node with',
    ),
  ])
  const names = spans.map(({ name, attributes }) => `${attributes['user.id']} ${name}`)
  expect(names.sort()).toEqual(['ann Users.answer', 'ann chat gpt-test', 'bob Users.answer', 'bob chat gpt-test'])
})
