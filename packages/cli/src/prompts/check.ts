import { foreignText } from '@svc/core/foreign-text'
import { createTwoFilesPatch } from 'diff'
import { amount } from '../amount.ts'
import { SVC } from '../own-command.ts'
import { shellWord } from '../shell-word.ts'
import { allOf } from './all-of.ts'
import { type PromptFlags, promptCommand, type Report } from './command.ts'
import { formatPrompt } from './file/prompt-file.ts'
import { type FilePrompt, type Folder, filesNamed, readWholeFolder, shownPath } from './folder/folder.ts'
import { type Lock, type Locked, readLock } from './folder/lock.ts'
import { moduleFor, staleFiles } from './module/module.ts'
import { LATEST } from './prompt.ts'
import { connect } from './service/connect.ts'
import type { Listed, PromptService, Stored } from './service/prompt-service.ts'
import { changeOf, isSame } from './state.ts'
import { templateMistakes } from './templates.ts'

/**
 * `svc prompts check [NAME...]`: compares files, lock file, module and service; with names, only the files of these
 * prompts. Changes nothing.
 */
export const run = promptCommand(check)

async function check(names: readonly string[], { dir, offline, yes }: PromptFlags): Promise<Report> {
  const folder = readWholeFolder(dir)
  const lock = readLock(dir)
  const files = filesNamed(names, folder)
  const found = [
    ...templateMistakes(files),
    ...(offline ? files.flatMap((file) => changesHere(file, lock, dir)) : await driftOf(files, { dir, lock, yes })),
    ...(names.length === 0 ? [...deleted(folder, lock), ...staleModule(folder, lock)] : []),
  ]
  const count = amount(files.length, 'prompt')
  if (found.length > 0) return { lines: found, isFine: false }
  return { lines: [`${count}: files and ${offline ? 'lock file' : 'service'} agree`] }
}

function changesHere({ prompt, path }: FilePrompt, lock: Lock, dir: string): string[] {
  const locked = lock.get(prompt.name)
  const change = changeOf(prompt, locked)
  if (!change) return []
  const reason = locked ? `its ${change} changed since version ${locked.version}` : 'it is not in the lock file'
  return [`${shownPath(dir, path)}: ${reason}: ${SVC} prompts push`]
}

function deleted({ dir, files }: Folder, lock: Lock): string[] {
  const gone = [...lock].filter(([name]) => !files.has(name))
  return gone.map(([, { file }]) => {
    const path = shownPath(dir, file)
    return `${path}: it is only in the lock file: ${SVC} prompts pull restores it, ${SVC} prompts push removes it`
  })
}

function staleModule(folder: Folder, lock: Lock): string[] {
  const stale = staleFiles(folder.dir, moduleFor(folder, lock))
  return stale.map((path) => `${shownPath(folder.dir, path)}: it is outdated: ${SVC} prompts types regenerates it`)
}

async function driftOf(
  files: readonly FilePrompt[],
  { dir, lock, yes }: Pick<PromptFlags, 'dir' | 'yes'> & { readonly lock: Lock },
) {
  if (files.length === 0) return []
  const service = await connect({ yes })
  const listed = await service.list()
  const found = await allOf(files, async (file) => {
    const locked = lock.get(file.prompt.name)
    const stored = await versionFor(file, { locked, listed, service })
    return differenceOf(file, { path: shownPath(dir, file.path), locked, stored, listed: listed.get(file.prompt.name) })
  })
  return found.flat()
}

interface Beside {
  readonly locked: Locked | undefined
  readonly listed: ReadonlyMap<string, Listed>
  readonly service: PromptService
}

function versionFor(
  { prompt: { name } }: FilePrompt,
  { locked, listed, service }: Beside,
): Promise<Stored | undefined> {
  if (!listed.has(name)) return Promise.resolve(undefined)
  return service.find(name, { label: locked?.label ?? LATEST })
}

interface Compared {
  readonly path: string
  readonly locked: Locked | undefined
  readonly stored: Stored | undefined
  readonly listed: Listed | undefined
}

function differenceOf({ prompt }: FilePrompt, { path, locked, stored, listed }: Compared): string[] {
  const name = shellWord(prompt.name)
  if (!stored) {
    if (!listed)
      return [`${path}: the service has no prompt ${name}: ${SVC} prompts push${locked ? ' --force' : ''} creates it`]
    const has = foreignText(listed.labels.join(', '), 2_000)
    return [
      `${path}: no version has the label ${foreignText(locked?.label)} any more: use ${SVC} prompts pull --label with one of ${has}`,
    ]
  }
  const isSameHere = isSame(prompt, stored.prompt)
  if (isSameHere && locked?.version === stored.version && !changeOf(prompt, locked)) return []
  const label = foreignText(locked?.label ?? LATEST)
  const remote = `the service has version ${stored.version} (label ${label})`
  if (isSameHere)
    return [
      `${path}: ${remote} with the content of the file, but the lock file has another: ${SVC} prompts pull ${name}`,
    ]
  const isEdited = changeOf(prompt, locked) !== undefined
  const isMoved = locked !== undefined && changeOf(stored.prompt, locked) !== undefined
  const reason = !locked
    ? `it was never pulled, and ${remote}: ${SVC} prompts pull --force ${name} or ${SVC} prompts push --force ${name}`
    : isEdited && isMoved
      ? `it was changed here since version ${locked.version}, and ${remote}: ${SVC} prompts pull --force ${name} or ${SVC} prompts push --force ${name}`
      : isEdited
        ? `it was changed here since version ${locked.version}: ${SVC} prompts push`
        : `${remote}, and the file is version ${locked.version}: ${SVC} prompts pull`
  return [`${path}: ${reason}`, diffOf(prompt, { path, stored, label })]
}

function diffOf(
  prompt: FilePrompt['prompt'],
  { path, stored, label }: { path: string; stored: Stored; label: string },
): string {
  const [theirs, ours] = [stored.prompt, prompt].map(formatPrompt) as [string, string]
  const patch = createTwoFilesPatch(
    `${path} in the service`,
    path,
    theirs,
    ours,
    `version ${stored.version}, label ${label}`,
    '',
    {
      context: 3,
    },
  )
  return patch.replace(/^=+\n/, '').trimEnd()
}
