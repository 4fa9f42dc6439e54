import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { foreignText } from '@svc/core/foreign-text'
import { amount } from '../amount.ts'
import { Failure } from '../failure.ts'
import { SVC } from '../own-command.ts'
import { shellWord } from '../shell-word.ts'
import { allOf } from './all-of.ts'
import { type PromptFlags, promptCommand, type Report } from './command.ts'
import { endingOf, formatPrompt, parsePrompt } from './file/prompt-file.ts'
import { type FilePrompt, type Folder, readFolder, shownPath } from './folder/folder.ts'
import { type Lock, type Locked, readLock } from './folder/lock.ts'
import { pathFor, samePath } from './folder/paths.ts'
import { connect } from './service/connect.ts'
import type { Listed, PromptService, Stored } from './service/prompt-service.ts'
import { changeOf, isSame, lockedAs, writeState } from './state.ts'
import { templateMistakes } from './templates.ts'

/** `svc prompts pull [NAME...]`: writes prompts of the service to files; all fetched prompts, or none. */
export const run = promptCommand(pull)

const PRODUCTION = 'production'

/** A fetched prompt, and its file. */
interface Pulled {
  readonly stored: Stored
  readonly locked: Locked
  /** Path of its old file, if the new one has another path. */
  readonly before: string | undefined
  readonly isWritten: boolean
  /** Whether the file has changes that would be lost. */
  readonly isEdited: boolean
}

async function pull(names: readonly string[], { dir, label, all, force, yes }: PromptFlags): Promise<Report> {
  const lock = readLock(dir)
  const folder = readFolder(dir) ?? { dir, files: new Map(), mistakes: new Map() }
  const service = await connect({ yes })
  const listed = await service.list()
  const { selected: wanted, others } = select(names, {
    listed,
    lock,
    files: folder.files,
    all,
    label: label ?? PRODUCTION,
  })
  const selected = wanted.filter(isReadable)
  const unreadable = wanted.filter((name) => !isReadable(name))
  const by = (name: string) => label ?? lock.get(name)?.label ?? PRODUCTION
  const found = await allOf(selected, async (name) => ({
    label: by(name),
    ...(await versionOf(name, by(name), listed, service)),
  }))
  const pulled = placed(found, { folder, lock })
  checkEdits(pulled, { folder, force })
  const now = changed(pulled, { folder, lock, listed })
  writeState(now, now.lock, new Map(pulled.filter(({ isWritten }) => isWritten).map(fileOf)))
  for (const { before } of pulled) if (before !== undefined) rmSync(join(dir, before))
  const lines = [...linesOf(pulled, dir), ...others, ...templateMistakes(now.files.values())]
  return { lines, errors: unreadable.map((name) => `${JSON.stringify(name)} cannot be read: no address has this name`) }
}

/** Whether the service can be asked for a prompt of this name, which stands in the address. */
const isReadable = (name: string): boolean => !/^\.{0,2}$|\p{Surrogate}/u.test(name)

interface Selection {
  readonly listed: ReadonlyMap<string, Listed>
  readonly files: Folder['files']
  readonly lock: Lock
  readonly all: boolean | undefined
  readonly label: string
}

/** Selects the prompts to pull: those named, those with a file, or all with the label. */
function select(names: readonly string[], { listed, files, lock, all, label }: Selection) {
  if (names.length > 0) return { selected: [...new Set(names)], others: [] }
  const [has, lacks] = [true, false].map((selected) =>
    [...listed.values()].filter(({ labels }) => labels.includes(label) === selected).map(({ name }) => name),
  ) as [string[], string[]]
  if (all || lock.size === 0) {
    const left = lacks.filter((name) => !lock.has(name))
    if (has.length === 0) throw nothingToPull(label, [...listed.values()])
    return { selected: has, others: left.length > 0 ? [`without the label ${label}, so not pulled: ${few(left)}`] : [] }
  }
  const more = has.filter((name) => !lock.has(name))
  return {
    selected: [...lock.keys()].filter((name) => listed.has(name) || files.has(name)),
    others: more.length > 0 ? [`without a file: ${few(more)} (${SVC} prompts pull --all)`] : [],
  }
}

function nothingToPull(label: string, listed: readonly Listed[]): Failure {
  if (listed.length === 0)
    return new Failure(`this project has no prompts: ${SVC} prompts push creates them from files`)
  const labels = new Set(listed.flatMap((each) => each.labels))
  return new Failure(`no prompt of this project has the label ${label}: it has ${few([...labels])} (--label)`)
}

