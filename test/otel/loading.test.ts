import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./processes/loads.mjs', import.meta.url))

describe.each(['import', 'require'])('loading the package by %s', (how) => {
  const { imported, exported } = JSON.parse(String(execFileSync(process.execPath, [PROGRAM, how])))

  it('loads nothing of the trace SDK or the exporters, and only the Node.js modules needed for lazy loading', () => {
    const others = imported.filter((name: string) => name !== '@svc/otel' && !name.startsWith('@svc/core/'))
    // Node.js has loaded it anyway.
    expect(others).toEqual(['@opentelemetry/api', 'node:module'])
  })

  it('exports the names of the contract and allowScopes', () => {
    expect(exported.filter((name: string) => name !== 'module.exports')).toEqual([
      'KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES',
      'SvcSpanProcessor',
      'allowScopes',
      'genAiConventions',
      'getSvcHealth',
      'isDefaultExportSpan',
      'isGenAISpan',
      'isKnownLLMInstrumentor',
      'isSvcSpan',
    ])
  })
})
