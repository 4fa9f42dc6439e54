import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { manifestIn } from '../../doctor/app/packages.ts'
import { readText } from '../../files/text.ts'
import type { Folder } from '../folder/folder.ts'
import type { Lock, Locked } from '../folder/lock.ts'
import { hashOf, isPlaceholder, type Prompt } from '../prompt.ts'
import { typeOf } from './types.ts'

const NAME = 'svc-prompts'
const MOST_BYTES = 67_108_864
type Form = 'ts' | 'esm' | 'cjs'

/**
 * Returns the files, by path, of the module that an application imports its prompts from: one for TypeScript, else
 * JavaScript in the format of the project, with types.
 */
export function moduleFor({ dir, files }: Pick<Folder, 'dir' | 'files'>, lock: Lock): Map<string, string> {
  const prompts = [...files.values()].map(({ prompt }) => prompt).sort((a, b) => (a.name < b.name ? -1 : 1))
  const form = formOf(dir)
  const texts = form === 'ts' ? [typeScript(prompts, lock)] : [javaScript(prompts, lock, form), declarations(prompts)]
  return new Map(texts.map((text, at) => [namesOf(form)[at] ?? '', `${headOf(text)}${text}`]))
}

/** Returns the paths of `files` whose content in the folder is outdated, regardless of formatting. */
export function staleFiles(dir: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) => (markOf(textIn(join(dir, path))) === markOf(text) ? [] : [path]))
}

/** Returns the text of a file; empty if it does not exist. */
export const textIn = (path: string): string => readText(path, MOST_BYTES) ?? ''

function namesOf(form: Form): readonly string[] {
  return form === 'ts' ? [`${NAME}.ts`] : [`${NAME}.js`, `${NAME}.d.ts`]
}

/** Returns the format of the existing module, or the one of the project. */
function formOf(dir: string): Form {
  const root = projectOf(resolve(dir))
  const isScript = existsSync(join(dir, `${NAME}.js`))
  if (!isScript && (existsSync(join(dir, `${NAME}.ts`)) || existsSync(join(root, 'tsconfig.json')))) return 'ts'
  return manifestIn(root)?.type === 'module' ? 'esm' : 'cjs'
}

/** Returns the folder of the nearest package.json. */
function projectOf(folder: string): string {
  const above = dirname(folder)
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : projectOf(above)
}

function headOf(text: string): string {
  return [
    '/* eslint-disable */',
    `// Written by svc prompts, of the files beside it: ${createHash('sha256').update(text).digest('base64url')}`,
    '// Give it to the client: new SvcClient({ prompts }).',
    '',
  ].join('\n')
}

const markOf = (text: string): string | undefined =>
  /Written by svc prompts, of the files beside it: (\S+)/.exec(text)?.[1]

function typeScript(prompts: readonly Prompt[], lock: Lock): string {
  const data = `export const prompts = ${dataOf(prompts, lock)} satisfies PromptFiles\n`
  return `${importOf(prompts)}\n${data}\n${globalOf(prompts)}`
}

function javaScript(prompts: readonly Prompt[], lock: Lock, form: 'esm' | 'cjs'): string {
  return `${form === 'esm' ? 'export const prompts' : 'exports.prompts'} = ${dataOf(prompts, lock)}\n`
}

function declarations(prompts: readonly Prompt[]): string {
  return `${importOf(prompts)}\nexport declare const prompts: PromptFiles\n\n${globalOf(prompts)}`
}

function importOf(prompts: readonly Prompt[]): string {
  const types = prompts.map(({ content }) => typeOf(content)).join()
  const used = ['PromptFiles', 'PromptValue', 'PromptVariables'].filter(
    (name) => name === 'PromptFiles' || types.includes(name),
  )
  return `import type { ${used.join(', ')} } from '@svc/client'\n`
}

function globalOf(prompts: readonly Prompt[]): string {
  const entries = prompts.map(({ name, content }) => `    ${JSON.stringify(name)}: ${typeOf(content)}\n`)
  return `declare global {\n  interface SvcPrompts {\n${entries.join('')}  }\n}\n`
}

function dataOf(prompts: readonly Prompt[], lock: Lock): string {
  const alone = prompts.filter(({ name }) => !lock.get(name)?.refersToOthers)
  const data = Object.fromEntries(alone.map((prompt) => [prompt.name, fileOf(prompt, lock.get(prompt.name))]))
  // `"__proto__":` in an object literal would set the prototype.
  return JSON.stringify(data, undefined, 2).replaceAll('"__proto__":', '["__proto__"]:')
}

/** Returns a `PromptFile` of `@svc/client`. */
function fileOf({ labels, content }: Prompt, locked: Locked | undefined) {
  const isStored = locked?.hash === hashOf(content)
  return {
    type: content.type,
    version: isStored ? locked.version : 0,
    ...(locked && { label: locked.label }),
    labels,
    config: content.config,
    prompt:
      content.type === 'text'
        ? content.prompt
        : content.prompt.map((entry) => (isPlaceholder(entry) ? entry : { role: entry.role, content: entry.content })),
  }
}
