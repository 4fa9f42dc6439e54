import { expect, it } from 'vitest'
import { patchVoltAgent } from './patches.ts'

it("calls of the AI SDK get the name of VoltAgent's agent, and keep what they have", () => {
  class Agent {
    readonly name = 'guide'
    streamText(_input: string, options?: object): unknown {
      return options
    }
  }
  patchVoltAgent({ Agent })
  expect(new Agent().streamText('q')).toEqual({ experimental_telemetry: { functionId: 'guide' } })
  const experimental_telemetry = { functionId: 'own', isEnabled: false }
  expect(new Agent().streamText('q', { seed: 1, experimental_telemetry })).toEqual({ seed: 1, experimental_telemetry })
})
