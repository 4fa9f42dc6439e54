import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KNOWN, OWN, STANDARD, select } from './catalogue.ts'

const none = { instrumentations: undefined, disabledInstrumentations: [], allowedScopes: [], everything: false }

describe('the selection of instrumentations', () => {
  it('is only the built-in ones by default', () => {
    expect(select(none)).toEqual({ own: KNOWN, standard: [], foreign: [], unknown: [] })
  })

  it('includes the catalogue for a second destination, except for those disabled by OpenTelemetry', () => {
    const { own, standard } = select({ ...none, everything: true })
    expect(own).toContain('openai')
    expect(standard).toContain('http')
    expect(standard).not.toContain('fs')
    expect(standard).not.toContain('openai')
  })

  it('includes the instrumentation of an allowed scope', () => {
    expect(select({ ...none, allowedScopes: ['@opentelemetry/instrumentation-http', 'mine'] }).standard).toEqual([
      'http',
    ])
    expect(select({ ...none, allowedScopes: ['@opentelemetry/instrumentation-mysql*'] }).standard).toEqual([
      'mysql',
      'mysql2',
    ])
  })

  it('is only the named ones, by short or package name', () => {
    const selection = { ...none, instrumentations: ['http', '@opentelemetry/instrumentation-pg'] }
    expect(select(selection)).toEqual({ own: [], standard: ['http', 'pg'], foreign: [], unknown: [] })
  })

  it.each(Object.entries(OWN))('accepts %s in any case, and by its package name', (name, targets) => {
    for (const written of [name.toUpperCase(), ...targets.map((target) => target.package)]) {
      const alone = { own: [name], standard: [], foreign: [], unknown: [] }
      expect(select({ ...none, instrumentations: [written, written] })).toEqual(alone)
      expect(select({ ...none, disabledInstrumentations: [written] }).own).not.toContain(name)
    }
  })

  it('is a named instrumentation of OpenInference or Traceloop, unless it is disabled', () => {
    const instrumentations = ['@traceloop/instrumentation-openai', '@arizeai/openinference-instrumentation-langchain']
    expect(select({ ...none, instrumentations })).toMatchObject({ foreign: instrumentations, unknown: [] })
    const disabledInstrumentations = instrumentations
    expect(select({ ...none, instrumentations, disabledInstrumentations })).toMatchObject({ foreign: [], unknown: [] })
  })

  it('never includes disabled ones, and reports unknown names', () => {
    const selection = { ...none, instrumentations: ['openai', 'http', 'opanai'], disabledInstrumentations: ['http'] }
    expect(select(selection)).toEqual({ own: ['openai'], standard: [], foreign: [], unknown: ['opanai'] })
  })

  it('includes every instrumentation of the installed catalogue but the one that is replaced', () => {
    const main = createRequire(import.meta.url).resolve('@opentelemetry/auto-instrumentations-node')
    const manifest = readFileSync(join(dirname(main), '..', 'package.json'), 'utf8')
    const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> }
    const installed = Object.keys(dependencies).flatMap(
      (name) => /^@opentelemetry\/instrumentation-(.+)$/.exec(name)?.[1] ?? [],
    )
    expect([...STANDARD].sort()).toEqual(installed.filter((name) => name !== 'openai').sort())
  })
})
