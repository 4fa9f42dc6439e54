import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSource } from './text.ts'
import { pathsIn } from './walk.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-walk-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}
const below = (folder: string) => [...pathsIn(folder, { unread: [] })]

it('a rule of .gitignore with many wildcards, which would take for ever, is not followed', () => {
  const name = 'a'.repeat(200)
  const folder = folderWith({
    '.gitignore': `${'*a'.repeat(30)}b\na${'**a'.repeat(30)}b\n*.log\n**/c*/**/*.t*\n`,
    [name]: '',
    'x.log': '',
    'c.ts': '',
  })
  expect(below(folder)).toEqual(['.gitignore', name, 'c.ts'])
})

it('links are not followed', () => {
  const folder = folderWith({ 'a.ts': '' })
  symlinkSync('/etc', join(folder, 'etc'))
  symlinkSync('/etc/passwd', join(folder, 'passwd.ts'))
  expect(below(folder)).toEqual(['a.ts'])
})

it('a file larger than 64 MB is not read', () => {
  const folder = folderWith({ 'a.ts': '' })
  truncateSync(join(folder, 'a.ts'), 67_108_865)
  expect(readSource(join(folder, 'a.ts'))).toEqual({ message: 'is larger than 64 MB: check it by hand' })
})
