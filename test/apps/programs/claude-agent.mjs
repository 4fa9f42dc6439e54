// An application with the Claude Agent SDK and its native child. The messages that it gets are printed.
import { query } from '@anthropic-ai/claude-agent-sdk'

const options = { maxTurns: 1, model: 'claude-test', settingSources: [], tools: [] }
for await (const { type, subtype, message, result } of query({ prompt: 'Say hello.', options }))
  console.log(type, subtype, message?.role, result)
