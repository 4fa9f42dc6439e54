import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runNode } from '../support/run.ts'
import { names, startSpans, useAbsentIntake, useFolder, useIntake } from '../support/spans.ts'

const SPANS = 5
const SOMEBODY = 12_345
const isRoot = process.getuid?.() === 0
const BINARY = join(import.meta.dirname, '../../packages/local/bin/svc-local.js')

/** What is below a folder, with types, modes, owners and sizes: what must not change. */
function seen(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { mode, uid, size } = lstatSync(join(folder, name))
      return [name, mode.toString(8), uid, (mode & 0o170000) === 0o040000 ? '' : size].join(' ')
    })
    .toSorted()
}

/** Each makes a folder for the spool below `home`, and returns its path. */
const FOLDERS: readonly (readonly [string, RegExp, (home: string) => string])[] = [
  ['that all may write to', /can be written by other users \(mode 0777\)/, (home) => made(home, 0o777)],
  ['of a sticky bit, that all may write to', /other users \(mode 1777\)/, (home) => made(home, 0o1777)],
  ['that a group may write to', /can be written by other users \(mode 0730\)/, (home) => made(home, 0o730)],
  ['below one that all may write to', /\/open can be written by other users/, (home) => below(home, 'spool')],
  ['that is to be made below such a one', /\/open can be written by other users/, (home) => below(home)],
  ['that is a link', /is a symbolic link, which is not followed/, (home) => linked(home, made(home, 0o700))],
  ['that is a dangling link', /is a symbolic link, which is not followed/, (home) => linked(home, join(home, 'none'))],
  ['below a link to one that all may write to', /can be written by other users/, (home) => through(home)],
  ...(isRoot
    ? ([
        ['of another user', /belongs to user 12345, not to 0/, (home: string) => given(made(home, 0o700))],
        [
          'below one of another user',
          /belongs to user 12345, not to 0/,
          (home: string) => join(given(made(home, 0o755)), 'a'),
        ],
      ] as const)
    : []),
]

const made = (home: string, mode: number) => {
  const folder = join(home, 'folder')
  mkdirSync(folder)
  chmodSync(folder, mode)
  return folder
}
const below = (home: string, name?: string) => {
  const open = join(home, 'open')
  mkdirSync(join(open, name ?? ''), { recursive: true })
  chmodSync(open, 0o777)
  return join(open, name ?? 'not made')
}
const linked = (home: string, target: string) => {
  symlinkSync(target, join(home, 'link'))
  return join(home, 'link')
}
const through = (home: string) => join(linked(home, join(below(home, 'spool'), '..')), 'spool')
const given = (path: string) => {
  chownSync(path, SOMEBODY, SOMEBODY)
  return path
}

it.each(FOLDERS)('a spool folder %s is named in one line, left as it is, and spans are sent', async (_, line, make) => {
  const intake = await useIntake()
  const home = useFolder()
  const SVC_OTEL_SPOOL_DIR = make(home)
  const before = seen(home)
  const plan = { make: { spans: SPANS }, end: 'process.exit' } as const
  const { code, stderr } = await startSpans(intake, plan, { SVC_OTEL_SPOOL_DIR, SVC_OTEL_SPOOL: 'always' }).ended
  const lines = stderr.trim().split('\n')
  expect([code, lines, intake.taken.size]).toEqual([3, [expect.stringMatching(line)], SPANS])
  expect(lines[0]).toContain(
    `SVC_OTEL_SPOOL_DIR=${JSON.stringify(SVC_OTEL_SPOOL_DIR)} cannot be used, so nothing is kept`,
  )
  expect(seen(home)).toEqual(before)
})

/** Each puts something with the name of a spool file at `path`; `good` is a file with other spans, for the same keys. */
const FILES: readonly (readonly [string, RegExp, (path: string, good: string) => void])[] = [
  ['a pipe', /is not a regular file/, (path) => void spawnSync('mkfifo', [path])],
  ['a folder', /is not a regular file/, (path) => mkdirSync(path)],
  ['a link to a spool file', /is a symbolic link/, (path, good) => symlinkSync(good, path)],
  ['a dangling link', /is a symbolic link/, (path) => symlinkSync('none', path)],
  ['a link to a device', /is a symbolic link/, (path) => symlinkSync('/dev/zero', path)],
  ['another name of a spool file', /is a hard link of another file/, (path, good) => linkSync(good, path)],
  ['a spool file that all may write to', /can be written by other users/, (path, good) => copied(good, path, 0o666)],
  ['a sparse file', /is longer than 67108864 bytes/, (path, good) => grown(good, path)],
  ...(isRoot
    ? ([
        [
          'forged by another user',
          /belongs to user 12345/,
          (path: string, good: string) => given(copied(good, path, 0o600)),
        ],
        ['a device', /is not a regular file/, (path: string) => void spawnSync('mknod', [path, 'c', '1', '5'])],
      ] as const)
    : []),
]

const copied = (from: string, to: string, mode: number) => {
  copyFileSync(from, to)
  chmodSync(to, mode)
  return to
}
const grown = (from: string, to: string) => truncateSync(copied(from, to, 0o600), 1_500_000_000)

