// Two evaluations: of two providers, and of one with promptfoo's own tracing, whose spans an assertion wants to see.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const openai = 'openai:chat:gpt-4o-mini'
const shared = { prompts: ['Say {{word}}.'], tests: [{ vars: { word: 'hello' } }] }
const assert = [{ type: 'trace-span-count', value: { pattern: '*chat*', min: 1 } }]
const evaluations = {
  'two-providers': { ...shared, providers: [openai, 'anthropic:messages:claude-sonnet-4-5'] },
  traced: {
    ...shared,
    providers: [openai],
    tracing: { enabled: true, otlp: { http: { enabled: true, port: Number(process.env.PORT) } } },
    defaultTest: { assert },
  },
}

for (const [name, evaluation] of Object.entries(evaluations)) {
  const file = `${name}.json`
  writeFileSync(file, JSON.stringify(evaluation))
  const program = 'node_modules/promptfoo/dist/src/entrypoint.js'
  const args = [program, 'eval', '-c', file, '--no-cache', '--no-progress-bar', '--max-concurrency', '1']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  process.exitCode ||= status
}
