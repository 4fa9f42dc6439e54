import { afterAll } from 'vitest'
import { endPrograms } from './run.ts'

// A test that fails does not come to its last line, which may end a program.
afterAll(endPrograms)