it.each(FILES)('a spool file that is %s is left as it is, and the others are sent', async (_, line, make) => {
  const [intake, elsewhere] = [await useAbsentIntake(), useFolder()]
  const leave = async (folder: string, first: number) => {
    const env = { SVC_OTEL_SPOOL_DIR: folder }
    await startSpans(intake, { make: { spans: SPANS }, first, end: 'process.exit' }, env).ended
    return join(folder, readdirSync(folder)[0] ?? '')
  }
  const folder = useFolder()
  const other = await leave(elsewhere, 100)
  await leave(folder, 0)
  const name = 'ab12-1-0-1-x.left'
  // A device cannot be made in each container.
  make(join(folder, name), other)
  if (!lstatSync(join(folder, name), { throwIfNoEntry: false })) return
  const before = [seen(elsewhere), seen(folder).filter((line) => line.startsWith(name))]
  await intake.open()
  const program = startSpans(intake, { make: { spans: 0 }, end: 'a signal' }, { SVC_OTEL_SPOOL_DIR: folder })
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([name]), { timeout: 100_000 })
  program.kill('SIGTERM')
  const { stderr, signal } = await program.ended
  expect([...intake.taken.keys()].toSorted()).toEqual(names(0, SPANS))
  expect([signal, stderr.trim().split('\n')]).toEqual(['SIGTERM', [expect.stringMatching(line)]])
  expect([seen(elsewhere), seen(folder)]).toEqual(before)
})

/** Each makes a database below `home`, and returns its path. */
const DATABASES: readonly (readonly [string, RegExp, (home: string) => string])[] = [
  ['a dangling link', /is a symbolic link/, (home) => linked(home, join(home, 'none'))],
  ['a link to a file', /is a symbolic link/, (home) => linked(home, file(home, 'real'))],
  ['another name of a file', /is a hard link/, (home) => second(home)],
  ['a pipe', /is not a regular file/, (home) => pipe(home)],
  ['a file that all may write to', /can be written by other users \(mode 0666\)/, (home) => file(home, 'db', 0o666)],
  ['in a folder that all may write to', /can be written by other users/, (home) => join(made(home, 0o777), 'db')],
  ['in a sticky folder', /can be written by other users/, (home) => join(made(home, 0o1777), 'db')],
  ['beside a log that is a link', /db-wal is a symbolic link/, (home) => beside(home, '-wal')],
  ['beside an index that is a link', /db-shm is a symbolic link/, (home) => beside(home, '-shm')],
  ['beside a journal that is a link', /db-journal is a symbolic link/, (home) => beside(home, '-journal')],
  ...(isRoot
    ? ([['of another user', /belongs to user 12345/, (home: string) => given(file(home, 'db'))]] as const)
    : []),
]

const file = (home: string, name: string, mode = 0o600) => {
  writeFileSync(join(home, name), '')
  chmodSync(join(home, name), mode)
  return join(home, name)
}
const second = (home: string) => {
  linkSync(file(home, 'first'), join(home, 'second'))
  return join(home, 'second')
}
const pipe = (home: string) => {
  spawnSync('mkfifo', [join(home, 'pipe')])
  return join(home, 'pipe')
}
const beside = (home: string, ending: string) => {
  symlinkSync(file(home, 'elsewhere'), join(home, `db${ending}`))
  return join(home, 'db')
}

it.each(DATABASES)('svc-local does not start with a database that is %s, and makes nothing', async (_, line, make) => {
  const home = useFolder()
  const db = make(home)
  const before = seen(home)
  const { code, stdout, stderr } = await runNode([BINARY, '--port', '0', '--db', db])
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringMatching(line)]])
  expect(stderr).toContain(`svc-local: cannot use the database ${db}: `)
  expect(seen(home)).toEqual(before)
})

it('svc-local keeps its database in a folder that is reached through a link, or named as an address', async () => {
  const home = useFolder()
  const folder = linked(home, made(home, 0o755))
  for (const db of [join(folder, 'db'), `file:${join(folder, 'address')}?mode=rwc`]) {
    const program = `
      import { startLocal } from '@svc/local'
      await (await startLocal({ db: ${JSON.stringify(db)} })).close()`
    const { stderr } = await runNode(['--input-type=module', '-e', program], { cwd: import.meta.dirname })
    expect(stderr).toEqual(db.startsWith('file:') ? expect.stringContaining('cannot be opened') : '')
  }
  expect(seen(join(home, 'folder'))).toEqual([expect.stringMatching(/^db 100600 /)])
})

it('a spool folder that is replaced by another one while it is used is not followed', async () => {
  const intake = await useAbsentIntake()
  const home = useFolder()
  const folder = join(home, 'spool')
  const env = { SVC_OTEL_SPOOL_DIR: folder, SVC_OTEL_SPOOL: 'always', SVC_FLUSH_INTERVAL: '60' }
  const program = startSpans(intake, { make: { spans: SPANS }, end: 'a signal' }, env)
  await vi.waitFor(() => expect(existsSync(folder) && readdirSync(folder).length).toBe(1), { timeout: 100_000 })
  renameSync(folder, join(home, 'moved'))
  mkdirSync(join(home, 'theirs'))
  symlinkSync('theirs', folder)
  program.kill('SIGTERM')
  expect((await program.ended).signal).toBe('SIGTERM')
  const again = startSpans(intake, { make: { spans: 0 }, end: 'process.exit' }, env)
  expect((await again.ended).stderr).toMatch(/is a symbolic link, which is not followed/)
})
