import { afterEach, describe, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { describeStep, describeWorkflow } from './steps.ts'

afterEach(() => configure({}))

const sound = { data: 'UklGRg==', format: 'pcm' }

describe('a step of a run', () => {
  it.each([
    [{ type: 'handoff', from_agent: 'A', to_agent: 'B' }, 'handoff B', { from: '"A"', to: '"B"' }],
    [{ type: 'guardrail', name: 'polite', triggered: false }, 'guardrail polite', { triggered: 'false' }],
    [{ type: 'mcp_tools', server: 'files', result: ['read'] }, 'list tools files', { tools: '["read"]' }],
    [{ type: 'custom', name: 'mine', data: { a: 1 } }, 'custom mine', { data: '{"a":1}' }],
    [
      { type: 'transcription', model: 'whisper', input: sound, output: 'Hi' },
      'transcription whisper',
      { transcript: '"Hi"' },
    ],
    [{ type: 'speech', model: 'tts', input: 'Hi', output: sound }, 'speech tts', { text: '"Hi"' }],
  ])('%j is named by its type', (data, name, metadata) => {
    const step = describeStep(data)
    expect(step.name).toBe(name)
    const expected = Object.entries(metadata).map(([key, value]) => [`svc.observation.metadata.${key}`, value])
    expect(step.attributes).toMatchObject(Object.fromEntries(expected))
    expect(JSON.stringify(step)).not.toContain(sound.data)
  })

  it('of an unknown type keeps its own name', () => {
    expect(describeStep({ type: 'planning', name: 'first' })).toMatchObject({ name: 'planning first' })
  })

  it('has no content if content is switched off', () => {
    configure({ captureContent: false })
    const steps = [
      describeStep({ type: 'function', name: 'weather', input: '{"city":"secret"}', output: 'secret' }),
      describeStep({ type: 'custom', name: 'mine', data: 'secret' }),
      describeStep({ type: 'speech', input: 'secret' }),
      describeStep({ type: 'transcription', output: 'secret' }),
      describeStep({
        type: 'generation',
        model: 'm',
        input: [{ role: 'user', content: 'secret' }],
        output: ['secret'],
      }),
      describeWorkflow({ name: 'run', metadata: { who: 'secret' } }),
    ]
    expect(JSON.stringify(steps)).not.toContain('secret')
    expect(steps.map(({ name }) => name)).toContain('execute_tool weather')
  })
})
