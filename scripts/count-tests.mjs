// Counts what vitest's JSON report says. Only a test that ran and passed has passed: a skipped one counts as failed,
// and so does a file that fell over before its tests, a run without tests, and a run that ended badly for any other
// reason (an unhandled rejection, a crash).
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './build.mjs'

/** `titles` are those of what failed, with their files; `notes` explain what vitest does not call failed. */
export function countTests(file, green) {
  const report = read(file)
  if (!report) return { passed: 0, failed: 1, notes: ['vitest wrote no report.'] }
  const all = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName }) => ({ status, title: `${relative(root, name)} > ${fullName}` })),
  )
  const passed = all.filter(({ status }) => status === 'passed').length
  const notes = all.filter(({ status }) => !['passed', 'failed'].includes(status)).map(skipped)
  const fallen = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const titles = [
    ...all.filter(({ status }) => status !== 'passed').map(({ title }) => title),
    ...fallen.map(({ name }) => relative(root, name)),
  ]
  if (titles.length === 0 && (passed === 0 || !green)) return { passed, failed: 1, notes: ['The run itself failed.'] }
  return { passed, failed: titles.length, titles, notes }
}

function skipped({ status, title }) {
  return `Not run (${status}), which counts as failed: ${title}`
}

export function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
