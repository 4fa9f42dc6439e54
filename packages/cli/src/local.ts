import { run as runLocal } from '@svc/local/cli'
import type { RunCommand } from './command.ts'

/** `svc local`: the program `svc-local`, with the same flags. */
export const run: RunCommand = (args) => runLocal(args, 'svc local')
