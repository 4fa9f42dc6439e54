import { parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'
import { files, lineAt, read } from './repository.ts'

// Sources, the tests beside them, and what those tests use.
const units = files('packages', '.ts').filter((path) => /^packages\/[^/]+\/(src|test)\//.test(path))

/** Files that start programs which are not ours. */
const MAY_START_PROCESSES: Record<string, string> = {
  'packages/core/src/delivery/spool/directory.test.ts': 'a process that has ended: its number',
  'packages/core/test/support/certificate.ts': 'openssl',
  'packages/local/src/cli-arguments.test.ts': 'a shell',
}

it('no source and no test beside one names a file of a build by its path', () => {
  const PATH = /['"`](\.{1,2}\/)+(dist|cjs|published)\//
  // What Vite builds of the viewer has no sources that a server could serve.
  const naming = units.filter((path) => path !== 'packages/local/src/trace/pages/files.ts' && PATH.test(read(path)))
  expect(naming).toEqual([])
})

it('no test beside a source starts a process', () => {
  const tests = units.filter((path) => /\.test\.ts$|^packages\/[^/]+\/test\//.test(path))
  const starting = tests.filter((path) => /from '(node:child_process|.*\/test\/support\/run\.ts)'/.test(read(path)))
  expect(starting.filter((path) => !(path in MAY_START_PROCESSES))).toEqual([])
  expect(Object.keys(MAY_START_PROCESSES).filter((path) => !starting.includes(path))).toEqual([])
})

// Vitest's own limit is one second, which a busy machine may need for anything.
it('each wait of a test says how long it may take', () => {
  const waiting = ['packages', 'test', 'examples']
    .flatMap((folder) => files(folder, '.ts'))
    .map((path) => [path, read(path)] as const)
  const hasty = waiting
    .filter(([, text]) => text.includes('vi.wait'))
    .flatMap(([path, text]) => {
      const lines: string[] = []
      new Visitor({
        CallExpression: ({ callee, arguments: { length }, start }) => {
          if (length < 2 && /^vi\.wait(For|Until)$/.test(text.slice(callee.start, callee.end)))
            lines.push(`${path}:${lineAt(text, start)}`)
        },
      }).visit(parseSync(path, text).program)
      return lines
    })
  expect(hasty).toEqual([])
})
