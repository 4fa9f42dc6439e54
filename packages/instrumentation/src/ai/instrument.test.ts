import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { editAi } from './instrument.ts'

it.each(['ai-5', 'ai-6'])('%s asks us, in both of its module formats', (name) => {
  const from = createRequire(new URL(`../../../../test/instrumentation/${name}/package.json`, import.meta.url))
  const main = from.resolve(name)
  for (const path of [main, main.replace(/\.js$/, '.mjs')]) {
    expect(editAi(readFileSync(path, 'utf8')).split('svc.ai-telemetry.6')).toHaveLength(5)
  }
})
