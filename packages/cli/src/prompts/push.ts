import { foreignText } from '@svc/core/foreign-text'
import { Failure } from '../failure.ts'
import { SVC } from '../own-command.ts'
import { shellWord } from '../shell-word.ts'
import { allOf } from './all-of.ts'
import { type PromptFlags, promptCommand, type Report } from './command.ts'
import { type FilePrompt, type Folder, filesNamed, readWholeFolder, shownPath } from './folder/folder.ts'
import { type Lock, type Locked, readLock } from './folder/lock.ts'
import { hashOf, LATEST, type Prompt } from './prompt.ts'
import { connect } from './service/connect.ts'
import type { Listed, PromptService, Stored } from './service/prompt-service.ts'
import { changeOf, lockedAs, writeState } from './state.ts'
import { templateMistakes } from './templates.ts'

/** `svc prompts push [NAME...]`: creates new versions of the prompts whose files were changed. */
export const run = promptCommand(push)

/** What to do with a changed prompt. */
interface Step {
  readonly file: FilePrompt
  /** The version with the same content; undefined if a new one has to be created. */
  readonly version: number | undefined
  /** Labels to add to the version. */
  readonly labels: readonly string[]
  /** The newest version in the service. */
  readonly latest: number
}

async function push(names: readonly string[], flags: PromptFlags): Promise<Report> {
  const { dir, dryRun } = flags
  const folder = readWholeFolder(dir)
  const lock = readLock(dir)
  const files = filesNamed(names, folder).filter(({ prompt }) => changeOf(prompt, lock.get(prompt.name)))
  const mistakes = templateMistakes(files)
  if (mistakes.length > 0) throw new Failure(...mistakes)
  // Prompts whose file was deleted are removed from the lock file.
  const known = new Map([...lock].filter(([name]) => folder.files.has(name) || names.length > 0))
  const forgotten = [...lock.keys()]
    .filter((name) => !known.has(name))
    .map((name) => `${foreignText(name)}: removed from the lock file`)
  if (files.length === 0) {
    if (!dryRun) writeState(folder, known)
    return { lines: [...forgotten, 'nothing to push: the files match the lock file'] }
  }
  const service = await connect(flags)
  const listed = await service.list()
  const steps = await allOf(files, (file) => stepFor(file, { folder, lock, listed, service, force: flags.force }))
  if (dryRun) return { lines: [...forgotten, ...steps.map((step) => `${lineOf(step, 'would be')}`)] }
  const { lines, errors } = await take(steps, { folder, lock: known, service, message: flags.message })
  return { lines: [...forgotten, ...lines], errors }
}

interface Situation {
  readonly folder: Folder
  readonly lock: Lock
  readonly listed: ReadonlyMap<string, Listed>
  readonly service: PromptService
  readonly force: boolean | undefined
}

/** @throws {Failure} if the service has a version that is newer than the last pull */
async function stepFor(file: FilePrompt, { folder, lock, listed, service, force }: Situation): Promise<Step> {
  const { name, content, labels } = file.prompt
  const path = shownPath(folder.dir, file.path)
  const locked = lock.get(name)
  const latest = listed.get(name)?.latest ?? 0
  const newest = latest > 0 ? await service.find(name, { version: latest }) : undefined
  const isNew = locked?.hash !== hashOf(content)
  // An earlier push may have created this version and failed to write the lock file.
  const like = newest && hashOf(newest.prompt.content) === hashOf(content) ? newest : undefined
  const same = isNew ? like : locked && (await service.find(name, { version: locked.version }))
  if (newest && newest.prompt.content.type !== content.type) {
    throw new Failure(`${path}: the service has a ${newest.prompt.content.type} prompt of that name: use another name`)
  }
  if (!force && !(isNew && like)) checkUnchanged({ name, path, latest, locked })
  if (same || isNew)
    return { file, latest, version: same?.version, labels: same ? added(path, labels, same, isNew) : labels }
  throw new Failure(
    `${path}: the service has no version ${locked?.version} any more: ${SVC} prompts pull --force ${shellWord(name)}`,
  )
}

interface Change {
  readonly name: string
  readonly path: string
  readonly latest: number
  readonly locked: Locked | undefined
}

function checkUnchanged({ name, path, latest, locked }: Change): void {
  const [pull, push] = ['pull', 'push'].map((command) => `${SVC} prompts ${command} --force ${shellWord(name)}`)
  if (locked && latest === 0) {
    throw new Failure(
      `${path}: the service no longer has this prompt: delete the file, or create the prompt again: ${push}`,
    )
  }
  if (latest <= (locked?.latest ?? 0)) return
  const here = locked ? `the lock file knows up to version ${locked.latest}` : 'it was never pulled'
  throw new Failure(
    `${path}: the service has version ${latest}, ${here}. ${SVC} prompts check shows the difference; ` +
      `${pull} overwrites the file, ${push} creates the next version from the file`,
  )
}

/** Returns the labels to add to a version. A label can only be removed from a version by moving it to another. */
function added(path: string, labels: readonly string[], { prompt, version }: Stored, isNew: boolean): string[] {
  const left = prompt.labels.filter((label) => !labels.includes(label))
  if (left.length === 0 || isNew) return labels.filter((label) => !prompt.labels.includes(label))
  throw new Failure(
    `${path}: the service cannot take the label ${foreignText(left.join(', '), 2_000)} from version ${version}: move it to another version`,
  )
}

interface Taking {
  readonly folder: Folder
  readonly lock: Lock
  readonly service: PromptService
  readonly message: string | undefined
}

/** Executes the steps one by one, and updates the lock file after each, so that no step is repeated after a failure. */
async function take(steps: readonly Step[], { folder, service, message, ...start }: Taking) {
  const lock = new Map(start.lock)
  const lines: string[] = []
  const errors: string[] = []
  for (const step of steps) {
    const { prompt, path } = step.file
    try {
      const stored = await doStep(step, service, message)
      const latest = Math.max(step.latest, stored.version)
      const label = labelOf(prompt, lock.get(prompt.name))
      lock.set(prompt.name, { ...lockedAs(path, { ...stored, prompt }, { latest, label }) })
      writeState(folder, lock)
      lines.push(lineOf({ ...step, version: step.version ?? stored.version }, 'is', step.version === undefined))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      errors.push(`${foreignText(prompt.name)}: not pushed: ${error.message}`)
    }
  }
  return { lines, errors }
}

async function doStep({ file, version, labels }: Step, service: PromptService, message?: string): Promise<Stored> {
  if (version === undefined) return service.create(file.prompt, message)
  if (labels.length > 0) await service.label(file.prompt.name, version, labels)
  return (await service.find(file.prompt.name, { version })) ?? { prompt: file.prompt, version, refersToOthers: false }
}

/** Returns the label of the lock entry. */
function labelOf({ labels }: Prompt, locked: Locked | undefined): string {
  return locked && labels.includes(locked.label) ? locked.label : (labels[0] ?? LATEST)
}

function lineOf({ file, version, labels, latest }: Step, verb: string, isStored = version === undefined): string {
  const name = foreignText(file.prompt.name)
  const given =
    labels.length > 0
      ? `, with the ${labels.length === 1 ? 'label' : 'labels'} ${labels.map((label) => foreignText(label)).join(', ')}`
      : ''
  if (isStored) return `${name}: version ${version ?? latest + 1} ${verb} stored${given}`
  return `${name}: version ${version} ${verb} unchanged${given}`
}
