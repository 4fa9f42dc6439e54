import { SvcClient } from '@svc/client'
import { propagateAttributes, startObservation } from '@svc/tracing'
import { describe, expect, it, vi } from 'vitest'
import { useLaboratory } from './experiment-support.ts'

const laboratory = useLaboratory()
const unreachable = new SvcClient({ publicKey: 'p', secretKey: 's', baseUrl: 'http://127.0.0.1:1' })
const name = 'svc.observation.prompt.name'
const version = 'svc.observation.prompt.version'

/** A prompt as the service answered it. */
function fetched() {
  const answer = { type: 'text', name: 'critic', version: 3, prompt: '', config: {}, labels: [], tags: [] }
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(Response.json(answer))
  return new SvcClient({ publicKey: 'p', secretKey: 's', baseUrl: 'http://127.0.0.1:1' }).prompt
    .get('critic')
    .finally(() => fetch.mockRestore())
}

describe('a prompt given to an observation', () => {
  it('links the prompt to the observation', async () => {
    const prompt = await fetched()
    startObservation('call', { prompt }, { asType: 'generation' }).end()
    expect(laboratory().spans('call')[0]?.attributes).toMatchObject({ [name]: 'critic', [version]: 3 })
  })

  it('links inner calls if it is propagated', async () => {
    const prompt = await fetched()
    propagateAttributes({ prompt }, () => startObservation('call', {}, { asType: 'generation' }).end())
    expect(laboratory().spans('call')[0]?.attributes).toMatchObject({ [name]: 'critic', [version]: 3 })
  })

  it('links nothing if it is a fallback', async () => {
    const prompt = await unreachable.prompt.get('critic', { fallback: 'Judge {{movie}}.', maxRetries: 0 })
    startObservation('call', { prompt }, { asType: 'generation' }).end()
    const [call] = laboratory().spans('call')
    expect(Object.keys(call?.attributes ?? {}).filter((key) => key.includes('prompt'))).toEqual([])
    expect(
      laboratory()
        .lines()
        .filter((line) => !line.includes('cannot be fetched')),
    ).toEqual([])
  })
})
