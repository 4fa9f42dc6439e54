import { join } from 'node:path'
import type { Folder } from './folder/folder.ts'
import { formatLock, LOCK_FILE, type Lock, type Locked } from './folder/lock.ts'
import { writeFiles } from './folder/write.ts'
import { moduleFor, readText, staleFiles } from './module/module.ts'
import { hashOf, type Prompt } from './prompt.ts'
import type { Stored } from './service/prompt-service.ts'

/** A prompt of the folder as what is stored of it. */
export function lockedAs(file: string, stored: Stored, { latest, label }: Pick<Locked, 'latest' | 'label'>): Locked {
  const { prompt, version, refersToOthers } = stored
  const { labels, content } = prompt
  return { file, version, latest, label, labels, hash: hashOf(content), ...(refersToOthers && { refersToOthers }) }
}

/** What of a prompt is otherwise than in the lock file. */
export function changeOf({ content, labels }: Prompt, locked: Locked | undefined): 'content' | 'labels' | undefined {
  if (locked?.hash !== hashOf(content)) return 'content'
  return sameLabels(labels, locked.labels) ? undefined : 'labels'
}

/** Whether two prompts would be the same file. */
export const isSame = (one: Prompt, other: Prompt): boolean =>
  hashOf(one.content) === hashOf(other.content) && sameLabels(one.labels, other.labels)

const sameLabels = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort())

/** Writes the lock file and the module, where they are not so yet, after the files that are to be written with them. */
export function writeState(
  { dir, files }: Pick<Folder, 'dir' | 'files'>,
  lock: Lock,
  written: ReadonlyMap<string, string> = new Map(),
): void {
  const module = moduleFor({ dir, files }, lock)
  const stale = staleFiles(dir, module)
  const modules = [...module].filter(([path]) => stale.includes(path))
  const text = formatLock(lock)
  const locks = readText(join(dir, LOCK_FILE)) === text ? [] : [[LOCK_FILE, text] as const]
  writeFiles(dir, new Map([...written, ...modules, ...locks]))
}
