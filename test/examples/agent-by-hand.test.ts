import { renderTrace } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('agent-by-hand')

type Trace = ReturnType<Service['local']['traces']>[number]

/** A trace as nested literals: who it belongs to, and each observation with what is in it. */
function drawn({ name, userId, sessionId, public: isPublic, tags, observations }: Trace) {
  const below = (parent: string | null): object[] =>
    observations
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, type, name, input, output }) => {
        const children = below(id)
        // The messages of the model are covered by the instrumentation's own tests.
        const values = type === 'GENERATION' ? {} : { input, output }
        return { [`${type} ${name}`]: { ...values, ...(children.length > 0 ? { children } : {}) } }
      })
  return { name, userId, sessionId, public: isPublic, tags, observations: below(null) }
}

describe('examples/agent-by-hand', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  async function ask(...question: string[]) {
    const before = service.local.traces().map(({ traceId }) => traceId)
    const run = await runNode([...args, ...question], { cwd: folder, env: service.env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const [trace, ...others] = service.local.traces().filter(({ traceId }) => !before.includes(traceId))
    if (!trace || others.length > 0) throw new Error(`expected one more trace, got ${others.length + (trace ? 1 : 0)}`)
    return { trace, answer: run.stdout.trim() }
  }

  it('creates the trace shown at the end of its README, with user and session on every span', async () => {
    const { trace, answer } = await ask()
    const question = 'What is the weather in Paris and Rome?'
    const weatherIn = (city: string) => ({ input: { city }, output: { city, degrees: 21, sky: 'clear' } })
    expect(timeless(renderTrace(trace))).toBe(timeless(promised))
    expect(drawn(trace)).toEqual({
      name: 'plan-trip',
      userId: 'ada',
      sessionId: 'summer-trip',
      public: true,
      tags: ['travel'],
      observations: [
        {
          'AGENT plan-trip': {
            input: question,
            output: answer,
            children: [
              { 'GUARDRAIL no-secrets': { input: question, output: true } },
              {
                'RETRIEVER find-notes': {
                  input: question,
                  output: ['Paris: take the metro, not a taxi.', 'Rome: carry water in summer.'],
                },
              },
              { 'GENERATION chat gpt-4.1-mini': {} },
              { 'TOOL weather': weatherIn('Paris') },
              { 'TOOL weather': weatherIn('Rome') },
              { 'GENERATION chat gpt-4.1-mini': {} },
              { 'TOOL send-postcard': { input: answer, output: { number: 1 } } },
            ],
          },
        },
      ],
    })
    expect(trace.observations[0]?.metadata).toEqual({ notes: 3 })
    const spans = service.local.spans()
    expect(spans).toHaveLength(8)
    for (const { attributes } of spans) {
      expect(attributes).toMatchObject({ 'user.id': 'ada', 'session.id': 'summer-trip', 'svc.trace.tags': ['travel'] })
    }
  })

  it('calls no model for a question that the guardrail stops, and keeps it private', async () => {
    const calls = service.models.requests().length
    const { trace, answer } = await ask('What is my password?')
    expect(answer).toBe('I do not talk about that.')
    expect(service.models.requests()).toHaveLength(calls)
    expect(drawn(trace)).toEqual({
      name: 'plan-trip',
      userId: 'ada',
      sessionId: 'summer-trip',
      public: false,
      tags: ['travel'],
      observations: [
        {
          'AGENT plan-trip': {
            input: 'What is my password?',
            output: answer,
            children: [{ 'GUARDRAIL no-secrets': { input: 'What is my password?', output: false } }],
          },
        },
      ],
    })
  })
})
