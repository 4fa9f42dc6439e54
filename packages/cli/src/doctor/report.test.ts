import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { write } from '../output.ts'
import type { Section } from './checks.ts'
import { hasObstacle, reportOf } from './report.ts'

const sections: Section[] = [
  {
    title: 'Node',
    findings: [
      { id: 'node-version', severity: 'ok', seen: 'Node 24.21.0' },
      {
        id: 'keys-missing',
        severity: 'error',
        seen: 'no SVC_PUBLIC_KEY and no SVC_SECRET_KEY',
        means: 'Nothing is traced without keys.',
        remedy: 'Set SVC_PUBLIC_KEY and SVC_SECRET_KEY: the settings of your project have them.',
      },
    ],
  },
]

it('a finding shows what was found, what it means, and what to do', () => {
  expect(reportOf(sections, { columns: 100, hasColours: false })).toBe(
    `Node
  ok    Node 24.21.0
  ERROR no SVC_PUBLIC_KEY and no SVC_SECRET_KEY
        Nothing is traced without keys.
        → Set SVC_PUBLIC_KEY and SVC_SECRET_KEY: the settings of your project have them.

1 error. Start with the first error.`,
  )
})

it.each([120, 80, 40, 30])('no line is wider than a terminal of %i columns', (columns) => {
  const lines = reportOf(sections, { columns, hasColours: false }).split('\n')
  expect(lines.filter((line) => line.length > columns)).toEqual([])
})

it('colours change only the colours of a report', () => {
  const terminal = { columns: 60, hasColours: false }
  const written: string[] = []
  const output = { write: (text: string | Uint8Array) => written.push(String(text)) > 0 }
  write(output, reportOf(sections, { ...terminal, hasColours: true }))
  const coloured = written.join('')
  expect(coloured).toContain('\u001b[31m')
  expect(stripVTControlCharacters(coloured)).toBe(reportOf(sections, terminal))
})

it('only errors make the doctor fail', () => {
  expect(hasObstacle(sections)).toBe(true)
  const warned = [{ title: 'Node', findings: [{ id: 'a', severity: 'warning' as const, seen: 'b' }] }]
  expect(hasObstacle(warned)).toBe(false)
  expect(reportOf(warned, { columns: 80, hasColours: false })).toMatch(/1 warning\. No errors found/)
})
