import { relative } from 'node:path'
import { root } from './build.mjs'
import { read } from './count-tests.mjs'

/** Lines with the files, and the tests, that took longest by vitest's JSON report. */
export function slowest(report, count = 30) {
  const files = (read(report)?.testResults ?? []).map((file) => ({ ...file, path: relative(root, file.name) }))
  const tests = files.flatMap(({ path, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ title: `${path} > ${fullName}`, milliseconds: duration ?? 0 })),
  )
  return [
    '    The slowest files:',
    ...longest(files.map(({ path, startTime, endTime }) => ({ title: path, milliseconds: endTime - startTime }))),
    '    The slowest tests:',
    ...longest(tests),
  ]

  function longest(timed) {
    return timed
      .sort((one, other) => other.milliseconds - one.milliseconds)
      .slice(0, count)
      .map(({ title, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(9)} s  ${title}`)
  }
}
