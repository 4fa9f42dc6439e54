import { describe, expect, it } from 'vitest'
import { migrateFile } from './migrate-code.ts'

describe('packages that are part of another one', () => {
  it.each([
    ["import { observeOpenAI } from '@svc/openai'", "import { observeOpenAI } from '@svc/instrumentation/openai'"],
    ['export * from "@svc/openai"', 'export * from "@svc/instrumentation/openai"'],
    [
      "const { SvcPrompt } = require('@svc/vercel-ai-sdk')",
      "const { SvcPrompt } = require('@svc/instrumentation/ai-sdk')",
    ],
    ["type Config = import('@svc/openai').SvcConfig", "type Config = import('@svc/instrumentation/openai').SvcConfig"],
    ["const text = '@svc/openai'", "const text = '@svc/openai'"],
  ])('%s', (before, after) => {
    expect(migrateFile('app.ts', before)).toEqual({ text: after })
  })
})

describe('a file that does not parse', () => {
  it('is left alone, with line and column', () => {
    const text = "import { observeOpenAI } from '@svc/openai'\nconst = 1\n"
    expect(migrateFile('app.ts', text)).toEqual({ text, fault: { line: 2, column: 7, says: 'Unexpected token' } })
  })
})
