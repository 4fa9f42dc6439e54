import { describe, expect, it } from 'vitest'
import { instrumentAgents, instrumentLoadedAgents } from './instrument.ts'
import { processor } from './processor.ts'

/** As much of the library's as is looked at. */
function library() {
  class TraceProvider {
    processors: unknown[] = []
    registerProcessor(one: unknown): void {
      this.processors.push(one)
    }
    setProcessors(all: unknown[]): void {
      this.processors = all
    }
    getCurrentSpan(): null {
      return null
    }
    getCurrentTrace(): null {
      return null
    }
  }
  const provider = new TraceProvider()
  return { exports: { TraceProvider, getGlobalTraceProvider: () => provider }, provider }
}

describe('the trace processor for OpenAI Agents', () => {
  it('is called first and once, and stays if the list is replaced', () => {
    const { exports, provider } = library()
    expect([instrumentAgents(exports), instrumentAgents(exports)]).toEqual([true, false])
    provider.registerProcessor('default')
    provider.registerProcessor('more')
    expect(provider.processors).toEqual([processor, 'default', 'more'])
    const given = ['own']
    provider.setProcessors(given)
    expect([provider.processors, given]).toEqual([[processor, 'own'], ['own']])
  })

  it('is added once to existing processors of a provider', () => {
    const { exports, provider } = library()
    provider.registerProcessor('default')
    expect([instrumentLoadedAgents(exports), instrumentLoadedAgents(exports)]).toEqual([true, false])
    expect(provider.processors).toEqual(['default', processor])
  })

  it.each([[undefined], [{}], [{ TraceProvider: class {} }], [{ TraceProvider: 'no class' }]])(
    'ignores exports without a trace provider: %j',
    (exports) => {
      expect(instrumentAgents(exports)).toBe(false)
    },
  )
})
