import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { writeSummary } from '../../packages/client/src/vitest/write-summary.ts'

const parent = mkdtempSync(join(tmpdir(), 'svc-summary-'))
const name = 'capitals: "../of" Europe'
const summary = { name, runName: 'r', passed: true, total: 0, items: [], scores: [], worse: [], missed: [] }

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(parent, { recursive: true, force: true })
})

it('SVC_EXPERIMENT_SUMMARY_DIR is a directory for all summary files, created if missing, and the option wins', () => {
  vi.stubEnv('SVC_EXPERIMENT_SUMMARY_DIR', join(parent, 'a/b'))
  writeSummary(summary, undefined)
  expect(readdirSync(join(parent, 'a/b'))).toEqual(['capitals-..-of-Europe.json', 'capitals-..-of-Europe.md'])
  writeSummary(summary, join(parent, 'c'))
  expect(readdirSync(parent)).toEqual(['a', 'c'])
})

it('an empty SVC_EXPERIMENT_SUMMARY_DIR writes no file', () => {
  writeSummary(summary, undefined)
  expect(() => readdirSync(parent)).toThrow('ENOENT')
})
