import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { agreed } from '../agreed.ts'
import type { RunCommand } from '../command.ts'
import { Failure } from '../failure.ts'
import { readText } from '../files/text.ts'
import { write } from '../output.ts'
import { writeBelow } from '../prompts/folder/write.ts'
import { CONFIG_FILE, configText, EVALS_FOLDER, evalText, WORKFLOW_FILE, workflowText } from './templates.ts'

const COMMAND = 'svc init-evals'

/** `svc init-evals`: writes an experiment over a dataset as a test file of vitest, and the workflow that runs it. */
export const run: RunCommand = async ([dataset = ''], { task, yes }) => {
  const files = [
    { path: join(EVALS_FOLDER, `${fileNameOf(dataset)}.eval.js`), text: evalText(dataset, importOf(task)) },
    { path: CONFIG_FILE, text: configText() },
    { path: WORKFLOW_FILE, text: workflowText() },
  ].map((file) => ({ ...file, state: stateOf(file) }))
  write(process.stdout, files.map(({ path, state }) => `${path}: ${state}\n`).join(''))
  const replaced = files.filter(({ state }) => state === REPLACED).map(({ path }) => path)
  if (replaced.length > 0) await agreed(COMMAND, `Write over ${replaced.join(' and ')}?`, yes)
  const written = files.filter(({ state }) => state !== SAME).map(({ path, text }) => [path, text] as const)
  writeBelow('.', new Map(written), '')
  write(process.stdout, `Run it: npx vitest run --config ${CONFIG_FILE} (npm i -D vitest @svc/client, once)\n`)
  return 0
}

const SAME = 'is there'
const REPLACED = 'is another one, and is written over'

function stateOf({ path, text }: { readonly path: string; readonly text: string }): string {
  if (!existsSync(path)) return 'is new'
  return readText(path) === text ? SAME : REPLACED
}

/** Reads `src/answer.js#answer`; without a name it is the default export. @throws {Failure} */
function importOf(task: unknown): string {
  const [, path = '', name] = /^([^#]+)(?:#([\p{ID_Start}$_][\p{ID_Continue}$]*))?$/u.exec(String(task ?? '')) ?? []
  if (path === '')
    throw new Failure(`${COMMAND}: name the function that is tested, with its file: --task src/answer.js#answer`)
  if (!existsSync(path)) throw new Failure(`${COMMAND}: there is no file ${path}`)
  const from = JSON.stringify(relative(EVALS_FOLDER, path).replaceAll('\\', '/'))
  return name === undefined || name === 'default'
    ? `import task from ${from}`
    : `import { ${name} as task } from ${from}`
}

/** Keeps letters and digits of any language, so that the name of a dataset is no path. */
const fileNameOf = (dataset: string): string =>
  dataset.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'dataset'
