// Counts what vitest's JSON report says. Only a test that ran and passed has passed: a skipped one counts as failed,
// and so does a file that fell over before its tests, a run without tests, and a run that ended badly for any other
// reason (an unhandled rejection, a crash).
import { readFileSync } from 'node:fs'

export function countTests(file, green) {
  const report = read(file)
  if (!report) return { passed: 0, failed: 1, notes: ['vitest wrote no report.'] }
  const all = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName }) => ({ status, title: `${name}: ${fullName}` })),
  )
  const passed = all.filter(({ status }) => status === 'passed').length
  const notes = all.filter(({ status }) => !['passed', 'failed'].includes(status)).map(skipped)
  const fallen = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = all.length - passed + fallen.length
  if (failed === 0 && (passed === 0 || !green)) return { passed, failed: 1, notes: ['The run itself failed.'] }
  return { passed, failed, notes }
}

function skipped({ status, title }) {
  return `Not run (${status}), which counts as failed: ${title}`
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
