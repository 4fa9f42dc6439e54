import { type PromptFlags, promptCommand, type Report } from './command.ts'
import { readWholeFolder, shownPath } from './folder/folder.ts'
import { readLock } from './folder/lock.ts'
import { writeBelow } from './folder/write.ts'
import { moduleFor, staleFiles } from './module/module.ts'

/** `svc prompts types`: writes the module for the current files, without a request. */
export const run = promptCommand(types)

async function types(_: readonly string[], { dir }: PromptFlags): Promise<Report> {
  const folder = readWholeFolder(dir)
  const module = moduleFor(folder, readLock(dir))
  const stale = new Set(staleFiles(dir, module))
  writeBelow(dir, new Map([...module].filter(([path]) => stale.has(path))))
  return { lines: [...module.keys()].map((path) => `${shownPath(dir, path)} ${stale.has(path) ? 'written' : 'fits'}`) }
}