async function versionOf(name: string, label: string, listed: Selection['listed'], service: PromptService) {
  const known = listed.get(name)
  if (!known) {
    const has = listed.size > 0 ? `it has ${few([...listed.keys()])}` : 'it has none'
    throw new Failure(`there is no prompt ${JSON.stringify(name)} in this project: ${has}`)
  }
  const stored = await service.find(name, { label })
  if (stored) return { stored, latest: Math.max(known.latest, stored.version) }
  const labels = few(known.labels)
  throw new Failure(`prompt ${JSON.stringify(name)} has no version with the label ${label}: it has ${labels} (--label)`)
}

function placed(
  found: readonly { readonly stored: Stored; readonly latest: number; readonly label: string }[],
  { folder, lock }: { readonly folder: Folder; readonly lock: Lock },
): Pulled[] {
  const taken = new Set(
    [...folder.mistakes.keys(), ...[...folder.files.values()].map(({ path }) => path)].map(samePath),
  )
  return found.map(({ stored, latest, label }) => {
    const { prompt } = stored
    const known = lock.get(prompt.name)
    const file = folder.files.get(prompt.name)
    const isBroken = !file && known !== undefined && folder.mistakes.has(known.file)
    const before = file?.path ?? (isBroken ? known.file : undefined)
    const fits = before !== undefined && before.endsWith('.md') === (endingOf(prompt) === '.md')
    const path = fits ? before : pathFor(prompt, (each) => taken.has(samePath(each)))
    taken.add(samePath(path))
    const isWritten = !file || !isSame(file.prompt, prompt)
    return {
      stored,
      locked: lockedAs(path, stored, { latest, label }),
      before: fits ? undefined : before,
      isWritten,
      isEdited: isWritten && (file ? changeOf(file.prompt, known) !== undefined : isBroken),
    }
  })
}

function checkEdits(
  pulled: readonly Pulled[],
  { folder, force }: { readonly folder: Folder; readonly force?: boolean | undefined },
) {
  const places = new Set(pulled.map(({ before, locked }) => before ?? locked.file))
  const broken = [...folder.mistakes].filter(([path]) => !force || !places.has(path)).flatMap(([, { lines }]) => lines)
  if (broken.length > 0) throw new Failure(...broken)
  const edited = force ? [] : pulled.filter(({ isEdited }) => isEdited)
  const refused = edited.map(({ stored: { prompt, version }, before, locked }) => {
    const path = shownPath(folder.dir, before ?? locked.file)
    const name = shellWord(prompt.name)
    return `${path} has local changes: ${SVC} prompts push creates a version from them, ${SVC} prompts pull --force ${name} overwrites them with version ${version}`
  })
  if (refused.length > 0) throw new Failure(...refused)
}

/**
 * Returns the new content of folder and lock file. Entries whose prompt is in neither folder nor service are removed.
 */
function changed(
  pulled: readonly Pulled[],
  { folder, lock, listed }: { readonly folder: Folder; readonly lock: Lock; readonly listed: Selection['listed'] },
) {
  const kept = [...lock].filter(([name]) => folder.files.has(name) || listed.has(name))
  const files = new Map<string, FilePrompt>(folder.files)
  for (const { stored, locked, isWritten } of pulled) {
    if (!isWritten) continue
    const text = new TextEncoder().encode(formatPrompt(stored.prompt))
    const file = { ...parsePrompt(text, shownPath(folder.dir, locked.file)), path: locked.file }
    files.set(stored.prompt.name, file)
  }
  const entries = pulled.map(({ stored, locked }) => [stored.prompt.name, locked] as const)
  return { dir: folder.dir, files, lock: new Map([...kept, ...entries]) }
}

const fileOf = ({ stored, locked }: Pulled) => [locked.file, formatPrompt(stored.prompt)] as const

function linesOf(pulled: readonly Pulled[], dir: string): string[] {
  const written = pulled.filter(({ isWritten }) => isWritten)
  const lines = written.map(
    ({ stored: { prompt, version }, locked }) =>
      `${foreignText(prompt.name)}: version ${version} → ${shownPath(dir, locked.file)}`,
  )
  const referring = pulled.filter(({ locked }) => locked.refersToOthers)
  const without = referring.map(
    ({ stored }) =>
      `${foreignText(stored.prompt.name)} refers to other prompts, which only the service resolves: its file is not used as a fallback`,
  )
  const total = amount(pulled.length, 'prompt')
  return [...lines, ...without, `${total}: ${written.length} written, ${pulled.length - written.length} unchanged`]
}

/** The first of them, each without what would end a line. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => foreignText(name))
  return names.length > 10 ? `${shown.join(', ')} and ${names.length - 10} more` : shown.join(', ')
}
