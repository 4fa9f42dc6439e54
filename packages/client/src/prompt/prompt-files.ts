import { isFields } from '@svc/core/json'
import { shown } from '../misuse.ts'
import type { PromptFallback } from './prompt-options.ts'

interface FileFacts {
  /** The version in the service that the file was pulled from or pushed to; 0 if neither. */
  readonly version: number
  /** The label with which it was pulled. */
  readonly label?: string | undefined
  readonly labels: readonly string[]
  readonly config: unknown
}

/** A prompt that is kept as a file of the project, in the format of the module that `svc prompts` writes. */
export type PromptFile =
  | (FileFacts & { readonly type: 'text'; readonly prompt: PromptFallback<'text'> })
  | (FileFacts & { readonly type: 'chat'; readonly prompt: PromptFallback<'chat'> })

/** Prompts by name, as the module that `svc prompts` writes exports them. */
export type PromptFiles = Readonly<Record<string, PromptFile>>

/** Returns the valid files among `given`, and reports the others. */
export function checkedFiles(given: unknown, report: (line: string) => void): PromptFiles {
  if (given === undefined) return {}
  if (!isFields(given)) {
    report(`prompts of SvcClient are ignored: expected the export prompts of svc-prompts, got ${shown(given)}.`)
    return {}
  }
  const entries = Object.entries(given)
  const fit = entries.filter((entry): entry is [string, PromptFile] => isFile(entry[1]))
  for (const [name] of entries.filter(([, file]) => !isFile(file))) {
    report(
      `prompt ${shown(name)} of the prompts of SvcClient is ignored: expected { type, version, labels, config, prompt }.`,
    )
  }
  return Object.fromEntries(fit)
}

function isFile(file: unknown): file is PromptFile {
  if (!isFields(file) || !Array.isArray(file.labels) || !Number.isSafeInteger(file.version)) return false
  return file.type === 'chat' ? Array.isArray(file.prompt) : file.type === 'text' && typeof file.prompt === 'string'
}
