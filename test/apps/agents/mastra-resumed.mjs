// A workflow that waits for a person in one process, and goes on in another: `node mastra-resumed.mjs [run]`.
import { Mastra } from '@mastra/core'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { LibSQLStore } from '@mastra/libsql'
import { z } from 'zod'

const text = z.object({ text: z.string() })
const ask = createStep({
  id: 'ask',
  inputSchema: text,
  outputSchema: text,
  suspendSchema: text,
  resumeSchema: text,
  execute: ({ resumeData, suspend }) => resumeData ?? suspend({ text: 'Go on?' }),
})
const flow = createWorkflow({ id: 'flow', inputSchema: text, outputSchema: text }).then(ask).commit()
const storage = new LibSQLStore({ id: 'kept', url: 'file:kept.db' })
const mastra = new Mastra({ workflows: { flow }, storage, logger: false })
const [, , runId] = process.argv
const run = await mastra.getWorkflow('flow').createRun({ runId })
if (runId) await run.resume({ step: 'ask', resumeData: { text: 'yes' } })
else await run.start({ inputData: { text: 'Say hello.' } })
console.log(run.runId)
