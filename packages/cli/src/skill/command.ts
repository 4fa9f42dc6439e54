import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunCommand } from '../command.ts'
import { Failure } from '../failure.ts'
import { readText } from '../files/text.ts'
import { write } from '../output.ts'
import { writeBelow } from '../prompts/folder/write.ts'

const SKILL = join(import.meta.dirname, '../../skill/SKILL.md')
/** Where agents look for skills. The first of these folders that a project has is used, else the last. */
const FOLDERS = ['.claude', '.agents']

/** `svc skill`: writes a folder with what a coding agent should know of svc. */
export const run: RunCommand = async (_, { dir, force }) => {
  const parent = FOLDERS.find((name) => existsSync(name)) ?? '.agents'
  const folder = join(typeof dir === 'string' ? dir : join(parent, 'skills'), 'svc')
  const path = join(folder, 'SKILL.md')
  const text = readFileSync(SKILL, 'utf8')
  if (force !== true && existsSync(path) && readText(path) !== text) {
    throw new Failure(`${path} is another one: --force writes over it`)
  }
  writeBelow(folder, new Map([['SKILL.md', text]]))
  write(process.stdout, `${path} is written: agents that read this folder know how to use svc\n`)
  return 0
}
