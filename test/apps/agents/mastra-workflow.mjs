// A step of a workflow asks an agent.
import { createOpenAI } from '@ai-sdk/openai'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { z } from 'zod'
import { tell } from './weather.mjs'

const text = z.object({ text: z.string() })
const ask = createStep({
  id: 'ask',
  inputSchema: text,
  outputSchema: text,
  execute: async ({ inputData, mastra }) => ({ text: (await mastra.getAgent('guide').generate(inputData.text)).text }),
})
const model = createOpenAI().chat('gpt-4o-mini')
const guide = new Agent({ id: 'guide', name: 'guide', instructions: 'Be brief.', model })
const flow = createWorkflow({ id: 'flow', inputSchema: text, outputSchema: text }).then(ask).commit()
const mastra = new Mastra({ agents: { guide }, workflows: { flow }, logger: false })
const run = await mastra.getWorkflow('flow').createRun()
const { result } = await run.start({ inputData: { text: 'Say hello.' } })
tell(result.text)
