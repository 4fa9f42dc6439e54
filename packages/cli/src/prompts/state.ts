import { join } from 'node:path'
import type { Folder } from './folder/folder.ts'
import { formatLock, LOCK_FILE, type Lock, type Locked } from './folder/lock.ts'
import { writeBelow } from './folder/write.ts'
import { moduleFor, staleFiles, textIn } from './module/module.ts'
import { hashOf, type Prompt } from './prompt.ts'
import type { Stored } from './service/prompt-service.ts'

/** Returns the lock entry of a prompt file. */
export function lockedAs(file: string, stored: Stored, { latest, label }: Pick<Locked, 'latest' | 'label'>): Locked {
  const { prompt, version, refersToOthers } = stored
  const { labels, content } = prompt
  return { file, version, latest, label, labels, hash: hashOf(content), ...(refersToOthers && { refersToOthers }) }
}

/** Returns what differs from the lock entry. */
export function changeOf({ content, labels }: Prompt, locked: Locked | undefined): 'content' | 'labels' | undefined {
  if (locked?.hash !== hashOf(content)) return 'content'
  return sameLabels(labels, locked.labels) ? undefined : 'labels'
}

/** Whether two prompts have the same file content. */
export const isSame = (one: Prompt, other: Prompt): boolean =>
  hashOf(one.content) === hashOf(other.content) && sameLabels(one.labels, other.labels)

const sameLabels = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort())

/** Writes the given files, and the lock file and module if they changed. */
export function writeState(
  { dir, files }: Pick<Folder, 'dir' | 'files'>,
  lock: Lock,
  written: ReadonlyMap<string, string> = new Map(),
): void {
  const module = moduleFor({ dir, files }, lock)
  const stale = staleFiles(dir, module)
  const modules = [...module].filter(([path]) => stale.includes(path))
  const text = formatLock(lock)
  const locks = textIn(join(dir, LOCK_FILE)) === text ? [] : [[LOCK_FILE, text] as const]
  writeBelow(dir, new Map([...written, ...modules, ...locks]))
}
